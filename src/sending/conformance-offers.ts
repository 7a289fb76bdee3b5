// Sends that are claimed by the commit that accepts them, or that releases their lane, on engines where commits do that.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { accept, claim, contents, SENT, settle } from '../store/conformance/sends.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import type { ClaimedSend, ClaimRequest } from './outbox-claim.ts'

const REQUEST: ClaimRequest = {
  owner: 'offering',
  now: NOON,
  lockMs: 60_000,
  limit: 10,
  perInstance: 5,
  runLength: 4,
}

/** Offers to take sends during `work`, and returns what was taken, and what else the worker heard. */
async function whileOffered(
  store: Store,
  work: () => Promise<unknown>,
  request: ClaimRequest | null = REQUEST,
) {
  const taken: ClaimedSend[] = []
  const told: string[] = []
  const withdraw = store.offerClaim?.('claimSends', {
    wants: () => request ?? undefined,
    take: (claimed) => void taken.push(...claimed),
    failed: () => void told.push('failed'),
    missed: () => void told.push('missed'),
  })
  await work()
  withdraw?.()
  return { taken, told }
}

export function sendOffersConformance({ store: current }: Conformance): void {
  const offered = (name: string, run: (store: Store) => Promise<void>): void => {
    test(name, async (context: TestContext) => {
      if (current().offerClaim) await run(current())
      else context.skip('workers claim after the commit')
    })
  }

  describe('sends claimed with their cause', () => {
    offered('the commit that accepts a send claims it, and its events are in order', async (store) => {
      const tenant = await makeTenant(store)
      const { taken, told } = await whileOffered(store, () => accept(store, tenant, 'a', 'a1'))
      assert.deepEqual([contents(taken), told], [['a1'], []])
      assert.deepEqual(await claim(store), [], 'the lane is locked')
      const events = await store.db
        .selectFrom('events')
        .select('data')
        .where('instance_id', '=', tenant.instanceId)
        .orderBy('sequence')
        .execute()
      assert.deepEqual(
        events.map(({ data }) => (JSON.parse(data) as { status: string }).status),
        ['queued', 'sending'],
      )
    })

    offered('a locked lane is passed over, and claimed by the commit that releases it', async (store) => {
      const tenant = await makeTenant(store)
      const first = await whileOffered(store, () => accept(store, tenant, 'a', 'a1'))
      const others = () => Promise.all([accept(store, tenant, 'a', 'a2'), accept(store, tenant, 'a', 'a3')])
      assert.deepEqual(await whileOffered(store, others), { taken: [], told: [] })
      const released = await whileOffered(store, () => settle(store, first.taken[0] as ClaimedSend, SENT))
      assert.deepEqual([contents(released.taken), released.told], [['a2', 'a3'], []])
      const [second] = released.taken as [ClaimedSend]
      const kept = await whileOffered(store, () => settle(store, second, SENT, NOON, false))
      assert.deepEqual(kept, { taken: [], told: [] }, 'the run continues')
    })

    offered('a worker that takes nothing now hears that it has to claim', async (store) => {
      const tenant = await makeTenant(store)
      const refused = await whileOffered(store, () => accept(store, tenant, 'a', 'a1'), null)
      assert.deepEqual(refused, { taken: [], told: ['missed'] })
      const claimed = await whileOffered(store, async () => {
        const [, own] = await Promise.all([accept(store, tenant, 'b', 'b1'), claim(store)])
        assert.deepEqual(contents(own), ['a1', 'b1'])
      })
      assert.deepEqual(claimed, { taken: [], told: [] }, 'the commit has a claim of its own')
    })

    offered('a commit that fails claims nothing, and the worker hears of it', async (store) => {
      const tenant = await makeTenant(store)
      const { taken, told } = await whileOffered(store, () =>
        assert.rejects(store.acceptSend(tenant.send({ kind: null as never }))),
      )
      assert.deepEqual([taken, told, await claim(store)], [[], ['failed'], []])
    })
  })
}
