// Starts the clock of the gateway.
import type { Logger } from 'pino'
import type { Metrics } from '../metrics.ts'
import { startClock } from './clock.ts'
import type { ReplacedParts } from './replaced-parts.ts'

/** Tests replace the clock as a whole, or the clocks of the machine. */
export function openClock(
  { clock, machine }: Pick<ReplacedParts, 'clock' | 'machine'>,
  logger: Logger,
  metrics: () => Metrics,
) {
  const steady = startClock({ logger, machine, onStep: (reference) => metrics().clock.countStep(reference) })
  return { steady, clock: clock ?? steady.now, forSignatures: clock ?? steady.forSignatures }
}
