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
