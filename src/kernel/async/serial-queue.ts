// A serial queue: runs one task at a time, in the order of the calls.

export interface SerialQueue {
  /** Starts the task when all earlier ones have settled. A failure reaches its caller only; the next task starts all the same. */
  run<T>(task: () => T | Promise<T>): Promise<T>
  /** Resolves when all tasks so far have settled. Never rejects. */
  drained(): Promise<void>
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<void> = Promise.resolve()
  return {
    run(task) {
      const result = last.then(task)
      last = result.then(ignore, ignore)
      return result
    },
    drained: () => last,
  }
}

const ignore = (): void => undefined
