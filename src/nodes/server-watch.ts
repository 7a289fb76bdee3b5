// Watches the server of the database from renewal to renewal: after a failover it may lack commits (decision 0125).
import type { Logger } from 'pino'
import { commitLoss, type KnownServer } from '../instances/rules-lost-commits.ts'
import type { Leases, LostCommits, Renewal } from '../store/leases.ts'
import type { Gate } from './gate.ts'

export interface ServerWatchParts {
  leases: Pick<Leases, 'recover' | 'trust'>
  logger: Pick<Logger, 'info' | 'error'>
  /** The database has lost commits. For the metrics. */
  onCommitsLost?(loss: LostCommits['loss']): void
}

/** Returns what runs after each renewal. It rejects if the database fails meanwhile, and then goes on after the next one. */
export function createServerWatch(
  { leases, logger, onCommitsLost }: ServerWatchParts,
  gate: Pick<Gate, 'cut'>,
): (renewal: Renewal) => Promise<void> {
  let known: KnownServer | undefined
  /** Until it is recovered: the row of this node does not show it any more. */
  let lost: LostCommits | undefined
  async function recover(noticed: LostCommits): Promise<void> {
    const { loss, known: before, found } = noticed
    const isFirst = await leases.recover(noticed)
    // Connections have keys of the lost commits. They reconnect with those that are stored.
    gate.cut()
    onCommitsLost?.(loss)
    logger.error(
      {
        loss,
        timelineBefore: before.timeline,
        timeline: found.timeline,
        recoveredBy: isFirst ? 'this node' : 'another node',
      },
      loss === 'certain'
        ? 'cluster: the database has lost commits; sessions with all contacts begin anew'
        : 'cluster: the database has failed over without synchronous replication and may have lost commits; sessions with all contacts begin anew',
    )
  }
  return async ({ found, renewed, recorded }) => {
    const before = known ?? recorded
    const loss = before ? commitLoss(before, found) : 'none'
    if (before && loss !== 'none') lost ??= { loss, known: before, found }
    if (lost) await recover(lost)
    else if (before && before.timeline !== found.timeline)
      logger.info({ timeline: found.timeline }, 'cluster: the database has failed over; no commit was lost')
    if (renewed) await leases.trust(renewed, recorded)
    lost = undefined
    known = renewed ?? known
  }
}
