// Claiming sends: strict order per chat, one owner per lane, a limit per instance.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { MessageStatus } from '../contract/sending.ts'
import { cancelMessage, findMessage } from '../messages/message-queries.ts'
import { makeTenant, NOON, queuedCount, type Tenant, times } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import { accept, claim, contents, SENT, settle } from './conformance-sends.ts'
import { type ClaimedSend, type ClaimRequest, laneKey } from './outbox.ts'
import { chooseLanes, type LaneLimits, takeRun } from './rules.ts'

/** Pseudo-random and the same in every run. */
function createDice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * sides)
  }
}

/** Five lanes with up to four messages each, in every state that a lane can have. */
async function makeLanes(store: Store, { instanceId, send }: Tenant, dice: (sides: number) => number) {
  for (const chat of times(5, (index) => `chat-${index}`)) {
    for (const delayMs of times(1 + dice(4), () => (dice(4) === 0 ? 3000 : 0))) {
      await store.acceptSend(send({ chat, delayMs, createdAt: NOON - dice(4) }))
    }
    await store.db
      .updateTable('lanes')
      .set({ due_at: NOON - 2 + dice(4), locked_until: [null, null, NOON, NOON + 1][dice(4)] ?? null })
      .where('key', '=', laneKey({ instanceId, chat }))
      .execute()
  }
  // One message in five was claimed before.
  const rows = await store.db
    .selectFrom('messages')
    .select('row_id')
    .where('instance_id', '=', instanceId)
    .execute()
  const tried = rows.filter(() => dice(5) === 0).map((row) => row.row_id)
  if (tried.length > 0)
    await store.db.updateTable('messages').set({ status: 'sending' }).where('row_id', 'in', tried).execute()
}

/** What the lane-run rule takes from the lanes as they are stored. */
async function expectedClaim(
  store: Store,
  instanceIds: number[],
  { runLength, ...limits }: LaneLimits & { runLength: number },
): Promise<string[]> {
  const lanes = await store.db.selectFrom('lanes').selectAll().execute()
  const isLocked = ({ locked_until }: { locked_until: number | null }) =>
    locked_until !== null && locked_until > NOON
  const instances = instanceIds.map((id) => {
    const own = lanes.filter((lane) => lane.instance_id === id)
    const due = own.filter((lane) => !isLocked(lane) && lane.due_at !== null && lane.due_at <= NOON)
    return {
      locked: own.filter(isLocked).length,
      due: due.map((lane) => ({ key: lane.key, dueAt: lane.due_at as number })),
    }
  })
  const messages = await store.db.selectFrom('messages').selectAll().orderBy('lane_seq').execute()
  return chooseLanes(instances, limits).flatMap(({ key }) => {
    const waiting = messages
      .filter(({ lane }) => lane === key)
      .slice(0, runLength)
      .map(({ id, status, delay_ms }) => ({ id, status: status as MessageStatus, delayMs: delay_ms }))
    return takeRun(waiting).map(({ id }) => id)
  })
}

