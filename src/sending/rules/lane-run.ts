// The rules for claiming from lanes: which lanes a claim locks, and how many messages of a lane it takes. PostgreSQL applies them
// in SQL, and the conformance suite compares both engines with these functions.
import type { MessageStatus } from '../../contract/sending.ts'

export interface DueLane {
  key: string
  dueAt: number
}

/** The lanes of one instance: how many are locked now, and which are due and not locked. */
export interface InstanceLanes {
  locked: number
  due: DueLane[]
}

export interface LaneLimits {
  /** Lanes of one claim. */
  limit: number
  /** Lanes of one instance that may be locked at the same time. */
  perInstance: number
}

/** By due time, then by key, so that both engines agree on lanes that became due in the same millisecond. */
const longestDueFirst = (a: DueLane, b: DueLane): number => a.dueAt - b.dueAt || (a.key < b.key ? -1 : 1)

/** The lanes that a claim locks, longest due first. An instance with many due lanes takes no slot from another. */
export function chooseLanes(instances: InstanceLanes[], { limit, perInstance }: LaneLimits): DueLane[] {
  return instances
    .flatMap(({ locked, due }) => due.toSorted(longestDueFirst).slice(0, Math.max(0, perInstance - locked)))
    .sort(longestDueFirst)
    .slice(0, limit)
}

export interface WaitingMessage {
  status: MessageStatus
  delayMs: number
}

/**
 * The messages of a lane that are claimed together: the first one, and those behind it up to a message that has a typing delay
 * or was tried before. A message that waits for longer than a moment stays `queued`, so that it can still be cancelled.
 */
export function takeRun<T extends WaitingMessage>(waiting: T[]): T[] {
  const end = waiting.findIndex(({ status, delayMs }) => status !== 'queued' || delayMs > 0)
  return end === -1 ? waiting : waiting.slice(0, Math.max(1, end))
}
