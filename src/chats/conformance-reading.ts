// Reading: which messages of a chat are unread, which are marked as read, and in which order.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findChat } from '../contacts/contact-queries.ts'
import { receivedMessage, reportOf } from '../receiving/conformance-arrivals.ts'
import { makeTenant, NOON, type Tenant, times } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import type { Row } from '../store/tables.ts'
import { clearUnread, listUnread, markMessagesRead, READ_AT_ONCE, recountUnread } from './reading-queries.ts'

const ANA = '5511912345678@s.whatsapp.net'
const SILENT = ['reaction', 'edit']

/** Receives a message, which is counted as unread if its kind is. */
async function receive(
  store: Store,
  tenant: Tenant,
  id: string,
  {
    kind = 'text',
    jid = ANA,
    direction = 'incoming',
  }: Partial<Record<'kind' | 'jid' | 'direction', string>> = {},
): Promise<void> {
  const unread = direction === 'incoming' && !SILENT.includes(kind) ? 1 : 0
  const addressed = `{"chat":"${id}","participant":null}`
  const status = direction === 'incoming' ? 'delivered' : 'sent'
  const row = { kind, direction, status, chat: jid, addressed_as: addressed, delivered_at: null }
  const message = receivedMessage(tenant, id, row, { activity: { text: id, unread } })
  await store.recordReports([reportOf(tenant, { messages: [message] })])
}

export function readingConformance({ store: current }: Conformance): void {
  const chatOf = async (store: Store, { instanceId }: Tenant, jid = ANA): Promise<Row<'chats'>> => {
    const chat = await findChat(store.db, instanceId, jid)
    assert.ok(chat)
    return chat
  }
  const read = (store: Store, { instanceId }: Tenant, messageIds: string[]) =>
    markMessagesRead(store.db, { instanceId, messageIds, atMs: NOON + 1000, now: NOON + 2000 })

  describe('reading', () => {
    test('the unread messages are the newest of the chat, without reactions and edits', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      for (const id of ['old', 'one']) await receive(store, tenant, id)
      await clearUnread(store.db, (await chatOf(store, tenant)).id, NOON)
      assert.deepEqual(await listUnread(store.db, await chatOf(store, tenant), SILENT), [])
      for (const id of ['two', 'three']) await receive(store, tenant, id)
      await receive(store, tenant, 'heart', { kind: 'reaction' })
      await receive(store, tenant, 'mine', { direction: 'outgoing' })
      await receive(store, tenant, 'elsewhere', { jid: '5511900000009@s.whatsapp.net' })
      const chat = await chatOf(store, tenant)
      assert.equal(chat.unread_count, 2)
      assert.deepEqual(await listUnread(store.db, chat, SILENT), ['three', 'two'])
    })

    test('one call marks a limited number of messages as read', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const ids = times(READ_AT_ONCE + 2, (index) => `m${index}`)
      for (const id of ids) await receive(store, tenant, id)
      const listed = await listUnread(store.db, await chatOf(store, tenant), SILENT)
      assert.deepEqual(listed, ids.slice(2).toReversed())
      const { changed } = await read(store, tenant, listed)
      assert.deepEqual(
        changed.map(({ messageId }) => messageId),
        ids.slice(2),
      )
      const recounted = await recountUnread(store.db, {
        instanceId: tenant.instanceId,
        jid: ANA,
        silent: SILENT,
        now: NOON,
      })
      assert.equal(recounted?.unread_count, 0, 'those before them are read as well')
    })

    test('each message is marked as read once, with its event and the address for its receipt', async () => {
      const store = current()
      const [tenant, other] = [await makeTenant(store), await makeTenant(store)]
      for (const id of ['one', 'two']) await receive(store, tenant, id)
      await receive(store, tenant, 'mine', { direction: 'outgoing' })
      await receive(store, other, 'one')
      const { events, changed } = await read(store, tenant, ['two', 'mine', 'one', 'unknown'])
      assert.deepEqual(
        changed,
        ['one', 'two'].map((id) => ({
          messageId: id,
          chat: ANA,
          addressedAs: `{"chat":"${id}","participant":null}`,
        })),
      )
      assert.deepEqual(
        events.map(({ name, data }) => [name, JSON.parse(data).messageId, JSON.parse(data).status]),
        [
          ['messages.update', 'one', 'read'],
          ['messages.update', 'two', 'read'],
        ],
      )
      assert.deepEqual(await read(store, tenant, ['one', 'two']), { events: [], changed: [] })
      assert.deepEqual(await read(store, tenant, []), { events: [], changed: [] })
      const rows = await store.db
        .selectFrom('messages')
        .select(['instance_id', 'id', 'status', 'read_at'])
        .orderBy('row_id')
        .execute()
      assert.deepEqual(
        rows.map((row) => [row.instance_id, row.id, row.status, row.read_at]),
        [
          [tenant.instanceId, 'one', 'read', NOON + 1000],
          [tenant.instanceId, 'two', 'read', NOON + 1000],
          [tenant.instanceId, 'mine', 'sent', null],
          [other.instanceId, 'one', 'delivered', null],
        ],
      )
    })
  })
}
