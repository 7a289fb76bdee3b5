// Saving payloads on PostgreSQL, in one statement, which needs no transaction around it.
import { type PostgresOperation, prepared } from '../store/engines/postgres/statement.ts'

const SAVE_PAYLOADS = prepared(
  'save_payloads',
  `insert into sent_payloads (instance_id, message_id, payload, created_at)
   select * from unnest($1::bigint[], $2::text[], $3::bytea[], $4::bigint[])
   on conflict (instance_id, message_id, created_at) do nothing`,
)

export const savePayload: PostgresOperation<'savePayload'> = async (client, payloads) => {
  await client.query(
    SAVE_PAYLOADS([
      payloads.map(({ instanceId }) => instanceId),
      payloads.map(({ messageId }) => messageId),
      payloads.map(({ payload }) => Buffer.from(payload)),
      payloads.map(({ acceptedAt }) => acceptedAt),
    ]),
  )
  return payloads.map(() => null)
}
