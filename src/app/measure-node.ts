// Connects the metrics to the lease of this node.
import type { NodeMetrics } from '../metrics.ts'
import type { Membership } from './cluster.ts'

export function measureNode(metrics: NodeMetrics, { node, gate }: Membership): void {
  if (!node) return
  const { leaseMs } = node.times
  gate.onShut(metrics.countCut)
  metrics.show({
    instances: node.instances,
    leaseSecondsLeft: () => Math.max(0, leaseMs - (node.renewedMsAgo() ?? leaseMs)) / 1000,
  })
}
