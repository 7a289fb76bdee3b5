// The lease of a node: how long it may use the network, and when another node counts as gone.
//
// No rule compares the clocks of two machines. The holder counts from the moment when it sent its last renewal, an observer from the
// moment when it read that renewal, which is later. An observer waits longer than the holder works, so the holder has stopped first.

export interface LeaseTimes {
  /** Between two renewals. */
  renewMs: number
  /** The holder stops so long after it sent its last successful renewal. */
  holdMs: number
  /** An observer must have seen a lease unchanged for this long. */
  observeMs: number
  /** How long a renewal lasts on the clock of the database. */
  leaseMs: number
  /** Instances are moved between nodes only when all of them have run for this long. */
  settleMs: number
}

export const leaseTimes = (seconds: number): LeaseTimes => ({
  renewMs: seconds * 250,
  holdMs: seconds * 750,
  observeMs: Math.round((seconds * 2500) / 3),
  leaseMs: seconds * 1000,
  settleMs: seconds * 2500,
})

/** A moment on clocks that cannot be set. The monotonic clock stands still while the machine is suspended. */
export interface Moment {
  monotonicMs: number
  /** How long the machine has been suspended so far. */
  suspendedMs: number
}

/** `renewal` is when the last successful renewal was sent. */
export function isHeld(renewal: Moment | undefined, now: Moment, holdMs: number): boolean {
  if (renewal === undefined) return false
  const monotonicMs = now.monotonicMs - renewal.monotonicMs
  return monotonicMs + now.suspendedMs - renewal.suspendedMs < holdMs
}

/** A live node as the database shows it. */
export interface LiveNode {
  id: number
  name: string
  leaseUntil: number
}

/** By node: its lease, and since when this process has seen it unchanged, on its monotonic clock. */
export type Observed = ReadonlyMap<number, { leaseUntil: number; sinceMs: number }>

export function observe(before: Observed, nodes: readonly LiveNode[], nowMs: number): Observed {
  return new Map(
    nodes.map(({ id, leaseUntil }) => {
      const known = before.get(id)
      return [id, known?.leaseUntil === leaseUntil ? known : { leaseUntil, sinceMs: nowMs }]
    }),
  )
}

/** The nodes that no longer work: their lease has ended on the clock of the database, and long enough before the eyes of this process. */
export const goneNodes = (
  observed: Observed,
  { databaseNow, nowMs, observeMs }: { databaseNow: number; nowMs: number; observeMs: number },
): number[] =>
  [...observed].flatMap(([id, { leaseUntil, sinceMs }]) =>
    leaseUntil < databaseNow && nowMs - sinceMs >= observeMs ? [id] : [],
  )
