// Looks for work when told that there is some, and when something becomes due: one look at a time, one timer, no polling storm.

/** Something may have become due without our knowing (another process, a clock that moved). */
const IDLE_LOOK_MS = 5000
const FAILED_LOOK_MS = 500

export interface WakeLoop {
  /** There may be work: look now, or once more after the look that is under way. */
  wake(): void
  /** Looks no more; resolves when the look that is under way has ended. */
  stop(): Promise<void>
}

export interface WakeLoopParts {
  /** Takes work up; true: there is probably more. */
  look(): Promise<boolean>
  /** When the next work becomes due; undefined: nobody knows. */
  nextDueAt(): Promise<number | undefined>
  clock: () => number
  onError(error: unknown): void
}

export function startWakeLoop({ look, nextDueAt, clock, onError }: WakeLoopParts): WakeLoop {
  const state = { looking: false, again: false, stopped: false }
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    state.looking = true
    clearTimeout(timer)
    let failed = false
    do {
      failed = false
      state.again = false
      const more = await look().catch((error: unknown) => {
        onError(error)
        failed = true
        return false
      })
      state.again ||= more
    } while (state.again && !state.stopped)
    state.looking = false
    await sleepUntilDue(failed)
  }
  async function sleepUntilDue(failed: boolean): Promise<void> {
    const due = failed ? clock() + FAILED_LOOK_MS : await nextDueAt().catch(() => undefined)
    if (state.stopped || state.looking) return
    clearTimeout(timer)
    const pauseMs = due === undefined ? IDLE_LOOK_MS : Math.min(IDLE_LOOK_MS, Math.max(1, due - clock()))
    timer = setTimeout(wake, pauseMs)
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
      clearTimeout(timer)
      await current
    },
  }
}
