// The rules of nodes: the lease, how instances are divided, and which node may be drained.
import type { Reason } from '../contract/reasons.ts'

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

// Whether the operator may drain or resume a node.

export interface DrainableNode {
  id: number
  url: string | null
  status: 'standby' | 'live' | 'draining' | 'dead'
  /** Until its lease ends; null: it needs none. */
  leaseMsLeft: number | null
}

/** Undefined: the node may be drained, or is draining already. */
export function refusalToDrain(nodes: readonly DrainableNode[], id: number): Reason | undefined {
  const node = nodes.find((each) => each.id === id)
  const refusal = refusalOfNode(node)
  if (refusal) return refusal
  // If no node takes instances, all of them are disconnected.
  return node?.status === 'draining' || nodes.some((each) => each.id !== id && takes(each))
    ? undefined
    : 'last_taking_node'
}

/** Undefined: the node may be resumed, or is live already. */
export const refusalToResume = (
  nodes: readonly DrainableNode[],
  id: number,
  isHeld: boolean,
): Reason | undefined =>
  refusalOfNode(nodes.find((each) => each.id === id)) ?? (isHeld ? 'node_held' : undefined)

function refusalOfNode(node: DrainableNode | undefined): Reason | undefined {
  if (!node) return 'node_not_found'
  if (node.status !== 'live' && node.status !== 'draining') return 'node_not_working'
  return node.url === null ? 'node_works_alone' : undefined
}

/** A live node whose lease has ended is about to be declared dead. */
const takes = ({ url, status, leaseMsLeft }: DrainableNode): boolean =>
  status === 'live' && url !== null && (leaseMsLeft ?? 0) > 0

/** Of the working nodes, the one that started first. */
export function leadOf(
  nodes: readonly Pick<DrainableNode & { startedAt: number }, 'id' | 'status' | 'startedAt'>[],
): number | undefined {
  return nodes
    .filter(({ status }) => status === 'live' || status === 'draining')
    .toSorted((a, b) => a.startedAt - b.startedAt || a.id - b.id)[0]?.id
}

// How instances are divided among nodes: each node takes up to its share, and hands over what it has beyond it.

/** Instances are taken in steps, so that a node with free handshakes gets the next ones. */
const TAKE_AT_ONCE = 16
const MAX_WAITING_HANDSHAKES = 8
/** After that any node takes instances, also beyond its share: a node that should take them may be stuck. */
const UNTAKEN_TOO_LONG_MS = 10_000
const RELEASE_AT_ONCE = 4

export interface Share {
  /** Instances that this node serves. */
  own: number
  /** Instances that no node serves, and for how long there have been some. */
  untaken: number
  untakenForMs: number
  /** The other nodes that take instances: how many each serves, and for how long it has been running. */
  others: readonly { instances: number; ageMs: number }[]
  ageMs: number
  /** Since a node has last started, ended, begun or stopped draining, or instances had no node. */
  unchangedForMs: number
  /**
   * Nothing is moved before every node has run for this long, and nothing has changed for this long: nodes that start or stop one after
   * the other would pass instances around, and after a change the counts of the other nodes are out of date.
   */
  settleMs: number
  /** Sessions of this node that wait for a handshake. */
  waitingHandshakes: number
}

/** The number of instances that each node should serve. */
export const fairShare = ({ own, untaken, others }: Pick<Share, 'own' | 'untaken' | 'others'>): number =>
  Math.ceil((own + untaken + others.reduce((sum, { instances }) => sum + instances, 0)) / (others.length + 1))

export function countToTake(share: Omit<Share, 'unchangedForMs'>): number {
  if (share.untaken === 0 || share.waitingHandshakes >= MAX_WAITING_HANDSHAKES) return 0
  if (share.untakenForMs >= UNTAKEN_TOO_LONG_MS) return TAKE_AT_ONCE
  return Math.max(0, Math.min(TAKE_AT_ONCE, fairShare(share) - share.own))
}

/** Between the nodes with the most and the fewest instances. */
export const maxDifference = (fair: number): number => Math.max(2, Math.ceil(fair / 20))

/** A small difference is left as it is: every move closes and opens a connection. */
export function countToRelease(share: Share): number {
  const { own, untaken, others, ageMs, unchangedForMs, settleMs } = share
  const isCalm = untaken === 0 && unchangedForMs >= settleMs
  const isSettled = isCalm && ageMs >= settleMs && others.every((other) => other.ageMs >= settleMs)
  const fair = fairShare(share)
  const least = Math.min(own, ...others.map(({ instances }) => instances))
  if (!isSettled || own - least <= maxDifference(fair)) return 0
  return Math.max(0, Math.min(RELEASE_AT_ONCE, own - fair))
}
