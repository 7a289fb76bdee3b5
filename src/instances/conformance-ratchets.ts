// Forgetting ratchets: the keys of all instances that a database of an earlier time must not use again (decision 0114).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeInstance, makeTenant } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import { claimInstance } from './instance-queries.ts'
import { clearRestoreMark, forgetRatchets, hasRestoreMark, RESTORE_MARK } from './restore-queries.ts'

const FORGOTTEN = ['pre-key', 'sender-key', 'sender-key-memory', 'session']
const KEPT = ['app-state-sync-key', 'creds', 'lid-mapping']

async function twoInstances(store: Store) {
  const { accountId, instanceId } = await makeTenant(store)
  const instanceIds = [instanceId, await makeInstance(store, accountId)]
  const fences = await Promise.all(instanceIds.map((id) => claimInstance(store.db, id)))
  const writes = instanceIds.map((id, index) => ({
    instanceId: id,
    fence: fences[index] as number,
    keys: [...FORGOTTEN, ...KEPT].map((kind) => ({ kind, name: 'a', sealed: new Uint8Array(1) })),
    arrivals: [],
  }))
  const saved = await Promise.all(writes.map((write) => store.saveSession(write)))
  assert.deepEqual(saved, [true, true])
  return { instanceIds, writes }
}

const kindsOf = async ({ db }: Store, instanceId: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('session_keys')
    .select('kind')
    .where('instance_id', '=', instanceId)
    .execute()
  return rows.map(({ kind }) => kind).toSorted()
}

export function ratchetConformance({ store: current }: Conformance): void {
  describe('forgetting ratchets', () => {
    test('removes sessions, sender keys and one-time keys of all instances, and keeps logins', async () => {
      const store = current()
      const { instanceIds } = await twoInstances(store)
      await store.transaction((tx) => forgetRatchets(tx, store.engine))
      for (const id of instanceIds) assert.deepEqual(await kindsOf(store, id), KEPT)
    })

    test('a connection that is still open cannot write its keys back', async () => {
      const store = current()
      const { instanceIds, writes } = await twoInstances(store)
      await store.transaction((tx) => forgetRatchets(tx, store.engine))
      const saved = await Promise.all(writes.map((write) => store.saveSession(write)))
      assert.deepEqual(saved, [false, false])
      for (const id of instanceIds) assert.deepEqual(await kindsOf(store, id), KEPT)
    })

    test('happens together with the removal of the restore mark, and only once', async () => {
      const store = current()
      const { instanceIds } = await twoInstances(store)
      await store.db.insertInto('facts').values({ name: RESTORE_MARK, value: '1' }).execute()
      await clearRestoreMark(store)
      assert.equal(await hasRestoreMark(store.db), false)
      for (const id of instanceIds) assert.deepEqual(await kindsOf(store, id), KEPT)
      const after = await twoInstances(store)
      await clearRestoreMark(store)
      for (const id of after.instanceIds)
        assert.deepEqual(await kindsOf(store, id), [...FORGOTTEN, ...KEPT].toSorted())
    })
  })
}
