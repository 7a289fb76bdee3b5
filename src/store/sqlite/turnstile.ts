// One at a time, in the order of arrival: SQLite has one writer, and a transaction spans several messages to its thread.

export interface Turnstile {
  /** Resolves when it is this caller's turn; the returned function ends the turn. */
  enter(): Promise<() => void>
}

export function createTurnstile(): Turnstile {
  let last: Promise<void> = Promise.resolve()
  return {
    async enter() {
      const turn = Promise.withResolvers<void>()
      const previous = last
      last = turn.promise
      await previous
      return turn.resolve
    },
  }
}
