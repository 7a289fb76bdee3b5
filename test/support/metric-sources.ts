// Sources of metrics for a gateway that is not there.
import type { MetricSources } from '../../src/metrics.ts'

export const NO_SOURCES: MetricSources = {
  queued: async () => 0,
  oldestDueSeconds: async () => 0,
  waitingDeliveries: async () => 0,
  instances: async () => [],
  clockDifferenceSeconds: () => 0,
  disk: async () => ({ freeBytes: 1, sizeBytes: 1 }),
}
