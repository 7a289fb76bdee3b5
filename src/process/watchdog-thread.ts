// The thread of the watchdog. It has no event loop of its own to wait in: it sleeps between two looks at the shared memory.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { wallClock } from '../async/clock.ts'
import { BEATS, ENDED, TICK_MS, type WatchdogSettings } from './watchdog.ts'

const STDERR = 2

const { shared, maxStillTicks } = workerData as WatchdogSettings
const cells = new Int32Array(shared)
let seen = -1
let stillTicks = 0
while (Atomics.wait(cells, ENDED, 0, TICK_MS) === 'timed-out') {
  const beats = Atomics.load(cells, BEATS)
  stillTicks = beats === seen ? stillTicks + 1 : 0
  seen = beats
  if (stillTicks >= maxStillTicks) endProcess()
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
