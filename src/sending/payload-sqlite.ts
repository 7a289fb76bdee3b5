// Saving payloads on SQLite.
import type { SqliteOperation } from '../store/engines/sqlite/hot-transaction.ts'

export const savePayload: SqliteOperation<'savePayload'> = ({ prepare }, payloads) =>
  payloads.map(({ instanceId, messageId, payload, acceptedAt }) => {
    prepare(
      `insert into sent_payloads (instance_id, message_id, payload, created_at) values (?, ?, ?, ?)
       on conflict (instance_id, message_id) do nothing`,
    ).run(instanceId, messageId, payload, acceptedAt)
    return null
  })
