// A server process that says what the work between two questions has cost it: the CPU time of one turn of its event loop, and the memory
// that it held. It ends with the run that started it.
import { setTimeout as pause } from 'node:timers/promises'
import { GCProfiler, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { serve } from '../../src/serve.ts'
import { watchLoop } from './loop-watch.ts'

export interface Gauged {
  /** The most CPU time of one turn of the event loop. */
  turnMs: number
  /** The most that any garbage collection has left, beyond what was there before. */
  heldBytes: number
  /** The CPU time that a fixed amount of work takes now: more on a slow machine, and on one whose processors are shared. */
  speedMs: number
}

/** `begin-exactly`: each collection is a full one, so that no garbage counts as held. It takes CPU time, which then says nothing. */
export type GaugeQuestion = 'begin' | 'begin-exactly' | 'end'

/** Windows with next to no work: what was received is processed. */
const QUIET_WINDOW_MS = 10
const QUIET_CPU_MS = 3
const QUIET_WINDOWS = 2

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const takeStall = watchLoop()
let profiler: GCProfiler | undefined
let heldBefore = 0

function heldNow(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Texts, objects and their JSON, as readers of messages use them. */
function speedMs(): number {
  const ROUNDS = 40
  const startedAt = cpuMs()
  for (let round = 0; round < ROUNDS; round += 1) {
    const rows = Array.from({ length: 1000 }, (_, index) => ({ id: `${index}@lid`, text: 'x'.repeat(20) }))
    JSON.parse(JSON.stringify(rows))
  }
  return cpuMs() - startedAt
}

async function untilQuiet(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_WINDOWS; ) {
    const startedAt = cpuMs()
    await pause(QUIET_WINDOW_MS)
    quiet = cpuMs() - startedAt < QUIET_CPU_MS ? quiet + 1 : 0
  }
}

function begin(isExact: boolean): void {
  setFlagsFromString(isExact ? '--gc-global' : '--no-gc-global')
  collectGarbage()
  heldBefore = heldNow()
  profiler = new GCProfiler()
  profiler.start()
  takeStall()
}

async function end(): Promise<Gauged> {
  await untilQuiet()
  const { cpuMs: turnMs } = takeStall()
  const held = (profiler?.stop()?.statistics ?? []).map(
    ({ afterGC }) => afterGC.heapStatistics.usedHeapSize + afterGC.heapStatistics.externalMemory,
  )
  return { turnMs, heldBytes: Math.max(heldBefore, ...held) - heldBefore, speedMs: speedMs() }
}

async function answer(question: GaugeQuestion): Promise<Gauged | 'begun'> {
  if (question === 'end') return end()
  begin(question === 'begin-exactly')
  return 'begun'
}

process.on('message', (question: GaugeQuestion) => void answer(question).then((said) => process.send?.(said)))
process.on('disconnect', () => process.exit(1))
process.channel?.unref()
await serve(process.env)
