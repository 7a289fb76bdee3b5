// The metrics that are read from the store and the disk, on both engines.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines, type StoreLocation } from '../../test/support/engines.ts'
import { openStore } from '../../test/support/open-store.ts'
import { makeInstance, makeTenant, NOON, removeInstance } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import { measureGateway } from './measure-gateway.ts'

const valueOf = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

for (const engine of engines)
  describe(`the metrics of the gateway on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let store: Store
    before(async () => {
      storeLocation = await engine.createLocation()
      store = await openStore(storeLocation)
    })
    after(async () => {
      await store.close()
      await storeLocation.dispose()
    })
    const measureAt = (now: number, broken?: Error) =>
      measureGateway(
        () => {
          if (broken) throw broken
          return store
        },
        () => now,
        { DATA_DIR: storeLocation.directory, NETWORK: 'sandbox' },
        () => ({ differenceMs: 0, phase: 'settled' }),
      )
    const setState = (id: number, state: string, reason: string | null) =>
      store.db.updateTable('instances').set({ state, state_reason: reason }).where('id', '=', id).execute()

    test('show the queue and its age, of open instances only, and instances by state without deleted ones', async () => {
      const empty = (await measureAt(NOON).read()).text
      assert.deepEqual(
        ['switchboard_queue_depth', 'switchboard_queue_oldest_seconds'].map((name) => valueOf(empty, name)),
        [0, 0],
      )
      const [open, closed] = [await makeTenant(store), await makeTenant(store)]
      await setState(closed.instanceId, 'close', 'replaced')
      await removeInstance(store.db, await makeInstance(store, open.accountId))
      await store.acceptSend(closed.send({ createdAt: NOON - 600_000 }))
      await store.acceptSend(open.send({ createdAt: NOON }))
      await store.acceptSend(open.send({ createdAt: NOON + 80_000, chat: '5511912345679@s.whatsapp.net' }))
      const { text } = await measureAt(NOON + 90_500).read()
      assert.equal(valueOf(text, 'switchboard_queue_depth'), 3)
      assert.equal(valueOf(text, 'switchboard_queue_oldest_seconds'), 90.5)
      const counts = [...text.matchAll(/^switchboard_instances\{state="(\w+)",reason="(\w+)"\} (\d+)$/gm)]
      assert.deepEqual(counts.map(([, state, reason, count]) => `${state} ${reason} ${count}`).sort(), [
        'close none 0',
        'close replaced 1',
        'connecting none 0',
        'open none 1',
      ])
    })

    test('no longer show a reason that no instance has', async () => {
      const metrics = measureAt(NOON)
      const { instanceId } = await makeTenant(store)
      await setState(instanceId, 'close', 'bad_session')
      assert.match((await metrics.read()).text, /reason="bad_session"\} 1$/m)
      await setState(instanceId, 'open', null)
      assert.doesNotMatch((await metrics.read()).text, /bad_session/)
    })

    test('show the disk, checks and all else while the store fails, and count what could not be read', async () => {
      const metrics = measureAt(NOON, new Error('the store has failed'))
      metrics.showChecks({
        store: async () => {
          throw new Error('the store has failed')
        },
        sessions: async () => undefined,
      })
      const { text } = await metrics.read()
      const size = valueOf(text, 'switchboard_disk_size_bytes') ?? 0
      const free = valueOf(text, 'switchboard_disk_free_bytes') ?? -1
      assert.ok(size > 0 && free >= 0 && free <= size)
      assert.equal(valueOf(text, 'switchboard_ready{check="store"}'), 0)
      assert.equal(valueOf(text, 'switchboard_ready{check="sessions"}'), 1)
      assert.equal(valueOf(text, 'switchboard_metrics_unreadable_total'), 4)
    })
  })
