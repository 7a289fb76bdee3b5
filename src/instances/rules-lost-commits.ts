// Whether the database has lost commits: a replica was promoted that did not have all of them, or an older copy took its place.

/** What a node knows about the server from its last renewal, or from the database itself when it starts. */
export interface KnownServer {
  /** Until when its lease lasts, a value that only this node changes. Undefined: it has just started. */
  leaseUntil?: number
  /** Changes when a replica is promoted. Null: the server does not say. */
  timeline: string | null
  /** Whether each commit waited for a replica. */
  isSynchronous: boolean
  /** When this was so, on the clock of the database. */
  at: number
}

/** The server as a renewal finds it. */
export interface FoundServer {
  /** What the row of this node said before the renewal. Null: the row is missing. */
  leaseUntil: number | null
  timeline: string | null
  now: number
}

/** `possible`: a replica was promoted, and commits did not wait for it. */
export type CommitLoss = 'none' | 'possible' | 'certain'

/** Rows of nodes are removed a day after their lease has ended. */
const ROW_LASTS_MS = 86_400_000

export function commitLoss(known: KnownServer, found: FoundServer): CommitLoss {
  if (hasGoneBack(known, found)) return 'certain'
  const isPromoted = known.timeline !== null && found.timeline !== null && known.timeline !== found.timeline
  return isPromoted && !known.isSynchronous ? 'possible' : 'none'
}

function hasGoneBack({ leaseUntil, at }: KnownServer, found: FoundServer): boolean {
  if (leaseUntil === undefined) return false
  if (found.leaseUntil === null) return found.now - at < ROW_LASTS_MS
  return found.leaseUntil < leaseUntil
}
