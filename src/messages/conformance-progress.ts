// Receipts: a status only moves forward, each step has its event, and the queue count stays right.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MESSAGE_STATUSES, type MessageStatus } from '../contract/sending.ts'
import { accept, claim, SENT, settle } from '../sending/conformance-sends.ts'
import type { SendOutcome } from '../sending/rules-settle-send.ts'
import { makeTenant, NOON, queuedCount, type Tenant, times } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import { findMessage } from './message-queries.ts'
import type { MessageProgress } from './progress-store.ts'
import { progressOf } from './rules.ts'

const BEFORE: Record<'delivered' | 'read', MessageStatus[]> = {
  delivered: ['queued', 'sending', 'sent'],
  read: ['queued', 'sending', 'sent', 'delivered'],
}
/** All chats that these tests write to. */
const CHATS = ['5511912345678@s.whatsapp.net', 'a', ...times(5, String)]
const step = (
  { instanceId }: Tenant,
  messageId: string,
  status: 'delivered' | 'read',
  atMs = NOON + 1000,
  chats = CHATS,
): MessageProgress => ({
  instanceId,
  messageId,
  chats,
  networkChat: null,
  before: BEFORE[status],
  status,
  timeColumn: `${status}_at`,
  atMs,
  now: atMs,
})

export function progressConformance({ store: current }: Conformance): void {
  const statusOf = async (store: Store, { accountId }: Tenant, messageId: string) =>
    (await findMessage(store.db, accountId, messageId))?.status
  const steps = async (store: Store, { instanceId }: Tenant): Promise<string[]> => {
    const rows = await store.db
      .selectFrom('events')
      .select('data')
      .where('instance_id', '=', instanceId)
      .where('name', '=', 'messages.update')
      .orderBy('sequence')
      .execute()
    return rows.map(({ data }) => (JSON.parse(data) as { status: string }).status)
  }
  const chatEvents = async (store: Store, { instanceId }: Tenant) => {
    const rows = await store.db
      .selectFrom('events')
      .select('data')
      .where('instance_id', '=', instanceId)
      .where('name', '=', 'chats.update')
      .orderBy('sequence')
      .execute()
    return rows.map(({ data }) => {
      const {
        chat,
        lastMessageText,
        disappearingSeconds: seconds,
      } = JSON.parse(data) as Record<string, unknown>
      return { chat, lastMessageText, seconds }
    })
  }
  const sentMessage = async (store: Store, tenant: Tenant): Promise<string> => {
    const messageId = await accept(store, tenant, 'a', '{"message":"hi"}')
    for (const claimed of await claim(store)) await settle(store, claimed, SENT)
    return messageId
  }

  describe('receipts', () => {
    test('a message moves forward, with one event per status, and never back', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await sentMessage(store, tenant)
      assert.equal(await store.recordProgress(step(tenant, messageId, 'delivered')), true)
      assert.equal(await store.recordProgress(step(tenant, messageId, 'read', NOON + 2000)), true)
      assert.equal(await store.recordProgress(step(tenant, messageId, 'delivered', NOON + 3000)), false)
      const message = await findMessage(store.db, tenant.accountId, messageId)
      assert.deepEqual(
        [message?.status, message?.delivered_at, message?.read_at],
        ['read', NOON + 1000, NOON + 2000],
      )
      assert.deepEqual((await steps(store, tenant)).slice(-2), ['delivered', 'read'])
    })

    test('a receipt that arrives before the send is settled makes both steps and empties the queue', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await accept(store, tenant, 'a', '{"message":"hi"}')
      const [claimed] = await claim(store)
      assert.equal(await store.recordProgress(step(tenant, messageId, 'delivered')), true)
      assert.equal(await queuedCount(store, tenant.instanceId), 0)
      assert.ok(claimed)
      await settle(store, claimed, SENT)
      assert.equal(await statusOf(store, tenant, messageId), 'delivered')
      assert.equal(await queuedCount(store, tenant.instanceId), 0)
      assert.deepEqual((await steps(store, tenant)).slice(-2), ['sent', 'delivered'])
    })

    test('a receipt that arrives before the send of a reaction is settled writes the event of the reaction, once', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const target = { messageId: 'M1', fromMe: false }
      const content = JSON.stringify({ emoji: 'x', text: 'x', target })
      const messageId = await accept(store, tenant, 'a', content)
      await store.db.updateTable('messages').set({ kind: 'reaction' }).where('id', '=', messageId).execute()
      const [claimed] = await claim(store)
      assert.ok(claimed)
      await store.recordProgress(step(tenant, messageId, 'delivered'))
      const change = { instanceId: tenant.instanceId, name: 'messages.reaction', data: '{}', createdAt: NOON }
      await settle(store, claimed, {
        kind: 'sent',
        chat: 'a',
        text: 'x',
        isSilent: true,
        change,
      } as SendOutcome)
      const events = await store.db
        .selectFrom('events')
        .select(['name', 'data'])
        .where('instance_id', '=', tenant.instanceId)
        .where('name', 'like', 'messages.%')
        .orderBy('sequence')
        .execute()
      assert.deepEqual(
        events.slice(1).map(({ name }) => name),
        ['messages.update', 'messages.update', 'messages.reaction', 'messages.update'],
      )
      const data = JSON.parse(events[3]?.data ?? '') as Record<string, unknown>
      assert.deepEqual([data.messageId, data.emoji, data.target], [messageId, 'x', target])
    })

    /** A crash may have ended the process between the network's answer and the settlement, which then never happens. */
    test('a receipt for a message that was never settled moves its chat as the settlement would have', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await accept(store, tenant, 'a', '{"message":"hi"}')
      const [claimed] = await claim(store)
      assert.ok(claimed)
      await store.recordProgress({ ...step(tenant, messageId, 'delivered'), networkChat: 'b' })
      const chatsOf = () =>
        store.db
          .selectFrom('chats')
          .select(['jid', 'last_message_text', 'last_message_at'])
          .where('instance_id', '=', tenant.instanceId)
          .execute()
      const shown = [{ jid: 'b', last_message_text: 'hi', last_message_at: NOON + 1000 }]
      assert.deepEqual(await chatsOf(), shown)
      assert.equal((await findMessage(store.db, tenant.accountId, messageId))?.chat, 'b')
      // Without a crash the settlement comes later, and changes nothing about the chat.
      await settle(store, claimed, { kind: 'sent', chat: 'b', text: 'hi' }, NOON + 2000)
      assert.deepEqual(await chatsOf(), shown)
      assert.deepEqual(await chatEvents(store, tenant), [{ chat: 'b', lastMessageText: 'hi', seconds: 0 }])
    })

    test('a receipt for a timer that was never settled sets the timer of the chat, once', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await sentMessage(store, tenant)
      const chat = '5511912345678@s.whatsapp.net'
      const messageId = await accept(store, tenant, chat, '{"seconds":86400}')
      await store.db
        .updateTable('messages')
        .set({ kind: 'disappearing' })
        .where('id', '=', messageId)
        .execute()
      await store.recordProgress(step(tenant, messageId, 'delivered'))
      await store.recordProgress(step(tenant, messageId, 'read'))
      const row = await store.db
        .selectFrom('chats')
        .select(['disappearing_seconds', 'last_message_text'])
        .where('instance_id', '=', tenant.instanceId)
        .where('jid', '=', chat)
        .executeTakeFirst()
      assert.deepEqual(row, { disappearing_seconds: 86_400, last_message_text: 'hi' })
      assert.deepEqual((await chatEvents(store, tenant)).slice(1), [
        { chat, lastMessageText: 'hi', seconds: 86_400 },
      ])
    })

    test('a receipt for an unknown message or one of another instance changes nothing', async () => {
      const store = current()
      const [mine, other] = [await makeTenant(store), await makeTenant(store)]
      const messageId = await sentMessage(store, mine)
      assert.equal(await store.recordProgress(step(other, messageId, 'delivered')), false)
      assert.equal(await store.recordProgress(step(mine, '3EB0UNKNOWN', 'delivered')), false)
      assert.equal(await statusOf(store, mine, messageId), 'sent')
    })

    test('a receipt from a chat other than that of the message changes nothing', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await sentMessage(store, tenant)
      const from = (chats: string[]) =>
        store.recordProgress(step(tenant, messageId, 'read', NOON + 1000, chats))
      assert.equal(await from(['5511900000000@s.whatsapp.net', '1@lid']), false)
      assert.equal(await from([]), false)
      assert.equal(await statusOf(store, tenant, messageId), 'sent')
      assert.equal(await from(['1@lid', '5511912345678@s.whatsapp.net']), true)
      assert.equal(await statusOf(store, tenant, messageId), 'read')
    })

    test('many receipts at once, of several instances, are counted separately', async () => {
      const store = current()
      const tenants = [await makeTenant(store), await makeTenant(store)]
      const sent: [Tenant, string][] = []
      for (const tenant of tenants)
        for (const chat of times(5, String)) {
          sent.push([tenant, await accept(store, tenant, chat, '{"message":"hi"}')])
        }
      const twice = [...sent, ...sent]
      const news = await Promise.all(
        twice.map(([tenant, messageId]) => store.recordProgress(step(tenant, messageId, 'delivered'))),
      )
      assert.equal(news.filter(Boolean).length, sent.length)
      for (const tenant of tenants) {
        assert.equal(await queuedCount(store, tenant.instanceId), 0)
        const seen = (await steps(store, tenant)).filter((status) => status === 'delivered')
        assert.equal(seen.length, 5)
      }
    })

    test('from any status a message moves as the rule has it', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const receipts = (['delivered', 'read'] as const).flatMap((status) =>
        // Of the statuses before it, a waiting message only needs `sent`, which it reaches on the way.
        [BEFORE[status], ['sent' as const]].map((before) => ({ status, before })),
      )
      for (const receipt of receipts) {
        for (const status of MESSAGE_STATUSES) {
          const messageId = await accept(store, tenant, 'a', '{"message":"hi"}')
          await store.db.updateTable('messages').set({ status }).where('id', '=', messageId).execute()
          const expected = progressOf(status, receipt)
          const changed = await store.recordProgress({
            ...step(tenant, messageId, receipt.status),
            before: receipt.before,
          })
          const name = `${JSON.stringify(receipt)} after ${status}`
          assert.equal(changed, expected.becameSent || expected.moved, name)
          assert.equal(await statusOf(store, tenant, messageId), expected.status, name)
        }
      }
    })
  })
}
