// Receipts: a status only moves forward, each step has its event, and the count of what waits stays right.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MessageStatus } from '../../contract/sending.ts'
import type { Conformance } from '../conformance.ts'
import type { Progress } from '../progress.ts'
import { findMessage } from '../queries/messages.ts'
import type { Store } from '../store.ts'
import { accept, claim, SENT, settle } from './lanes.ts'
import { makeTenant, NOON, queuedCount, type Tenant, times } from './tenant.ts'

const BEFORE: Record<'delivered' | 'read', MessageStatus[]> = {
  delivered: ['queued', 'sending', 'sent'],
  read: ['queued', 'sending', 'sent', 'delivered'],
}
const step = (
  { instanceId }: Tenant,
  messageId: string,
  status: 'delivered' | 'read',
  atMs = NOON + 1000,
): Progress => ({
  instanceId,
  messageId,
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
    test('a message moves on, with one event a step, and never back', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await sentMessage(store, tenant)
      assert.equal(await store.moveMessage(step(tenant, messageId, 'delivered')), true)
      assert.equal(await store.moveMessage(step(tenant, messageId, 'read', NOON + 2000)), true)
      assert.equal(await store.moveMessage(step(tenant, messageId, 'delivered', NOON + 3000)), false)
      const message = await findMessage(store.db, tenant.accountId, messageId)
      assert.deepEqual(
        [message?.status, message?.delivered_at, message?.read_at],
        ['read', NOON + 1000, NOON + 2000],
      )
      assert.deepEqual((await steps(store, tenant)).slice(-2), ['delivered', 'read'])
    })

    test('one that overtakes the word that the message was sent: both steps, and it waits no longer', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await accept(store, tenant, 'a', '{"message":"hi"}')
      const [claimed] = await claim(store)
      assert.equal(await store.moveMessage(step(tenant, messageId, 'delivered')), true)
      assert.equal(await queuedCount(store, tenant.instanceId), 0)
      assert.ok(claimed)
      await settle(store, claimed, SENT)
      assert.equal(await statusOf(store, tenant, messageId), 'delivered')
      assert.equal(await queuedCount(store, tenant.instanceId), 0)
      assert.deepEqual((await steps(store, tenant)).slice(-2), ['sent', 'delivered'])
    })

    test('for a message of another instance, or of nobody, it is no news', async () => {
      const store = current()
      const [mine, other] = [await makeTenant(store), await makeTenant(store)]
      const messageId = await sentMessage(store, mine)
      assert.equal(await store.moveMessage(step(other, messageId, 'delivered')), false)
      assert.equal(await store.moveMessage(step(mine, '3EB0UNKNOWN', 'delivered')), false)
      assert.equal(await statusOf(store, mine, messageId), 'sent')
    })

    test('many at once, of several instances, each for itself', async () => {
      const store = current()
      const tenants = [await makeTenant(store), await makeTenant(store)]
      const sent: [Tenant, string][] = []
      for (const tenant of tenants)
        for (const chat of times(5, String)) {
          sent.push([tenant, await accept(store, tenant, chat, '{"message":"hi"}')])
        }
      const twice = [...sent, ...sent]
      const news = await Promise.all(
        twice.map(([tenant, messageId]) => store.moveMessage(step(tenant, messageId, 'delivered'))),
      )
      assert.equal(news.filter(Boolean).length, sent.length)
      for (const tenant of tenants) {
        assert.equal(await queuedCount(store, tenant.instanceId), 0)
        const seen = (await steps(store, tenant)).filter((status) => status === 'delivered')
        assert.equal(seen.length, 5)
      }
    })
  })
}
