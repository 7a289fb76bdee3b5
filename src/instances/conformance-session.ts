// Saving sessions: all or nothing, and never with an older fencing token (promise B3).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findPhone } from '../contacts/reported-queries.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import { claimInstance } from './instance-queries.ts'
import { findArrival, readSessionKeys } from './session-key-queries.ts'

const key = (text: string | null) => ({
  kind: 'session',
  name: 'a.0',
  sealed: text === null ? null : Buffer.from(text),
})

async function keyOf(store: Store, instanceId: number): Promise<string | undefined> {
  const [row] = await readSessionKeys(store.db, instanceId, 'session', ['a.0'])
  return row && Buffer.from(row.sealed).toString()
}

export function sessionConformance({ store: current }: Conformance): void {
  describe('saving sessions', () => {
    test('of several writes in one commit the last one counts, and null removes the key', async () => {
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

    test('a name with a NUL, which strangers may send, is found nowhere, and the names beside it are', async () => {
      const store = current()
      const { instanceId } = await makeTenant(store)
      const fence = await claimInstance(store.db, instanceId)
      await store.saveSession({ instanceId, fence, keys: [key('one')], arrivals: [] })
      const found = await readSessionKeys(store.db, instanceId, 'session', ['\0', 'a.0', 'a.0\0'])
      assert.deepEqual(
        found.map(({ name }) => name),
        ['a.0'],
      )
      assert.equal(await findArrival(store.db, instanceId, 'x\0'), undefined)
      assert.equal(await findPhone(store.db, instanceId, '1\0@lid'), null)
    })

    test('a session with an older fencing token writes neither keys nor arrivals, even in one commit with the current one', async () => {
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
