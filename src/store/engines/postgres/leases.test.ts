// Leases on PostgreSQL: one live node at a time, whichever way the others have ended.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Database, openDatabase } from '../../../../test/support/database.ts'
import { engines, type Place } from '../../../../test/support/engines.ts'
import type { Leases } from '../../leases.ts'
import { isNodeLive } from '../../queries/nodes.ts'
import type { Store } from '../../store.ts'
import { openPostgresLeases } from './leases.ts'
import { openPostgresStore } from './open.ts'

const LEASE_MS = 60_000
const NONE = { gone: [], ended: [] }
const engine = engines.find(({ name }) => name === 'postgres')

if (engine) {
  describe('leases on PostgreSQL', () => {
    let place: Place
    let store: Store
    let database: Database
    let leases: Leases[]
    let lastId = 0
    before(async () => {
      place = await engine.place()
      store = await openPostgresStore(place.databaseUrl as string)
      database = await openDatabase(place)
      leases = Array.from({ length: 8 }, () => openPostgresLeases(place.databaseUrl as string))
    })
    after(async () => {
      await Promise.all(leases.map((each) => each.close()))
      await database.close()
      await store.close()
      await place.dispose()
    })
    const [first, second] = [() => leases[0] as Leases, () => leases[1] as Leases]
    async function register(by = first()): Promise<number> {
      lastId += 1
      await by.register({ id: lastId, name: `node ${lastId}`, startedAt: Date.now() }, LEASE_MS)
      return lastId
    }
    const reset = () => database.rows('delete from nodes')
    const end = (id: number) => database.rows(`update nodes set lease_until = 0 where id = ${id}`)

    test('of eight nodes that start at the same time, one is live', async () => {
      await reset()
      const ids = await Promise.all(leases.map((each) => register(each)))
      const live = await Promise.all(
        leases.map((each, index) => each.activate(ids[index] as number, LEASE_MS, NONE)),
      )
      assert.equal(live.filter(Boolean).length, 1)
    })

    test('a renewal names the other live nodes, and moves the lease on', async () => {
      await reset()
      const [one, other] = [await register(), await register()]
      assert.equal(await first().activate(one, LEASE_MS, NONE), true)
      const waiting = await second().renew(other, LEASE_MS)
      assert.equal(waiting.status, 'standby')
      assert.deepEqual(
        waiting.others.map(({ id, name }) => ({ id, name })),
        [{ id: one, name: `node ${one}` }],
      )
      await end(one)
      assert.equal((await first().renew(one, LEASE_MS)).status, 'live')
      const { others, databaseNow } = await second().renew(other, LEASE_MS)
      assert.ok((others[0]?.leaseUntil ?? 0) > databaseNow)
    })

    test('a node whose lease has not ended is not replaced, even if another node believes that it is gone', async () => {
      await reset()
      const [one, other] = [await register(), await register()]
      await first().activate(one, LEASE_MS, NONE)
      assert.equal(await second().activate(other, LEASE_MS, { gone: [one], ended: [] }), false)
      assert.equal((await first().renew(one, LEASE_MS)).status, 'live')
    })

    test('a node that was replaced stays dead: its late renewal changes nothing', async () => {
      await reset()
      const [one, other] = [await register(), await register()]
      await first().activate(one, LEASE_MS, NONE)
      await end(one)
      assert.equal(await second().activate(other, LEASE_MS, { gone: [one], ended: [] }), true)
      const late = await first().renew(one, LEASE_MS)
      assert.deepEqual([late.status, late.others.map(({ id }) => id)], ['dead', [other]])
      assert.equal(await first().activate(one, LEASE_MS, { gone: [other], ended: [] }), false)
    })

    test('a node whose process has ended is replaced at once, as is one that has left', async () => {
      await reset()
      const [one, other, third] = [await register(), await register(), await register()]
      await first().activate(one, LEASE_MS, NONE)
      assert.equal(await second().activate(other, LEASE_MS, { gone: [], ended: [one] }), true)
      await second().leave(other)
      assert.equal(await first().activate(third, LEASE_MS, NONE), true)
    })

    test('a takeover waits for a transaction that found its node live; the next one finds it dead', async () => {
      await reset()
      const [one, other] = [await register(), await register()]
      await first().activate(one, LEASE_MS, NONE)
      let takeover: Promise<boolean> | undefined
      const order: string[] = []
      await store.transaction(async (tx) => {
        assert.equal(await isNodeLive(tx, one), true)
        takeover = second()
          .activate(other, LEASE_MS, { gone: [], ended: [one] })
          .finally(() => order.push('taken over'))
        // The takeover has reached the server when its statement waits for this transaction.
        const waiting = `select count(*)::int as count from pg_stat_activity
          where datname = current_database() and application_name = 'switchboard lease' and wait_event_type = 'Lock'`
        while ((await database.rows<{ count: number }>(waiting))[0]?.count === 0);
        order.push('written')
      })
      assert.equal(await takeover, true)
      assert.deepEqual(order, ['written', 'taken over'])
      assert.equal(await store.transaction((tx) => isNodeLive(tx, one)), false)
    })
  })
}
