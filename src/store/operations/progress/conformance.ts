// Receipts: a status only moves forward, each step has its event, and the queue count stays right.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MESSAGE_STATUSES, type MessageStatus } from '../../../contract/sending.ts'
import { progressOf } from '../../../rules/message-progress.ts'
import { accept, claim, SENT, settle } from '../../conformance/sends.ts'
import { makeTenant, NOON, queuedCount, type Tenant, times } from '../../conformance/tenant.ts'
import type { Conformance } from '../../conformance/types.ts'
import { findMessage } from '../../queries/messages.ts'
import type { Store } from '../../store.ts'
import type { MessageProgress } from './types.ts'

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

    test('a receipt for an unknown message or one of another instance changes nothing', async () => {
      const store = current()
      const [mine, other] = [await makeTenant(store), await makeTenant(store)]
      const messageId = await sentMessage(store, mine)
      assert.equal(await store.recordProgress(step(other, messageId, 'delivered')), false)
      assert.equal(await store.recordProgress(step(mine, '3EB0UNKNOWN', 'delivered')), false)
      assert.equal(await statusOf(store, mine, messageId), 'sent')
    })

    test('a receipt from another chat than that of the message changes nothing', async () => {
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
