// The positions of older messages in the list of a chat. The network has times in whole seconds, so that the time of an older message
// may be equal to that of a stored one.

/**
 * `times` are those of the messages, oldest first, which are all older than the message that is listed at `bound`. Returns when each
 * is listed: at its own time, or just before the message that follows it.
 */
export function listedBefore(times: readonly number[], bound: number): number[] {
  const listed: number[] = []
  let next = bound
  for (const time of times.toReversed()) {
    next = Math.min(time, next - 1)
    listed.push(next)
  }
  return listed.toReversed()
}
