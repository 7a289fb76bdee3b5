// Ends this process when its event loop stands still: nothing else can, because every timer and signal handler runs in that loop.
import { Worker } from 'node:worker_threads'
import { programEntry } from './program-files.ts'

/** Shared memory of the event loop and the watchdog's thread. */
export const BEATS = 0
export const ENDED = 1
const SHARED_CELLS = 2

export const TICK_MS = 1000

export interface WatchdogSettings {
  shared: SharedArrayBuffer
  /** Ticks of the thread without a beat of the event loop before it ends the process. */
  maxStillTicks: number
  /** Exists while the event loop stands still, so that the next process knows how this one ended. Undefined: no file. */
  standstillFile: string | undefined
}

/**
 * The event loop counts up a number in shared memory every second, and a thread of its own reads it every second. The thread
 * counts its own reads, not the time: on a machine that was suspended, or in a stopped process, both stand still together.
 * The thread costs about 7 MB of memory. Returns a function that ends it.
 */
export function startWatchdog(
  seconds: number,
  {
    onError = () => undefined,
    standstillFile,
  }: { onError?: (error: Error) => void; standstillFile?: string } = {},
): () => Promise<void> {
  const shared = new SharedArrayBuffer(SHARED_CELLS * Int32Array.BYTES_PER_ELEMENT)
  const cells = new Int32Array(shared)
  const settings: WatchdogSettings = {
    shared,
    maxStillTicks: Math.ceil((seconds * 1000) / TICK_MS),
    standstillFile,
  }
  const thread = new Worker(programEntry(import.meta.url, './watchdog-thread.ts', 'watchdog-thread'), {
    name: 'watchdog',
    workerData: settings,
    // It needs none of these, and settings include secrets.
    env: {},
    execArgv: [],
  })
  thread.unref()
  const beat = setInterval(() => void Atomics.add(cells, BEATS, 1), TICK_MS).unref()
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  // Without its watchdog the process works as before.
  thread.on('error', onError)
  return async () => {
    clearInterval(beat)
    Atomics.store(cells, ENDED, 1)
    Atomics.notify(cells, ENDED)
    thread.ref()
    await ended
  }
}
