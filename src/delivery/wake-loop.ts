// Looks for work when told that there is some, and when something becomes due: one look at a time, one timer, no polling storm.

/** Something may have become due without our knowing (another process, a clock that moved). */
const IDLE_LOOK_MS = 5000
const FAILED_LOOK_MS = 500
/** While one wake follows the other, when the next work is due need not be asked. */
const QUIET_MS = 10

export interface WakeLoop {
  /** There may be work: look now, or once more after the look that is under way. */
  wake(): void
  /** Looks no more; resolves when the look that is under way has ended. */
  stop(): Promise<void>
}

/** What a look came upon: all that is due, nothing at all, or as much as it could take, so that there is probably more. */
export type Found = 'all' | 'nothing' | 'more'

export interface WakeLoopParts {
  /** Takes work up. */
  look(): Promise<Found>
  /** After a look that found nothing: for those that are woken far more often than there is work for them. */
  restMs?: number
  /** When the next work becomes due; undefined: nobody knows. */
  nextDueAt(): Promise<number | undefined>
  clock: () => number
  /** For tests, whose time does not pass by itself. */
  timers?: Timers
  onError(error: unknown): void
}

export interface Timers {
  setTimeout(run: () => void, ms: number): { unref(): unknown }
  clearTimeout(timer: unknown): void
}

const realTimers: Timers = {
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
}

export function startWakeLoop(parts: WakeLoopParts): WakeLoop {
  const { look, restMs = 0, nextDueAt, clock, timers = realTimers, onError } = parts
  const state = { looking: false, again: false, stopped: false }
  let timer: ReturnType<Timers['setTimeout']> | undefined
  let current: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    state.looking = true
    timers.clearTimeout(timer)
    let found: Found | 'failed'
    do {
      state.again = false
      found = await look().catch((error: unknown) => {
        onError(error)
        return 'failed'
      })
      state.again ||= found === 'more'
      if (found === 'nothing' && restMs > 0)
        await new Promise<void>((resolve) => timers.setTimeout(resolve, restMs))
    } while (state.again && !state.stopped)
    state.looking = false
    if (found === 'failed') sleep(wake, FAILED_LOOK_MS)
    else sleep(() => void (current = sleepUntilDue()), QUIET_MS)
  }
  async function sleepUntilDue(): Promise<void> {
    const asked = timer
    const due = await nextDueAt().catch(() => undefined)
    // Woken meanwhile: whoever looked since then knows better, and asks again.
    if (state.looking || timer !== asked) return
    sleep(wake, due === undefined ? IDLE_LOOK_MS : Math.min(IDLE_LOOK_MS, Math.max(1, due - clock())))
  }
  function sleep(then: () => void, pauseMs: number): void {
    if (state.stopped) return
    timers.clearTimeout(timer)
    timer = timers.setTimeout(then, pauseMs)
    timer.unref()
  }
  function wake(): void {
    if (state.stopped) return
    if (state.looking) state.again = true
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
