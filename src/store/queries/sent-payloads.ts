// What went over the wire, kept for phones that could not read it and ask again.
import type { Db } from '../tables.ts'

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

/** The first one counts: a second try sends the same bytes. */
export async function keepSentPayload(
  db: Db,
  sent: { instanceId: number; messageId: string; payload: Uint8Array; now: number },
): Promise<void> {
  await db
    .insertInto('sent_payloads')
    .values({
      instance_id: sent.instanceId,
      message_id: sent.messageId,
      payload: sent.payload,
      created_at: sent.now,
    })
    .onConflict((oc) => oc.columns(['instance_id', 'message_id']).doNothing())
    .execute()
}
