// Payloads of sent messages, stored for retries and for devices that ask for a message again.
import type { Db } from '../store/tables.ts'

export async function findSentPayload(
  db: Db,
  instanceId: number,
  messageId: string,
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('sent_payloads')
    .select('payload')
    .where('instance_id', '=', instanceId)
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return row?.payload
}