export function claimConformance({ engine, store: current, storeLocation }: Conformance): void {
  describe('claiming sends', () => {
    test('a claim returns the first message of each lane with everything needed to send it', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const messageId = await accept(store, tenant, 'a', 'a1')
      await accept(store, tenant, 'a', 'a2')
      await accept(store, tenant, 'b', 'b1')
      const claimed = await claim(store)
      assert.deepEqual(contents(claimed), ['a1', 'b1'])
      const { rowId: _rowId, lane: _lane, ...rest } = claimed[0] as ClaimedSend
      assert.deepEqual(rest, {
        fence: 1,
        accountId: tenant.accountId,
        instanceId: tenant.instanceId,
        messageId,
        chat: 'a',
        kind: 'text',
        content: 'a1',
        delayMs: 0,
        tries: 1,
        dueAt: NOON,
        expiresAt: null,
        restricted: false,
        disappearingSeconds: 0,
      })
      assert.equal((await findMessage(store.db, tenant.accountId, messageId))?.status, 'sending')
    })

    test('the messages of a lane are claimed first in, first out', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      for (const content of ['1', '2', '3', '4']) await accept(store, tenant, 'a', content)
      const seen: string[] = []
      for (let [head] = await claim(store); head; [head] = await claim(store)) {
        seen.push(head.content)
        assert.equal(await settle(store, head, SENT), true)
      }
      assert.deepEqual(seen, ['1', '2', '3', '4'])
      assert.equal(await queuedCount(store, tenant.instanceId), 0)
    })

    test('a run is the first messages of a lane, under one lock that is released with the last', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const ids = []
      for (const content of ['1', '2', '3', '4']) ids.push(await accept(store, tenant, 'a', content))
      const run = await claim(store, { runLength: 3 })
      assert.deepEqual(contents(run), ['1', '2', '3'])
      assert.deepEqual(new Set(run.map(({ fence }) => fence)), new Set([1]))
      const [first, second, third] = run as [ClaimedSend, ClaimedSend, ClaimedSend]
      assert.equal(await settle(store, first, SENT, NOON, false), true)
      assert.deepEqual(await claim(store, { owner: 'two' }), [], 'the lane is still locked')
      // Both share a commit.
      const both = [settle(store, second, SENT, NOON, false), settle(store, third, SENT)]
      assert.deepEqual(await Promise.all(both), [true, true])
      assert.equal(await settle(store, third, SENT), false, 'the lane was released')
      assert.deepEqual(contents(await claim(store, { owner: 'two', runLength: 3 })), ['4'])
      assert.equal(await queuedCount(store, tenant.instanceId), 1)
      const stored = await Promise.all(ids.map((id) => findMessage(store.db, tenant.accountId, id)))
      assert.deepEqual(
        stored.map((row) => row?.status),
        ['sent', 'sent', 'sent', 'sending'],
      )
    })

    test('a run ends before a message with a typing delay, which is claimed alone', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      for (const delayMs of [0, 0, 3000, 0])
        await store.acceptSend(tenant.send({ chat: 'a', delayMs, content: String(delayMs) }))
      const runs: string[][] = []
      for (
        let run = await claim(store, { runLength: 4 });
        run.length > 0;
        run = await claim(store, { runLength: 4 })
      ) {
        runs.push(contents(run))
        for (const [index, each] of run.entries())
          await settle(store, each, SENT, NOON, index === run.length - 1)
      }
      assert.deepEqual(runs, [['0', '0'], ['3000'], ['0']])
    })

    test('a retried message is claimed alone, and the rest of its run keeps its order', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      for (const content of ['1', '2', '3']) await accept(store, tenant, 'a', content)
      const [first] = await claim(store, { runLength: 2 })
      await settle(store, first as ClaimedSend, { kind: 'retry', at: NOON + 10 })
      assert.deepEqual(await claim(store, { runLength: 4 }), [])
      const later = { runLength: 4, now: NOON + 10 }
      const [again] = await claim(store, later)
      assert.equal(again?.content, '1')
      await settle(store, again, SENT, NOON + 10)
      assert.deepEqual(contents(await claim(store, later)), ['2'], 'it was claimed before')
    })

    test('a locked lane cannot be claimed, and later messages wait behind it', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      const [first] = await claim(store)
      await accept(store, tenant, 'a', 'a2')
      assert.deepEqual(await claim(store, { owner: 'two' }), [])
      await settle(store, first as ClaimedSend, SENT)
      assert.deepEqual(contents(await claim(store, { owner: 'two' })), ['a2'])
    })

    test('two owners at once: no lane has two owners, the order is kept, nothing is lost', async () => {
      const store = current()
      const other = engine.shared ? await storeLocation().open() : store
      try {
        const tenant = await makeTenant(store)
        for (const index of times(100, (each) => each)) {
          await accept(store, tenant, `chat-${index % 20}`, String(Math.floor(index / 20)))
        }
        const locked = new Set<string>()
        const seen = new Map<string, string[]>()
        const work = async (by: Store, owner: string) => {
          while ((await queuedCount(store, tenant.instanceId)) > 0) {
            for (const claimed of await claim(by, { owner, limit: 7, lockMs: 60_000 })) {
              assert.ok(!locked.has(claimed.lane), `${claimed.lane} has two owners`)
              locked.add(claimed.lane)
              seen.set(claimed.lane, [...(seen.get(claimed.lane) ?? []), claimed.content])
              await by.check()
              locked.delete(claimed.lane)
              assert.equal(await settle(by, claimed, SENT), true)
            }
          }
        }
        await Promise.all([work(store, 'one'), work(other, 'two')])
        assert.equal(seen.size, 20)
        for (const order of seen.values()) assert.deepEqual(order, ['0', '1', '2', '3', '4'])
      } finally {
        if (other !== store) await other.close()
      }
    })

    test('an instance never has more lanes locked than allowed, however many owners claim', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await Promise.all(times(40, (index) => accept(store, tenant, `chat-${index}`, 'hi')))
      const claims = await Promise.all(
        times(8, (index) => claim(store, { owner: `owner ${index}`, perInstance: 3, limit: 1 })),
      )
      const claimed = claims.flat()
      assert.equal(claimed.length, 3)
      await settle(store, claimed[0] as ClaimedSend, SENT)
      assert.equal((await claim(store, { perInstance: 3 })).length, 1)
    })

    test('an instance at its limit does not block another', async () => {
      const store = current()
      const [busy, other] = [await makeTenant(store), await makeTenant(store)]
      await Promise.all(times(200, (index) => accept(store, busy, `chat-${index}`, 'busy')))
      await claim(store, { perInstance: 2, limit: 2 })
      await accept(
        store,
        { ...other, send: (change) => other.send({ createdAt: NOON + 1, ...change }) },
        'a',
        'other',
      )
      const claimed = await claim(store, { perInstance: 2, limit: 2, now: NOON + 1 })
      assert.deepEqual(contents(claimed), ['other'])
    })

    test('a claim takes no more lanes than its limit, the longest due first', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      for (const [chat, ageMs] of [
        ['young', 1],
        ['old', 3],
        ['middle', 2],
      ] as const) {
        await store.acceptSend(tenant.send({ chat, createdAt: NOON - ageMs, content: chat }))
      }
      assert.deepEqual(contents(await claim(store, { limit: 2 })), ['old', 'middle'])
      assert.deepEqual(contents(await claim(store, { limit: 2 })), ['young'])
    })

    test('cancelled messages are skipped, and a lane without others rests until the next send', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const cancel = (messageId: string) =>
        store.transaction(async (tx) => {
          const row = await findMessage(tx, tenant.accountId, messageId)
          assert.ok(row && (await cancelMessage(tx, row, 'Cancelled.', NOON)))
        })
      await cancel(await accept(store, tenant, 'a', 'a1'))
      await accept(store, tenant, 'a', 'a2')
      await cancel(await accept(store, tenant, 'b', 'b1'))
      const claimed = await claim(store)
      assert.deepEqual(contents(claimed), ['a2'])
      assert.equal(await queuedCount(store, tenant.instanceId), 1)
      await accept(store, tenant, 'b', 'b2')
      assert.deepEqual(contents(await claim(store)), ['b2'])
    })

    test('a lane is free when its lock expires, and the next claim gets a new fencing token', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      const [first] = await claim(store, { lockMs: 1000 })
      assert.deepEqual(await claim(store, { owner: 'two', now: NOON + 999 }), [])
      const [second] = await claim(store, { owner: 'two', now: NOON + 1000 })
      assert.equal(second?.messageId, first?.messageId)
      assert.deepEqual([second?.tries, second?.fence], [2, (first?.fence ?? 0) + 1])
    })

    test('a renewed lock keeps the lane until its new end, past the end of the first lock', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      await accept(store, tenant, 'b', 'b1')
      const [a, b] = (await claim(store, { lockMs: 1000 })) as [ClaimedSend, ClaimedSend]
      assert.equal(await store.renewClaim({ ...a, lockedUntil: NOON + 5000 }), true)
      assert.deepEqual(contents(await claim(store, { owner: 'two', now: NOON + 1000 })), ['b1'])
      // In one commit with a claim, at a time when the lock would have expired.
      const [renewed, claimed] = await Promise.all([
        store.renewClaim({ ...a, lockedUntil: NOON + 9000 }),
        claim(store, { owner: 'two', now: NOON + 5000 }),
      ])
      assert.deepEqual([renewed, contents(claimed)], [true, ['b1']])
      assert.deepEqual(contents(await claim(store, { owner: 'two', now: NOON + 9000 })).sort(), ['a1', 'b1'])
      assert.equal(await settle(store, b, SENT), false)
    })

    test('a lock that has expired is renewed only while its fencing token is the newest', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      const [first] = (await claim(store, { lockMs: 1000 })) as [ClaimedSend]
      assert.equal(await store.renewClaim({ ...first, lockedUntil: NOON + 3000 }), true)
      const [second] = (await claim(store, { owner: 'two', now: NOON + 3000 })) as [ClaimedSend]
      assert.equal(await store.renewClaim({ ...first, lockedUntil: NOON + 60_000 }), false)
      const both = [
        store.renewClaim({ ...first, lockedUntil: NOON + 60_000 }),
        store.renewClaim({ ...second, lockedUntil: NOON + 6000 }),
        store.renewClaim({ ...second, lockedUntil: NOON + 7000 }),
      ]
      assert.deepEqual(await Promise.all(both), [false, true, true])
      assert.deepEqual(await claim(store, { now: NOON + 6999 }), [])
      assert.equal(await settle(store, second, SENT), true)
    })

    test('a released lane is not locked by a late renewal', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await accept(store, tenant, 'a', 'a1')
      await accept(store, tenant, 'a', 'a2')
      const [head] = (await claim(store)) as [ClaimedSend]
      assert.equal(await settle(store, head, SENT), true)
      assert.equal(await store.renewClaim({ ...head, lockedUntil: NOON + 60_000 }), false)
      assert.deepEqual(contents(await claim(store)), ['a2'])
    })

    for (const seed of [1, 2, 3, 4]) {
      test(`a claim takes the lanes and runs that the rule chooses (lanes of seed ${seed})`, async () => {
        const store = current()
        const dice = createDice(seed)
        const tenants = await Promise.all(times(4, () => makeTenant(store)))
        for (const tenant of tenants) await makeLanes(store, tenant, dice)
        const [closed, ...open] = tenants.map(({ instanceId }) => instanceId)
        await store.db
          .updateTable('instances')
          .set({ state: 'connecting' })
          .where('id', '=', closed as number)
          .execute()
        for (const limits of [
          { limit: 3, perInstance: 2, runLength: 2 },
          { limit: 100, perInstance: 3, runLength: 3 },
          { limit: 100, perInstance: 100, runLength: 4 },
        ]) {
          const expected = await expectedClaim(store, open, limits)
          const claimed = await claim(store, { ...limits, lockMs: 60_000 })
          assert.deepEqual(
            claimed.map(({ messageId }) => messageId),
            expected,
            JSON.stringify(limits),
          )
        }
      })
    }
  })
}

// Sends that are claimed by the commit that accepts them, or that releases their lane, on engines where commits do that.

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
