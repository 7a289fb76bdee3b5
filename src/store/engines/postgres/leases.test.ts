// Leases on PostgreSQL: one live node at a time, whichever way the others have ended.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Database, openDatabase } from '../../../../test/support/database.ts'
import { engines, type StoreLocation } from '../../../../test/support/engines.ts'
import {
  claimOwnInstance,
  findOwner,
  lockOwnInstance,
  releaseInstances,
  takeInstance,
  takeInstances,
} from '../../../instances/owner-queries.ts'
import { accept, claim, contents } from '../../../sending/conformance-sends.ts'
import { makeTenant } from '../../conformance/tenant.ts'
import type { Leases } from '../../leases.ts'
import type { Store } from '../../store.ts'
import { openPostgresLeases } from './leases.ts'
import { openPostgresStore } from './open.ts'

const LEASE_MS = 60_000
const NONE = { gone: [], ended: [] }
const engine = engines.find(({ name }) => name === 'postgres')

if (engine) {
  describe('leases on PostgreSQL', () => {
    let storeLocation: StoreLocation
    let store: Store
    let database: Database
    let leases: Leases[]
    let lastId = 0
    before(async () => {
      storeLocation = await engine.createLocation()
      store = await openPostgresStore(storeLocation.databaseUrl as string)
      database = await openDatabase(storeLocation)
      leases = Array.from({ length: 8 }, () => openPostgresLeases(storeLocation.databaseUrl as string))
    })
    after(async () => {
      await Promise.all(leases.map((each) => each.close()))
      await database.close()
      await store.close()
      await storeLocation.dispose()
    })
    const [first, second] = [() => leases[0] as Leases, () => leases[1] as Leases]
    async function register(by = first(), url: string | null = null): Promise<number> {
      lastId += 1
      await by.register({ id: lastId, name: `node ${lastId}`, url, version: '1' }, LEASE_MS)
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
      const waiting = await second().renew(other, LEASE_MS, 0)
      assert.equal(waiting.status, 'standby')
      assert.deepEqual(
        waiting.others.map(({ id, name }) => ({ id, name })),
        [{ id: one, name: `node ${one}` }],
      )
      await end(one)
      assert.equal((await first().renew(one, LEASE_MS, 0)).status, 'live')
      const { others, databaseNow } = await second().renew(other, LEASE_MS, 0)
      assert.ok((others[0]?.leaseUntil ?? 0) > databaseNow)
    })

    test('a renewal shows what the row said before, so that lost commits are noticed', async () => {
      await reset()
      const id = await register()
      const { renewed } = await first().renew(id, LEASE_MS, 0)
      const { found } = await first().renew(id, LEASE_MS, 0)
      assert.equal(found.leaseUntil, renewed?.leaseUntil)
      assert.match(found.timeline ?? '', /^[0-9A-F]{8}$/)
      await end(id)
      assert.equal((await first().renew(id, LEASE_MS, 0)).found.leaseUntil, 0)
    })

    test('of several nodes that notice lost commits, one recovers, and numbers of then are not given out again', async () => {
      await reset()
      await database.rows(`delete from facts where name = 'commits_lost'`)
      const tenant = await makeTenant(store)
      const numbers = () =>
        database.rows<{ fence: string; sequence: string; position: string }>(
          `select fence, event_sequence as sequence, event_position as position
           from instances join accounts on accounts.id = account_id where instances.id = ${tenant.instanceId}`,
        )
      const [before] = await numbers()
      const id = await register()
      const { renewed, found } = await first().renew(id, LEASE_MS, 0)
      assert.ok(renewed)
      const lost = { loss: 'certain' as const, known: renewed, found: { ...found, now: renewed.at + 1 } }
      const done = await Promise.all(leases.map((each) => each.recover(lost)))
      assert.equal(done.filter(Boolean).length, 1)
      const [after] = await numbers()
      for (const name of ['fence', 'sequence', 'position'] as const)
        assert.ok(Number(after?.[name]) - Number(before?.[name]) >= 1_000_000, name)
    })

    test('a node whose lease has not ended is not replaced, even if another node believes that it is gone', async () => {
      await reset()
      const [one, other] = [await register(), await register()]
      await first().activate(one, LEASE_MS, NONE)
      assert.equal(await second().activate(other, LEASE_MS, { gone: [one], ended: [] }), false)
      assert.equal((await first().renew(one, LEASE_MS, 0)).status, 'live')
    })

    test('a node that was replaced stays dead: its late renewal changes nothing', async () => {
      await reset()
      const [one, other] = [await register(), await register()]
      await first().activate(one, LEASE_MS, NONE)
      await end(one)
      assert.equal(await second().activate(other, LEASE_MS, { gone: [one], ended: [] }), true)
      const late = await first().renew(one, LEASE_MS, 0)
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

    test('nodes with an address are live side by side; one without must be alone', async () => {
      await reset()
      const [one, other] = [
        await register(first(), 'http://one:7000'),
        await register(second(), 'http://other:7000'),
      ]
      const alone = await register()
      assert.equal(await first().activate(one, LEASE_MS, NONE), true)
      assert.equal(await first().activate(alone, LEASE_MS, NONE), false)
      assert.equal(await second().activate(other, LEASE_MS, NONE), true)
      const { others } = await first().renew(one, LEASE_MS, 3)
      assert.deepEqual(
        others.map(({ id, url, isDraining }) => ({ id, url, isDraining })),
        [{ id: other, url: 'http://other:7000', isDraining: false }],
      )
      assert.equal((await second().renew(other, LEASE_MS, 0)).others[0]?.instances, 3)
      await second().setDraining(other, true)
      assert.equal((await first().renew(one, LEASE_MS, 3)).others[0]?.isDraining, true)
      await end(other)
      assert.deepEqual(await first().end(one, [other]), [other])
      assert.deepEqual(await first().end(one, [other]), [], 'one node declares another dead once')
    })
  })

  describe('the owners of instances on PostgreSQL', () => {
    let storeLocation: StoreLocation
    let store: Store
    let leases: Leases
    before(async () => {
      storeLocation = await engine.createLocation()
      store = await openPostgresStore(storeLocation.databaseUrl as string)
      leases = openPostgresLeases(storeLocation.databaseUrl as string)
    })
    after(async () => {
      await leases.close()
      await store.close()
      await storeLocation.dispose()
    })
    let lastId = 1000
    async function liveNode(): Promise<number> {
      lastId += 1
      const id = lastId
      await leases.register({ id, name: 'node', url: `http://node-${id}:7000`, version: '1' }, LEASE_MS)
      assert.equal(await leases.activate(id, LEASE_MS, NONE), true)
      return id
    }
    const instanceWithLogin = async () => (await makeTenant(store)).instanceId
    const takenBy = async (nodeId: number) => new Set(await takeInstances(store.db, nodeId, 1000))

    test('eight nodes that take at the same time get different instances, and all together every one', async () => {
      const nodes = await Promise.all(Array.from({ length: 8 }, liveNode))
      const ids = await Promise.all(Array.from({ length: 40 }, instanceWithLogin))
      const taken: number[] = []
      for (let round = 0; round < 20; round += 1) {
        const got = await Promise.all(nodes.map((node) => takeInstances(store.db, node, 3)))
        taken.push(...got.flat())
      }
      assert.deepEqual(
        taken.toSorted((a, b) => a - b),
        ids.toSorted((a, b) => a - b),
      )
    })

    test('an instance of a live or draining node is not taken; that of a dead one is, with a new fencing token', async () => {
      const [one, other] = [await liveNode(), await liveNode()]
      const id = await instanceWithLogin()
      assert.ok((await takenBy(one)).has(id))
      const fence = (await claimOwnInstance(store.db, one, id)) as number
      assert.equal(await takeInstance(store.db, other, id), false)
      await leases.setDraining(one, true)
      assert.deepEqual(await takenBy(other), new Set())
      assert.deepEqual(await takenBy(one), new Set(), 'a draining node takes nothing')
      await leases.leave(one)
      assert.ok((await takenBy(other)).has(id))
      const write = { instanceId: id, fence, keys: [], arrivals: [] }
      assert.equal(await store.saveSession(write), false)
      assert.equal(await claimOwnInstance(store.db, one, id), undefined)
      assert.equal((await findOwner(store.db, id))?.nodeId, other)
    })

    test('a released instance has no owner, and its former node can write nothing any more', async () => {
      const [one, other] = [await liveNode(), await liveNode()]
      const id = await instanceWithLogin()
      assert.equal(await takeInstance(store.db, one, id), true)
      assert.equal(await store.transaction((tx) => lockOwnInstance(tx, one, id)), true)
      assert.equal(await store.transaction((tx) => lockOwnInstance(tx, other, id)), false)
      await releaseInstances(store.db, other, [id])
      assert.equal((await findOwner(store.db, id))?.nodeId, one, 'only its own node releases it')
      await releaseInstances(store.db, one, [id])
      assert.equal(await findOwner(store.db, id), undefined)
      assert.equal(await store.transaction((tx) => lockOwnInstance(tx, one, id)), false)
      assert.equal(await takeInstance(store.db, other, id), true)
    })

    test('a node claims the sends of its own instances only, before and after a takeover', async () => {
      const [one, other] = [await liveNode(), await liveNode()]
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'hello')
      await takeInstance(store.db, one, tenant.instanceId)
      const claimedBy = async (nodeId: number) => contents(await claim(store, { nodeId }))
      assert.deepEqual(await claimedBy(other), [])
      assert.deepEqual(await claimedBy(one), ['hello'])
      await leases.leave(one)
      await takenBy(other)
      assert.deepEqual(await claimedBy(one), [])
      assert.deepEqual(await claimedBy(other), ['hello'], 'the lane of the former node is free')
    })

    test('a takeover skips an instance that a transaction of its node has locked, and gets it afterwards', async () => {
      const [one, other] = [await liveNode(), await liveNode()]
      const id = await instanceWithLogin()
      await takeInstance(store.db, one, id)
      await store.transaction(async (tx) => {
        assert.equal(await lockOwnInstance(tx, one, id), true)
        await leases.leave(one)
        assert.equal((await takenBy(other)).has(id), false)
      })
      assert.equal((await takenBy(other)).has(id), true)
    })
  })
}
