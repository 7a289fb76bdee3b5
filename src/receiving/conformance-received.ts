// Received messages with the keys that decrypted them: all or nothing, and never with an older fencing token (promises A3 and B3).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { claimInstance } from '../instances/instance-queries.ts'
import { findArrival, readSessionKeys } from '../instances/session-key-queries.ts'
import { makeTenant, NOON, type Tenant } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import { receivedMessage, reportOf } from './conformance-arrivals.ts'
import type { ReceivedWrite } from './received-store.ts'

const writeOf = (tenant: Tenant, fence: number, ids: string[]): ReceivedWrite => ({
  instanceId: tenant.instanceId,
  fence,
  keys: [{ kind: 'session', name: 'a.0', sealed: Buffer.from(ids.join()) }],
  arrivals: [{ name: `after ${ids.at(-1)}`, sealed: Buffer.from('x'), receivedAt: NOON }],
  reports: ids.map((id) => reportOf(tenant, { messages: [receivedMessage(tenant, id)] })),
})

async function storedIn(store: Store, { instanceId }: Tenant) {
  const messages = await store.db
    .selectFrom('messages')
    .select('id')
    .where('instance_id', '=', instanceId)
    .orderBy('row_id')
    .execute()
  const events = await store.db
    .selectFrom('events')
    .select('name')
    .where('instance_id', '=', instanceId)
    .where('name', '=', 'messages.upsert')
    .execute()
  const [key] = await readSessionKeys(store.db, instanceId, 'session', ['a.0'])
  return {
    ids: messages.map(({ id }) => id),
    upserts: events.length,
    key: key && Buffer.from(key.sealed).toString(),
  }
}

export function receivedConformance({ store: current }: Conformance): void {
  describe('saving received messages', () => {
    test('keys, messages, events and the arrivals behind them are stored in one commit, in order', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const fence = await claimInstance(store.db, tenant.instanceId)
      const signalled = new Promise<void>((resolve) => store.onEvents(() => resolve()))
      const saved = await Promise.all([
        store.saveReceived(writeOf(tenant, fence, ['one', 'two'])),
        store.saveReceived(writeOf(tenant, fence, ['three'])),
      ])
      assert.deepEqual(saved, [true, true])
      assert.deepEqual(await storedIn(store, tenant), {
        ids: ['one', 'two', 'three'],
        upserts: 3,
        key: 'three',
      })
      assert.ok(await findArrival(store.db, tenant.instanceId, 'after two'))
      await signalled
    })

    test('a message that is stored already is not stored again, and its keys are', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const fence = await claimInstance(store.db, tenant.instanceId)
      assert.equal(await store.saveReceived(writeOf(tenant, fence, ['one'])), true)
      assert.equal(await store.saveReceived(writeOf(tenant, fence, ['one', 'two'])), true)
      assert.deepEqual(await storedIn(store, tenant), { ids: ['one', 'two'], upserts: 2, key: 'one,two' })
    })

    test('with an older fencing token nothing is written, even in one commit with the current one', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const former = await claimInstance(store.db, tenant.instanceId)
      const fence = await claimInstance(store.db, tenant.instanceId)
      const saved = await Promise.all([
        store.saveReceived(writeOf(tenant, former, ['old'])),
        store.saveReceived(writeOf(tenant, fence, ['new'])),
      ])
      assert.deepEqual(saved, [false, true])
      assert.deepEqual(await storedIn(store, tenant), { ids: ['new'], upserts: 1, key: 'new' })
      assert.equal(await findArrival(store.db, tenant.instanceId, 'after old'), undefined)
    })

    test('if a message is refused, the keys are not stored either', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const fence = await claimInstance(store.db, tenant.instanceId)
      const write = writeOf(tenant, fence, ['good'])
      const bad = reportOf(tenant, { messages: [receivedMessage(tenant, 'bad', { account_id: -1 })] })
      await assert.rejects(store.saveReceived({ ...write, reports: [...write.reports, bad] }))
      assert.deepEqual(await storedIn(store, tenant), { ids: [], upserts: 0, key: undefined })
    })
  })
}
