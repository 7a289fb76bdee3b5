// Saving received messages on SQLite: keys and reports in the same transaction, only while the fencing token is current.

import { saveSession } from '../instances/session-sqlite.ts'
import type { SqliteOperation } from '../store/engines/sqlite/hot-transaction.ts'
import { recordReports } from './report-sqlite.ts'

export const saveReceived: SqliteOperation<'saveReceived'> = (tx, writes) => {
  const saved = saveSession(tx, writes)
  recordReports(
    tx,
    writes.filter((_, index) => saved[index]).map(({ reports }) => reports),
  )
  return saved
}
