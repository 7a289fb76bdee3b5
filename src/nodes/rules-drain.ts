// Whether the operator may drain or resume a node.
import type { Reason } from '../contract/reasons.ts'

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
