// Connects the metrics to the store and the disk. Both are read when the metrics are.
import { statfs } from 'node:fs/promises'
import type { Settings } from '../config.ts'
import { countInstancesByState } from '../instances/instance-queries.ts'
import { queueDepth } from '../messages/message-queries.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import { oldestDueAt } from '../sending/queue-queries.ts'
import type { Store } from '../store/store.ts'
import { countWaitingDeliveries } from '../webhooks/delivery-queries.ts'
import { driverVersions } from '../whatsapp/library/versions.ts'
import type { GatewayClock } from './clock.ts'

export function measureGateway(
  store: () => Store,
  clock: () => number,
  { DATA_DIR, NETWORK }: Pick<Settings, 'DATA_DIR' | 'NETWORK'>,
  clockStatus: GatewayClock['status'],
): Metrics {
  const metrics = createMetrics({
    queued: () => queueDepth(store().db),
    async oldestDueSeconds() {
      const now = clock()
      return (now - ((await oldestDueAt(store().db, now)) ?? now)) / 1000
    },
    waitingDeliveries: () => countWaitingDeliveries(store().db),
    instances: () => countInstancesByState(store().db),
    clockDifferenceSeconds: () => clockStatus().differenceMs / 1000,
    async disk() {
      const { bsize, blocks, bavail } = await statfs(DATA_DIR)
      return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
    },
  })
  // Until the driver knows the version that it uses.
  metrics.network.describe(() => ({ network: NETWORK, ...driverVersions() }))
  return metrics
}
