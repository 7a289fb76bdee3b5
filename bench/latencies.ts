// How long messages took, from the phone that sent them to where they arrived.
import type { Arrival } from './arrivals.ts'
import type { Sent } from './phones.ts'

/** Fails unless exactly the messages that were sent have arrived. */
export function latenciesOf(sent: readonly Sent[], arrived: readonly Arrival[]): number[] {
  const arrivedAt = new Map(arrived)
  const latencies = sent.flatMap(({ id, at }) => {
    const end = arrivedAt.get(id)
    return end === undefined ? [] : [end - at]
  })
  if (latencies.length !== sent.length || arrivedAt.size !== sent.length) {
    throw new Error(
      `${sent.length} messages were sent; ${latencies.length} of them arrived, and ` +
        `${arrivedAt.size - latencies.length} that were not sent`,
    )
  }
  return latencies
}

export const percentile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  Number.NaN
