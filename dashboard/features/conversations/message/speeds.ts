// How fast audio is played.
export const SPEEDS = [1, 1.5, 2] as const

/** The next one; the first follows the last. */
export const speedAfter = (speed: number): number =>
  SPEEDS[(SPEEDS.findIndex((one) => one === speed) + 1) % SPEEDS.length] ?? SPEEDS[0]
