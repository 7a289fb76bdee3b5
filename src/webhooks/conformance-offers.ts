// Deliveries that are claimed by the commit that causes them, or that releases their lane, on engines where commits do that.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { receivedMessage, reportOf } from '../receiving/conformance-arrivals.ts'
import { makeTenant, NOON, type Tenant } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import { claim, DELIVERED, LOCK_MS, settle } from './conformance-claim.ts'
import { makeHook } from './conformance-webhooks.ts'
import type { ClaimedDeliveries, DeliveryClaimRequest } from './deliveries-store.ts'

const REQUEST: DeliveryClaimRequest = { now: NOON, lockMs: LOCK_MS, limit: 100, perWebhook: 4, runLength: 1 }

/** Offers to take deliveries during `work`, and returns what was taken, and what listeners of events were told. */
async function whileOffered(
  store: Store,
  work: () => Promise<unknown>,
  request: DeliveryClaimRequest | null = REQUEST,
) {
  const taken: ClaimedDeliveries[] = []
  const told: boolean[] = []
  const ends = [
    store.onEvents(({ areDeliveriesDue }) => void told.push(areDeliveriesDue)),
    store.offerClaim?.('claimDeliveries', {
      wants: () => request ?? undefined,
      take: (claimed) => void taken.push(...claimed),
    }),
  ]
  await work()
  for (const end of ends) end?.()
  return { taken, told }
}

const receive = (store: Store, tenant: Tenant, id: string) =>
  store.recordReports([reportOf(tenant, { messages: [receivedMessage(tenant, id)] })])

const idsOf = (claims: ClaimedDeliveries[]): string[] =>
  claims.flatMap(({ deliveries }) =>
    deliveries.map(({ data }) => (JSON.parse(data) as { messageId: string }).messageId),
  )

export function deliveryOffersConformance({ store: current }: Conformance): void {
  const offered = (name: string, run: (store: Store) => Promise<void>): void => {
    test(name, async (context: TestContext) => {
      if (current().offerClaim) await run(current())
      else context.skip('workers claim after the commit')
    })
  }

  test('listeners of events hear of deliveries that are due, and not of events that no webhook wants', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const told: boolean[] = []
    const end = store.onEvents(({ areDeliveriesDue }) => void told.push(areDeliveriesDue))
    await receive(store, tenant, 'one')
    await makeHook(store, tenant, { events: ['messages.upsert'] })
    await receive(store, tenant, 'two')
    end()
    assert.equal(told.at(-1), true)
    // A commit on SQLite claims deliveries instead of counting them.
    if (store.offerClaim === undefined) assert.equal(told[0], false)
  })

  describe('deliveries claimed with their cause', () => {
    offered(
      'the commit that causes a delivery claims it, and listeners hear that none is due',
      async (store) => {
        const tenant = await makeTenant(store)
        await makeHook(store, tenant, { events: ['messages.upsert'] })
        const { taken, told } = await whileOffered(store, () => receive(store, tenant, 'one'))
        assert.deepEqual([idsOf(taken), told], [['one'], [false]])
        assert.deepEqual(await claim(store), [], 'the lane is locked')
      },
    )

    offered('a locked lane is passed over, and claimed by the commit that releases it', async (store) => {
      const tenant = await makeTenant(store)
      await makeHook(store, tenant, { events: ['messages.upsert'] })
      const first = await whileOffered(store, () => receive(store, tenant, 'one'))
      const second = await whileOffered(store, () => receive(store, tenant, 'two'))
      assert.deepEqual(second, { taken: [], told: [false] })
      const third = await whileOffered(store, () => settle(store, first.taken[0], DELIVERED))
      assert.deepEqual([idsOf(third.taken), third.told], [['two'], []])
    })

    offered('without an offer, or with one that takes nothing now, the worker claims', async (store) => {
      const tenant = await makeTenant(store)
      await makeHook(store, tenant, { events: ['messages.upsert'] })
      const refused = await whileOffered(store, () => receive(store, tenant, 'one'), null)
      assert.deepEqual(refused, { taken: [], told: [true] })
      await receive(store, tenant, 'two')
      assert.deepEqual(idsOf(await claim(store, { runLength: 2 })), ['one', 'two'])
    })

    offered('a commit that fails claims nothing', async (store) => {
      const tenant = await makeTenant(store)
      await makeHook(store, tenant, { events: ['messages.upsert'] })
      const broken = receivedMessage(tenant, 'one', { status: null as never })
      const { taken } = await whileOffered(store, () =>
        assert.rejects(store.recordReports([reportOf(tenant, { messages: [broken] })])),
      )
      assert.deepEqual([taken, await claim(store)], [[], []])
    })
  })
}
