// Reports of the network, for tests that need received messages in the store.
import { randomUUID } from 'node:crypto'
import { NOON, type Tenant } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import type { NetworkReport, ReceivedRow, ReportedMessage } from './report-store.ts'

const ANA = '5511912345678@s.whatsapp.net'

export const reportOf = (
  { instanceId }: Pick<Tenant, 'instanceId'>,
  parts: Partial<NetworkReport>,
): NetworkReport => ({
  instanceId,
  now: NOON,
  isSilent: false,
  numbers: [],
  people: [],
  messages: [],
  chats: [],
  ...parts,
})

export function receivedMessage(
  { accountId, instanceId }: Pick<Tenant, 'accountId' | 'instanceId'>,
  id: string,
  row: Partial<ReceivedRow> = {},
  parts: Partial<ReportedMessage> = {},
): ReportedMessage {
  const chat = row.chat ?? ANA
  return {
    row: {
      id,
      account_id: accountId,
      instance_id: instanceId,
      direction: 'incoming',
      chat,
      number: null,
      group_jid: null,
      kind: 'text',
      content: '{}',
      delay_ms: 0,
      status: 'delivered',
      created_at: NOON,
      updated_at: NOON,
      sent_at: NOON,
      delivered_at: NOON,
      starred: 0,
      historical: 0,
      ...row,
    },
    from: { jid: chat, lid: null, phone: null, pushName: null },
    events: [
      { instanceId, name: 'messages.upsert', data: JSON.stringify({ messageId: id }), createdAt: NOON },
    ],
    wantsFile: false,
    activity: { text: id, unread: 1 },
    ...parts,
  }
}

/** Stores a received message whose file is to be fetched. */
export async function receiveFile(
  store: Store,
  instance: Pick<Tenant, 'accountId' | 'instanceId'>,
): Promise<{ rowId: number; messageId: string }> {
  const messageId = randomUUID()
  const row = { kind: 'image', media_reference: '{"type":"image"}' }
  const message = receivedMessage(instance, messageId, row, { wantsFile: true })
  await store.recordReports([reportOf(instance, { messages: [message] })])
  const found = await store.db
    .selectFrom('messages')
    .select('row_id')
    .where('instance_id', '=', instance.instanceId)
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow()
  return { rowId: found.row_id, messageId }
}
