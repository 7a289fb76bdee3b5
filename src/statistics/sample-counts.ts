// Counts per hour on this node: what they are written to, and who samples the sessions.
import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'
import { type CountLog, createCountLog } from './count-log.ts'
import { addCounts, sampleSessions } from './queries.ts'
import { hourOf } from './rules-counted.ts'

interface CountsDeps {
  clock: () => number
  logger: Logger
  /** False: another node samples the sessions. */
  isLead(): boolean
}

export const createCounts = (store: Store, { clock, logger, isLead }: CountsDeps): CountLog =>
  createCountLog({
    write: (deltas) => store.transaction((tx) => addCounts(tx, deltas)),
    async sample() {
      if (isLead()) await store.transaction((tx) => sampleSessions(tx, hourOf(clock())))
    },
    onError: (err) => logger.warn({ err }, 'statistics: counts not stored; retrying'),
  })
