// A poll loop that can be woken: it polls when it is woken and when the next work is due, never twice at a time.
import { realTimers, type Timers } from './timers.ts'

/** Work may become due without a wake: through another process, or a clock that was changed. */
const IDLE_POLL_MS = 5000
const FAILED_POLL_MS = 500
const QUIET_MS = 10

export interface WakeLoop {
  /** There may be work: polls now, or once more after the poll that is running. */
  wake(): void
  /** Ends the loop; resolves when the running poll has ended. */
  stop(): Promise<void>
}

/** all: everything that was due. nothing: no work. more: as much as one poll can take, so there is probably more. */
export type Found = 'all' | 'nothing' | 'more'

export interface WakeLoopParts {
  /** Takes up the work that is due. */
  poll(): Promise<Found>
  /** The pause after a poll that found nothing, for loops that are woken much more often than there is work. */
  idlePauseMs?: number
  /** How long the loop sleeps at most; absent: 5 s. */
  maxSleepMs?: (() => number) | undefined
  /** The due time is not queried while one wake follows another within this time. */
  quietMs?: number
  /** When the next work becomes due; undefined: unknown. */
  nextDueAt(): Promise<number | undefined>
  clock: () => number
  timers?: Timers
  onError(error: unknown): void
}

export function startWakeLoop(parts: WakeLoopParts): WakeLoop {
  const { poll, idlePauseMs = 0, quietMs = QUIET_MS, nextDueAt, clock, timers = realTimers, onError } = parts
  const { maxSleepMs = () => IDLE_POLL_MS } = parts
  const state = { polling: false, again: false, stopped: false }
  let timer: ReturnType<Timers['setTimeout']> | undefined
  let current: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    state.polling = true
    timers.clearTimeout(timer)
    let found: Found | 'failed'
    do {
      state.again = false
      found = await poll().catch((error: unknown) => {
        onError(error)
        return 'failed'
      })
      state.again ||= found === 'more'
      if (found === 'nothing' && idlePauseMs > 0)
        await new Promise<void>((resolve) => timers.setTimeout(resolve, idlePauseMs))
    } while (state.again && !state.stopped)
    state.polling = false
    if (found === 'failed') sleep(wake, FAILED_POLL_MS)
    else sleep(() => void (current = sleepUntilDue()), quietMs)
  }
  async function sleepUntilDue(): Promise<void> {
    const timerBefore = timer
    const due = await nextDueAt().catch(() => undefined)
    // The loop polled meanwhile: the answer is outdated, and that poll queries the due time again.
    if (state.polling || timer !== timerBefore) return
    sleep(wake, due === undefined ? maxSleepMs() : Math.min(maxSleepMs(), Math.max(1, due - clock())))
  }
  function sleep(then: () => void, pauseMs: number): void {
    if (state.stopped) return
    timers.clearTimeout(timer)
    timer = timers.setTimeout(then, pauseMs)
    timer.unref()
  }
  function wake(): void {
    if (state.stopped) return
    if (state.polling) state.again = true
    else current = run()
  }

  wake()
  return {
    wake,
    async stop() {
      state.stopped = true
      timers.clearTimeout(timer)
      await current
    },
  }
}
