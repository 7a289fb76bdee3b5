// A few places for many: at most so many at a time, the rest wait in the order they came.

/** Each place that is given has a function that gives it back; calling that twice does no harm. */
export function createTurns(size: number): () => Promise<() => void> {
  let free = size
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    let left = false
    return () => {
      if (!left) leave()
      left = true
    }
  }
}
