// Saving received messages on PostgreSQL: keys and reports in the same transaction, only while the fencing token is current.

import { saveSession } from '../instances/session-postgres.ts'
import { type PostgresOperation, prepared } from '../store/engines/postgres/statement.ts'
import { recordReports } from './report-postgres.ts'

/** As strong as the lock of reports: a lock that is raised later could deadlock with another transaction. */
const LOCK_RECEIVING_INSTANCES = prepared(
  'lock_receiving_instances',
  'select id from instances where id = any($1::bigint[]) order by id for no key update',
)

export const saveReceived: PostgresOperation<'saveReceived'> = async (client, writes) => {
  await client.query(LOCK_RECEIVING_INSTANCES([[...new Set(writes.map(({ instanceId }) => instanceId))]]))
  const saved = await saveSession(client, writes)
  const reports = writes.filter((_, index) => saved[index]).map((write) => write.reports)
  await recordReports(client, reports)
  return saved
}
