// Settings of instances and presence subscriptions: one row per instance and person, removed with the instance.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as presence from '../contacts/presence-queries.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import { deleteInstanceRows } from './instance-queries.ts'
import { findSettings, listChangedSettings, upsertSettings } from './settings-queries.ts'

const subscription = (instanceId: number, jid: string) => ({
  instance_id: instanceId,
  jid,
  lid: null,
  presence: null,
  last_seen: null,
  updated_at: NOON,
})

export function settingsConformance({ store: current }: Conformance): void {
  describe('settings of instances', () => {
    test('are replaced as a whole, found by the time of their change, and removed with the instance', async () => {
      const { db } = current()
      const { instanceId } = await makeTenant(current())
      assert.equal(await findSettings(db, instanceId), undefined)
      const row = {
        instance_id: instanceId,
        settings: '{}',
        sealed_proxy: new Uint8Array([1, 2]),
        updated_at: NOON,
      }
      await upsertSettings(db, row)
      await upsertSettings(db, { ...row, settings: '{"a":1}', sealed_proxy: null, updated_at: NOON + 5 })
      const found = await findSettings(db, instanceId)
      assert.deepEqual([found?.settings, found?.sealed_proxy, found?.updated_at], ['{"a":1}', null, NOON + 5])
      const changedAfter = async (time: number) =>
        (await listChangedSettings(db, time)).some(({ instance_id: id }) => id === instanceId)
      assert.deepEqual([await changedAfter(NOON + 4), await changedAfter(NOON + 5)], [true, false])
      await deleteInstanceRows(db, instanceId)
      assert.equal(await findSettings(db, instanceId), undefined)
    })
  })

  describe('presence subscriptions', () => {
    test('a person is followed once, found by either identifier, and keeps the last presence', async () => {
      const { db } = current()
      const { instanceId } = await makeTenant(current())
      const other = await makeTenant(current())
      for (const jid of ['2', '1', '1']) await presence.addSubscription(db, subscription(instanceId, jid))
      await presence.addSubscription(db, subscription(other.instanceId, '1'))
      await presence.setLid(db, instanceId, '1', 'L')
      const seen = { presence: 'typing', last_seen: 7, updated_at: NOON + 1 }
      await presence.recordPresence(db, { instance_id: instanceId, jid: '1' }, seen)
      await presence.addSubscription(db, subscription(instanceId, '1'))
      for (const names of [['1'], ['L', 'x']])
        assert.deepEqual(await presence.findSubscription(db, instanceId, names), {
          ...subscription(instanceId, '1'),
          lid: 'L',
          ...seen,
        })
      assert.equal(await presence.findSubscription(db, instanceId, ['x']), undefined)
      const jids = async (id: number) => (await presence.listSubscriptions(db, id)).map(({ jid }) => jid)
      assert.deepEqual(await jids(instanceId), ['1', '2'])
      assert.equal((await presence.findSubscription(db, other.instanceId, ['1']))?.presence, null)
      await presence.deleteSubscriptions(db, instanceId, [])
      await presence.deleteSubscriptions(db, instanceId, ['2'])
      assert.deepEqual(await jids(instanceId), ['1'])
      await deleteInstanceRows(db, instanceId)
      assert.deepEqual(
        [
          await presence.hasSubscriptions(db, instanceId),
          await presence.hasSubscriptions(db, other.instanceId),
        ],
        [false, true],
      )
    })
  })
}
