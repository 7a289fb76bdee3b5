// Chats: messages of a history among the others, timers, cleared chats and stars.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ensureChat } from '../contacts/contact-queries.ts'
import { upsertGroup } from '../contacts/reported-queries.ts'
import { findEndMessage, firstListedAt, listMessagesBefore } from '../messages/conversation-queries.ts'
import { listMessages, positionOf } from '../messages/message-queries.ts'
import { receivedMessage, reportOf } from '../receiving/conformance-arrivals.ts'
import { accept, claim } from '../sending/conformance-sends.ts'
import { makeTenant, NOON, type Tenant } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import type { Row } from '../store/tables.ts'
import { deleteMessagesUntil, findChatRow, listUnreadUntil, setStarred, updateChat } from './chat-queries.ts'
import { listUnread, markMessagesRead, recountUnread } from './reading-queries.ts'

const ANA = '5511912345678@s.whatsapp.net'
/** Another form of the same number. */
const OTHER_FORM = '551112345678@s.whatsapp.net'
const GROUP = '120363000000000000@g.us'
const SECOND = 1000

async function receive(
  store: Store,
  tenant: Tenant,
  id: string,
  row: Partial<Row<'messages'>> = {},
): Promise<void> {
  const message = receivedMessage(tenant, id, { listed_at: NOON, ...row })
  await store.recordReports([reportOf(tenant, { isSilent: row.historical === 1, messages: [message] })])
}

const historical = (at: number) => ({ historical: 1, created_at: at, sent_at: at, listed_at: null }) as const

