// Lanes when things go wrong: owners that vanish or come back late, instances that go while their messages are out.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Conformance } from '../conformance.ts'
import type { ClaimedSend } from '../lanes.ts'
import { failWaiting } from '../queries/instances.ts'
import { findMessage } from '../queries/messages.ts'
import type { Store } from '../store.ts'
import { accept, claim, SENT, settle } from './lanes.ts'
import { makeTenant, NOON, queuedCount, removeInstance, times } from './tenant.ts'

const logOut = (store: Store, instanceId: number): Promise<unknown> =>
  store.transaction((tx) => failWaiting(tx, instanceId, { reason: 'logged_out', error: 'Out.' }, NOON))

export function laneTroubleConformance({ store: current }: Conformance): void {
  describe('lanes in trouble', () => {
    test('the lane of an owner that vanished is free when its lock runs out, with a new fence', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      const [first] = await claim(store, { lockMs: 1000 })
      assert.deepEqual(await claim(store, { owner: 'two', now: NOON + 999 }), [])
      const [second] = await claim(store, { owner: 'two', now: NOON + 1000 })
      assert.equal(second?.messageId, first?.messageId)
      assert.deepEqual([second?.tries, second?.fence], [2, (first?.fence ?? 0) + 1])
    })

    test('a former owner has no say: its word is refused and changes nothing', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await accept(store, tenant, 'a', 'a1')
      const [former] = await claim(store, { lockMs: 1000 })
      const [owner] = await claim(store, { owner: 'two', now: NOON + 1000 })
      const failure = { kind: 'failed', reason: 'expired', error: 'Too late.', code: null } as const
      assert.equal(await settle(store, former as ClaimedSend, failure), false)
      assert.equal((await findMessage(store.db, tenant.accountId, messageId))?.status, 'sending')
      assert.equal(await queuedCount(store, tenant.instanceId), 1)
      assert.equal(await settle(store, owner as ClaimedSend, SENT), true)
      assert.equal((await findMessage(store.db, tenant.accountId, messageId))?.status, 'sent')
    })

    test('an owner that is late but was not replaced still settles', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      const [owner] = await claim(store, { lockMs: 1000 })
      assert.equal(await settle(store, owner as ClaimedSend, SENT, NOON + 60_000), true)
    })

    test('what is settled while the instance is not open frees its chat, and nothing of it is claimed', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      await accept(store, tenant, 'a', 'a2')
      const [owner] = await claim(store)
      const setState = (state: 'open' | 'connecting') =>
        store.db.updateTable('instances').set({ state }).where('id', '=', tenant.instanceId).execute()
      await setState('connecting')
      const [settled, claimed] = await Promise.all([settle(store, owner as ClaimedSend, SENT), claim(store)])
      assert.deepEqual([settled, claimed], [true, []])
      await setState('open')
      assert.equal((await claim(store)).length, 1)
    })

    test('settling twice counts once', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      await accept(store, tenant, 'a', 'a2')
      const [owner] = await claim(store)
      const settled = await Promise.all(times(5, () => settle(store, owner as ClaimedSend, SENT)))
      assert.deepEqual(settled.sort(), [false, false, false, false, true])
      assert.equal(await queuedCount(store, tenant.instanceId), 1)
    })

    test('a logout fails all that waits or is out, and the word of whoever is out no longer counts', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const ids = [await accept(store, tenant, 'a', 'a1'), await accept(store, tenant, 'a', 'a2')]
      const [out] = await claim(store)
      await logOut(store, tenant.instanceId)
      assert.equal(await settle(store, out as ClaimedSend, SENT), false)
      assert.equal(await settle(store, out as ClaimedSend, { kind: 'retry', at: NOON }), false)
      assert.deepEqual(await claim(store, { now: NOON + 60_000 }), [])
      for (const messageId of ids) {
        const row = await findMessage(store.db, tenant.accountId, messageId)
        assert.deepEqual([row?.status, row?.failure_reason], ['failed', 'logged_out'])
      }
      assert.equal(await queuedCount(store, tenant.instanceId), 0)
    })

    test('after a new login the lane goes on where its numbers ended', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      const [out] = await claim(store)
      await logOut(store, tenant.instanceId)
      await accept(store, tenant, 'a', 'a2')
      const [next] = await claim(store)
      assert.ok(next)
      assert.equal(next.content, 'a2')
      assert.equal(await settle(store, out as ClaimedSend, SENT), false)
      assert.equal(await settle(store, next, SENT), true)
    })

    test('a deleted instance is claimed no more, its messages can still be read', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await accept(store, tenant, 'a', 'a1')
      const [out] = await claim(store)
      await store.transaction(async (tx) => {
        await failWaiting(tx, tenant.instanceId, { reason: 'instance_deleted', error: 'Gone.' }, NOON)
        await removeInstance(tx, tenant.instanceId)
      })
      assert.equal(await settle(store, out as ClaimedSend, SENT), false)
      assert.deepEqual(await claim(store, { now: NOON + 60_000 }), [])
      const row = await findMessage(store.db, tenant.accountId, messageId)
      assert.equal(row?.failure_reason, 'instance_deleted')
    })

    test('claims, settles, sends and logouts at once neither wait for each other for ever nor miscount', async () => {
      const store = current()
      const tenants = [await makeTenant(store), await makeTenant(store)]
      const sends = tenants.flatMap((tenant) =>
        times(60, async (index) => {
          await store.acceptSend(tenant.send({ chat: `chat-${index % 6}` }))
        }),
      )
      const workers = times(4, async (index) => {
        for (let round = 0; round < 10; round += 1) {
          const claimed = await claim(store, { owner: `owner ${index}`, perInstance: 4, lockMs: 60_000 })
          await Promise.all(claimed.map((each) => settle(store, each, SENT)))
        }
      })
      const logouts = times(5, () => logOut(store, tenants[0]?.instanceId ?? 0))
      await Promise.all([...sends, ...workers, ...logouts])
      for (const { instanceId } of tenants) {
        const waiting = await store.db
          .selectFrom('messages')
          .select('row_id')
          .where('instance_id', '=', instanceId)
          .where('status', 'in', ['queued', 'sending'])
          .execute()
        assert.equal(await queuedCount(store, instanceId), waiting.length)
      }
    })
  })
}
