// The timers of a component, as a parameter: a test passes its own and decides when time passes.

export interface Timer {
  unref(): unknown
}

export interface Timers {
  setTimeout(run: () => void, ms: number): Timer
  clearTimeout(timer: Timer | undefined): void
  setInterval(run: () => void, ms: number): Timer
  clearInterval(timer: Timer | undefined): void
}

export const realTimers: Timers = {
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
  setInterval: (run, ms) => setInterval(run, ms),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout | undefined),
}