export function chatConformance({ store: current }: Conformance): void {
  const begin = async () => ({ store: current(), tenant: await makeTenant(current()) })
  const chatOf = async (store: Store, { instanceId }: Tenant, jid = ANA): Promise<Row<'chats'>> => {
    const chat = await findChatRow(store.db, instanceId, [jid])
    assert.ok(chat)
    return chat
  }
  const idsBefore = async (
    store: Store,
    { instanceId }: Tenant,
    before: Row<'messages'> | null,
    limit = 10,
  ) => {
    const position = before && positionOf(before)
    const chats = [ANA, OTHER_FORM]
    const found = await listMessagesBefore(store.db, { instanceId, chats, before: position, limit })
    return found.map(({ id }) => id)
  }

  describe('chats', () => {
    test('messages of a history are listed by their time, although they are stored later', async () => {
      const { store, tenant } = await begin()
      const { instanceId, accountId } = tenant
      await receive(store, tenant, 'live')
      await receive(store, tenant, 'old', historical(NOON - 60 * SECOND))
      await receive(store, tenant, 'older', { ...historical(NOON - 90 * SECOND), chat: OTHER_FORM })
      const listed = await listMessages(store.db, {
        accountId,
        instanceId,
        person: undefined,
        chats: undefined,
        status: undefined,
        direction: undefined,
        limit: 10,
        offset: 0,
      })
      assert.deepEqual(
        listed.map(({ id, historical: mark }) => [id, mark]),
        [
          ['live', 0],
          ['old', 1],
          ['older', 1],
        ],
      )
      assert.deepEqual(await idsBefore(store, tenant, null), ['live', 'old', 'older'])
      assert.deepEqual(await idsBefore(store, tenant, null, 2), ['live', 'old'])
      assert.deepEqual(await idsBefore(store, tenant, listed[0] as Row<'messages'>), ['old', 'older'])
      const ends = { instanceId, chats: [ANA, OTHER_FORM], silent: ['reaction'] }
      assert.equal((await findEndMessage(store.db, { ...ends, end: 'first' }))?.id, 'older')
      assert.equal((await findEndMessage(store.db, { ...ends, end: 'last' }))?.id, 'live')
      assert.equal(await firstListedAt(store.db, ends), NOON - 90 * SECOND)
      assert.equal(await firstListedAt(store.db, { instanceId, chats: ['none'] }), undefined)
    })

    test('messages of one time are listed in the order in which they were stored', async () => {
      const { store, tenant } = await begin()
      for (const id of ['one', 'two', 'three']) await receive(store, tenant, id)
      const [, two] = await listMessagesBefore(store.db, {
        instanceId: tenant.instanceId,
        chats: [ANA],
        before: null,
        limit: 3,
      })
      assert.deepEqual(await idsBefore(store, tenant, two as Row<'messages'>), ['one'])
    })

    test('a history does not change which messages are unread', async () => {
      const { store, tenant } = await begin()
      const { instanceId } = tenant
      for (const id of ['one', 'two']) await receive(store, tenant, id)
      await receive(store, tenant, 'old', historical(NOON - 60 * SECOND))
      await updateChat(store.db, (await chatOf(store, tenant)).id, { unread_count: 1 })
      assert.deepEqual(await listUnread(store.db, await chatOf(store, tenant), ['edit']), ['two'])
      await markMessagesRead(store.db, { instanceId, messageIds: ['one'], atMs: NOON, now: NOON })
      const counted = await recountUnread(store.db, { instanceId, jid: ANA, silent: ['edit'], now: NOON })
      assert.equal(counted?.unread_count, 1)
    })

    test('unread messages up to a time are the received ones that were sent until then', async () => {
      const { store, tenant } = await begin()
      await receive(store, tenant, 'first', { created_at: NOON - SECOND })
      await receive(store, tenant, 'read', { status: 'read' })
      await receive(store, tenant, 'heart', { kind: 'reaction' })
      await receive(store, tenant, 'second')
      await receive(store, tenant, 'later', { created_at: NOON + SECOND })
      const chat = await chatOf(store, tenant)
      const until = { throughMs: NOON, silent: ['reaction'] }
      assert.deepEqual(await listUnreadUntil(store.db, chat, { ...until, limit: 10 }), ['second', 'first'])
      assert.deepEqual(await listUnreadUntil(store.db, chat, { ...until, limit: 1 }), ['second'])
    })

    test('clearing a chat deletes what was sent until then, and no other chat', async () => {
      const { store, tenant } = await begin()
      const { instanceId } = tenant
      await receive(store, tenant, 'gone')
      await receive(store, tenant, 'gone too', { chat: OTHER_FORM })
      await receive(store, tenant, 'starred', { starred: 1 })
      await receive(store, tenant, 'later', { sent_at: NOON + SECOND })
      await receive(store, tenant, 'elsewhere', { chat: GROUP })
      const waiting = await accept(store, tenant, ANA, 'waits')
      const ids = async () => {
        const rows = await store.db
          .selectFrom('messages')
          .select('id')
          .where('instance_id', '=', instanceId)
          .orderBy('row_id')
          .execute()
        return rows.map(({ id }) => id)
      }
      const range = { instanceId, chats: [ANA, OTHER_FORM], throughMs: NOON }
      await deleteMessagesUntil(store.db, { ...range, keepStarred: true })
      assert.deepEqual(await ids(), ['starred', 'later', 'elsewhere', waiting])
      await deleteMessagesUntil(store.db, { ...range, keepStarred: false })
      assert.deepEqual(await ids(), ['later', 'elsewhere', waiting])
    })

    test('a star is of the sent or of the received message of one instance', async () => {
      const { store, tenant } = await begin()
      const other = await makeTenant(store)
      await receive(store, tenant, 'same')
      await receive(store, tenant, 'same', { direction: 'outgoing', status: 'sent' })
      await receive(store, other, 'same')
      const { instanceId } = tenant
      await setStarred(store.db, { instanceId, messageId: 'same', direction: 'incoming', starred: 1 })
      const rows = await store.db
        .selectFrom('messages')
        .select(['instance_id', 'direction', 'starred'])
        .orderBy('row_id')
        .execute()
      assert.deepEqual(
        rows.map((row) => row.starred),
        [1, 0, 0],
      )
    })

    test('a claimed message has the timer of its chat, or of its group before there is a chat', async () => {
      const { store, tenant } = await begin()
      const { instanceId } = tenant
      const { id } = await ensureChat(store.db, { instanceId, jid: ANA, isGroup: false, now: NOON })
      await updateChat(store.db, id, { disappearing_seconds: 86_400 })
      await upsertGroup(store.db, groupRow(instanceId, 604_800))
      for (const chat of [ANA, GROUP, OTHER_FORM]) await accept(store, tenant, chat, chat)
      const claimed = await claim(store)
      assert.deepEqual(
        new Map(claimed.map(({ chat, disappearingSeconds }) => [chat, disappearingSeconds])),
        new Map([
          [ANA, 86_400],
          [GROUP, 604_800],
          [OTHER_FORM, 0],
        ]),
      )
    })

    test('the chat of a group has its timer from the start, and follows it', async () => {
      const { store, tenant } = await begin()
      const { instanceId } = tenant
      await upsertGroup(store.db, groupRow(instanceId, 604_800))
      await receive(store, tenant, 'hi', { chat: GROUP })
      assert.equal((await chatOf(store, tenant, GROUP)).disappearing_seconds, 604_800)
      await upsertGroup(store.db, groupRow(instanceId, 0))
      assert.equal((await chatOf(store, tenant, GROUP)).disappearing_seconds, 0)
    })
  })
}

const groupRow = (instanceId: number, seconds: number) => ({
  instance_id: instanceId,
  jid: GROUP,
  subject: 'Team',
  description: null,
  owner_jid: null,
  group_created_at: null,
  size: 1,
  is_admin: 1 as const,
  is_announcement: 0 as const,
  is_locked: 0 as const,
  disappearing_seconds: seconds,
  participants: '[]',
  updated_at: NOON,
})
