// A semaphore: at most `size` holders at a time; further callers wait in the order of their calls.

/** Acquires a slot; the returned function releases it. Releasing twice has no further effect. */
export function createSemaphore(size: number): () => Promise<() => void> {
  let free = size
  const waiting: (() => void)[] = []
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    let isReleased = false
    return () => {
      if (!isReleased) release()
      isReleased = true
    }
  }
}
