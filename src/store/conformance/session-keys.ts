// What sessions write: as a whole or not at all, and never by a process that was replaced (promise B3).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Conformance } from '../conformance.ts'
import { claimInstance } from '../queries/instances.ts'
import { findArrival, readSessionKeys } from '../queries/session-keys.ts'
import type { Store } from '../store.ts'
import { makeTenant, NOON } from './tenant.ts'

const key = (text: string | null) => ({
  kind: 'session',
  name: 'a.0',
  sealed: text === null ? null : Buffer.from(text),
})

async function keyOf(store: Store, instanceId: number): Promise<string | undefined> {
  const [row] = await readSessionKeys(store.db, instanceId, 'session', ['a.0'])
  return row && Buffer.from(row.sealed).toString()
}

export function sessionKeysConformance({ store: current }: Conformance): void {
  describe('keys of sessions', () => {
    test('the last of several writes that share a commit counts, and null removes', async () => {
      const store = current()
      const { instanceId } = await makeTenant(store)
      const fence = await claimInstance(store.db, instanceId)
      const write = (text: string | null) =>
        store.saveSession({ instanceId, fence, keys: [key(text)], arrivals: [] })
      assert.deepEqual(await Promise.all(['one', 'two', 'three'].map(write)), [true, true, true])
      assert.equal(await keyOf(store, instanceId), 'three')
      await write(null)
      assert.equal(await keyOf(store, instanceId), undefined)
    })

    test('a former owner writes nothing, neither keys nor arrivals, even beside the new one', async () => {
      const store = current()
      const { instanceId } = await makeTenant(store)
      const former = await claimInstance(store.db, instanceId)
      const fence = await claimInstance(store.db, instanceId)
      const arrivals = [{ name: 'x', sealed: Buffer.from('x'), receivedAt: NOON }]
      const saved = await Promise.all([
        store.saveSession({ instanceId, fence, keys: [key('new')], arrivals: [] }),
        store.saveSession({ instanceId, fence: former, keys: [key('old')], arrivals }),
      ])
      assert.deepEqual(saved, [true, false])
      for (const text of ['old', null]) {
        const write = { instanceId, fence: former, keys: [key(text)], arrivals: [] }
        assert.equal(await store.saveSession(write), false)
        assert.equal(await keyOf(store, instanceId), 'new')
      }
      assert.equal(await findArrival(store.db, instanceId, 'x'), undefined)
    })
  })
}
