// The event log: numbered without gaps, in the order of commits, with a delivery for every webhook that wants it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Conformance } from '../conformance.ts'
import type { NewEvent } from '../event-log.ts'
import type { ClaimedSend } from '../lanes.ts'
import type { Store } from '../store.ts'
import { accept, claim, SENT, settle } from './lanes.ts'
import { makeInstance, makeTenant, NOON, type Tenant, times } from './tenant.ts'

export const change = (instanceId: number, text = 'hi'): NewEvent => ({
  instanceId,
  name: 'chats.update',
  data: JSON.stringify({ text }),
  createdAt: NOON,
})
export const append = (store: Store, events: NewEvent[]) =>
  store.transaction((tx) => store.appendEvents(tx, events))
const logOf = (store: Store, { accountId }: Pick<Tenant, 'accountId'>) =>
  store.db.selectFrom('events').selectAll().where('account_id', '=', accountId).orderBy('position').execute()

interface HookChange {
  instanceId?: number | null
  events?: string[]
  enabled?: 0 | 1
}
export async function makeHook(
  store: Store,
  { accountId }: Tenant,
  change: HookChange = {},
): Promise<number> {
  const { id } = await store.db
    .insertInto('webhooks')
    .values({
      account_id: accountId,
      instance_id: change.instanceId ?? null,
      name: 'hook',
      url: `https://hooks.example.org/${Math.random()}`,
      events: JSON.stringify(change.events ?? ['*']),
      enabled: change.enabled ?? 1,
      sealed_secret: new Uint8Array([1]),
      created_at: NOON,
      updated_at: NOON,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
export const deliveriesOf = (store: Store, webhookId: number) =>
  store.db.selectFrom('deliveries').selectAll().where('webhook_id', '=', webhookId).orderBy('id').execute()

export function eventConformance({ store: current }: Conformance): void {
  describe('the event log', () => {
    test('numbers count up without gaps per instance, and per account over its instances', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const other = await makeInstance(store, tenant.accountId)
      const ids = [tenant.instanceId, other, tenant.instanceId, other, tenant.instanceId]
      await Promise.all([
        append(
          store,
          ids.map((id) => change(id)),
        ),
        ...times(20, (n) => append(store, [change(n % 2 === 0 ? other : tenant.instanceId)])),
      ])
      const log = await logOf(store, tenant)
      assert.deepEqual(
        log.map((row) => row.position),
        times(25, (n) => n + 1),
      )
      for (const id of [tenant.instanceId, other]) {
        const own = log.filter((row) => row.instance_id === id)
        assert.deepEqual(
          own.map((row) => row.sequence),
          own.map((_row, index) => index + 1),
        )
      }
    })

    test('what a transaction takes back leaves no gap', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await append(store, [change(tenant.instanceId)])
      const failed = store.transaction(async (tx) => {
        await store.appendEvents(tx, [change(tenant.instanceId, 'never')])
        throw new Error('not after all')
      })
      await assert.rejects(failed, /not after all/)
      await append(store, [change(tenant.instanceId)])
      const log = await logOf(store, tenant)
      assert.deepEqual(
        log.map((row) => [row.sequence, row.position, row.data]),
        [
          [1, 1, '{"text":"hi"}'],
          [2, 2, '{"text":"hi"}'],
        ],
      )
    })

    test('a send leaves an event at each of its steps, with the sender', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await accept(store, tenant, 'a', 'a1')
      await settle(store, (await claim(store))[0] as ClaimedSend, SENT)
      const log = await logOf(store, tenant)
      assert.deepEqual(
        log.map((row) => [row.name, (JSON.parse(row.data) as { status: string }).status]),
        [
          ['messages.upsert', 'queued'],
          ['messages.update', 'sending'],
          ['messages.update', 'sent'],
          ['chats.update', undefined],
        ],
      )
      const told = log.map((row) => JSON.parse(row.data) as Record<string, unknown>)
      const [upsert, , sent] = told as [{ from: { jid: string } }, unknown, Record<string, unknown>]
      assert.ok(upsert.from.jid.endsWith('@s.whatsapp.net'))
      assert.deepEqual(
        [sent.messageId, sent.failure, sent.at],
        [messageId, null, new Date(NOON).toISOString()],
      )
    })

    test('a failure says why in its event', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      const failure = { reason: 'rejected_by_network', error: 'No.', code: 479 } as const
      await settle(store, (await claim(store))[0] as ClaimedSend, { kind: 'failed', ...failure })
      const last = (await logOf(store, tenant)).at(-1)
      assert.deepEqual((JSON.parse(last?.data ?? '') as { failure: unknown }).failure, failure)
    })

    test('every webhook that wants an event has a delivery of it, in order, and no other has one', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const stranger = await makeTenant(store)
      const elsewhere = await makeInstance(store, tenant.accountId)
      const wanting = [
        await makeHook(store, tenant),
        await makeHook(store, tenant, { instanceId: tenant.instanceId, events: ['chats.update'] }),
        await makeHook(store, tenant, { events: ['messages.upsert', 'chats.update'] }),
      ]
      const others = [
        await makeHook(store, tenant, { enabled: 0 }),
        await makeHook(store, tenant, { instanceId: elsewhere }),
        await makeHook(store, tenant, { events: ['messages.update'] }),
        await makeHook(store, stranger),
      ]
      await append(store, [change(tenant.instanceId, 'one'), change(tenant.instanceId, 'two')])
      for (const id of wanting) {
        const rows = await deliveriesOf(store, id)
        assert.deepEqual(
          rows.map((row) => [row.position, row.status, row.tries, row.instance_id]),
          [
            [1, 'pending', 0, tenant.instanceId],
            [2, 'pending', 0, tenant.instanceId],
          ],
        )
        const lane = await store.db
          .selectFrom('delivery_lanes')
          .selectAll()
          .where('webhook_id', '=', id)
          .execute()
        assert.deepEqual(
          lane.map((row) => [row.instance_id, row.due_at, row.locked_until]),
          [[tenant.instanceId, NOON, null]],
        )
      }
      for (const id of others) assert.deepEqual(await deliveriesOf(store, id), [])
    })

    test('listeners hear of a commit that appended, after it, and of no other', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      let heard = 0
      const end = store.onEvents(() => void (heard += 1))
      await store.transaction(async (tx) => {
        await store.appendEvents(tx, [change(tenant.instanceId)])
        assert.equal(heard, 0)
      })
      assert.equal(heard, 1)
      await store.transaction((tx) => store.appendEvents(tx, []))
      await store
        .transaction(async (tx) => {
          await store.appendEvents(tx, [change(tenant.instanceId)])
          throw new Error('back')
        })
        .catch(() => undefined)
      assert.equal(heard, 1)
      await accept(store, tenant, 'a', 'a1')
      assert.equal(heard, 2)
      end()
      await append(store, [change(tenant.instanceId)])
      assert.equal(heard, 2)
    })
  })
}
