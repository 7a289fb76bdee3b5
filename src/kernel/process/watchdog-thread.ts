// The thread of the watchdog. It has no event loop of its own to wait in: it sleeps between two reads of the shared memory.
import { rmSync, writeFileSync, writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { wallClock } from '../async/clock.ts'
import { BEATS, ENDED, TICK_MS, type WatchdogSettings } from './watchdog.ts'

const STDERR = 2

/** A busy machine may delay a beat by one tick. */
const STANDSTILL_TICKS = 2

const { shared, maxStillTicks, standstillFile } = workerData as WatchdogSettings
const cells = new Int32Array(shared)
let seen = -1
let stillTicks = 0
while (Atomics.wait(cells, ENDED, 0, TICK_MS) === 'timed-out') {
  const beats = Atomics.load(cells, BEATS)
  if (beats !== seen && stillTicks >= STANDSTILL_TICKS) noteStandstill(false)
  stillTicks = beats === seen ? stillTicks + 1 : 0
  seen = beats
  if (stillTicks === STANDSTILL_TICKS) noteStandstill(true)
  if (stillTicks >= maxStillTicks) endProcess()
}

function noteStandstill(standsStill: boolean): void {
  if (standstillFile === undefined) return
  try {
    if (standsStill) writeFileSync(standstillFile, '', { mode: 0o600 })
    else rmSync(standstillFile, { force: true })
  } catch {
    // Without the file the next process knows less; that is not a reason to end this one.
  }
}

/** SIGKILL, because a handler of any other signal would wait for the event loop. */
function endProcess(): void {
  const msg = `watchdog: the event loop has stood still for ${(maxStillTicks * TICK_MS) / 1000} s; ending this process`
  try {
    // Synchronous: the logger writes in the event loop.
    writeSync(STDERR, `${JSON.stringify({ level: 60, time: wallClock(), msg })}\n`)
  } catch {
    // A closed stderr must not keep the process alive.
  }
  process.kill(process.pid, 'SIGKILL')
}
