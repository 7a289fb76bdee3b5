// Coalescing: work that is requested while it runs is repeated once, however often it was requested.

/**
 * Returns a function that runs the work, never twice at a time. The calls during a run share the next one: what they want done may have
 * come too late for the running one. The first call starts the work at once.
 */
export function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<void> | undefined
  let next: Promise<T> | undefined

  function start(): Promise<T> {
    next = undefined
    const result = work()
    running = result.then(ended, ended)
    return result
  }
  function ended(): void {
    if (!next) running = undefined
  }
  return () => (running ? (next ??= running.then(start)) : start())
}
