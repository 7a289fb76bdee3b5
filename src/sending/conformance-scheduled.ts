// Scheduled messages: counted apart, queued at their time in their order, and failed with the login. Queued ones end at their time.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { failWaitingMessages } from '../instances/instance-queries.ts'
import { cancelMessages, countStatuses, findMessage, listCancellable } from '../messages/message-queries.ts'
import { makeTenant, NOON, type Tenant, times } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import { accept, claim, contents, SENT, settle } from './conformance-sends.ts'
import * as scheduled from './queue-queries.ts'

const schedule = async (store: Store, { send }: Tenant, chat: string, content: string, sendAt: number) => {
  const wanted = send({ chat, content, sendAt })
  assert.deepEqual(await store.acceptSend(wanted), { outcome: 'accepted' })
  return wanted.messageId
}

const enqueue = (store: Store, { instanceId }: Tenant, now: number) =>
  store.instanceTransaction(instanceId, async (tx) => {
    const events = await scheduled.enqueueDue(tx, instanceId, now, (sendAt) => now - sendAt > 5000)
    await store.appendEvents(tx, events)
    return events
  })

const counts = (store: Store, { instanceId }: Tenant) =>
  store.db
    .selectFrom('instances')
    .select(['queued_count as queued', 'scheduled_count as scheduled'])
    .where('id', '=', instanceId)
    .executeTakeFirstOrThrow()

const rowOf = (store: Store, id: string) =>
  store.db
    .selectFrom('messages')
    .select(['status', 'late', 'lane_seq', 'failure_reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

export function scheduledConformance({ store: current }: Conformance): void {
  describe('scheduled messages', () => {
    test('a scheduled message is counted apart, and no claim takes it', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const outcomes = await Promise.all(
        times(3, (index) => store.acceptSend(tenant.send({ sendAt: index === 1 ? null : NOON + 1000 }))),
      )
      assert.ok(outcomes.every(({ outcome }) => outcome === 'accepted'))
      assert.deepEqual(await counts(store, tenant), { queued: 1, scheduled: 2 })
      assert.equal((await claim(store, { now: NOON + 5000, runLength: 4 })).length, 1)
    })

    test('due messages enter their lanes in the order of their times, behind queued ones', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await schedule(store, tenant, 'a', 'second', NOON + 2)
      await schedule(store, tenant, 'a', 'first', NOON + 1)
      const later = await schedule(store, tenant, 'a', 'later', NOON + 1000)
      await schedule(store, tenant, 'b', 'other chat', NOON + 1)
      await accept(store, tenant, 'a', 'queued')
      const events = await enqueue(store, tenant, NOON + 10)
      assert.deepEqual(
        events.map(({ data }) => JSON.parse(data).status),
        ['queued', 'queued', 'queued'],
      )
      assert.deepEqual(await counts(store, tenant), { queued: 4, scheduled: 1 })
      const claimed = await claim(store, { now: NOON + 10, runLength: 4 })
      assert.deepEqual(contents(claimed.filter(({ chat }) => chat === 'a')), ['queued', 'first', 'second'])
      assert.deepEqual(contents(claimed.filter(({ chat }) => chat === 'b')), ['other chat'])
      assert.equal((await rowOf(store, later)).status, 'scheduled')
      assert.deepEqual(await enqueue(store, tenant, NOON + 10), [], 'once')
    })

    test('a message that was due long ago is marked as late, and its time counts for the expiry', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const [punctual, late] = [
        await schedule(store, tenant, 'a', 'punctual', NOON + 9000),
        await schedule(store, tenant, 'b', 'late', NOON + 1000),
      ]
      await enqueue(store, tenant, NOON + 10_000)
      assert.deepEqual([(await rowOf(store, punctual)).late, (await rowOf(store, late)).late], [0, 1])
      const claimed = await claim(store, { now: NOON + 10_000 })
      assert.deepEqual(claimed.map(({ dueAt }) => dueAt).sort(), [NOON + 1000, NOON + 9000])
    })

    test('the instances with due messages and the next moment are found, for all or for one node', async () => {
      const store = current()
      const [one, two] = [await makeTenant(store), await makeTenant(store)]
      await schedule(store, one, 'a', 'x', NOON + 20)
      await schedule(store, two, 'a', 'y', NOON + 10)
      await store.acceptSend(two.send({ expiresAt: NOON + 5 }))
      const { db } = store
      assert.deepEqual(await scheduled.listInstancesWithDue(db, NOON), [])
      assert.deepEqual(await scheduled.listInstancesWithDue(db, NOON + 20), [two.instanceId, one.instanceId])
      assert.deepEqual(await scheduled.listInstancesWithDue(db, NOON + 20, 7), [])
      assert.deepEqual(await scheduled.listInstancesWithExpired(db, NOON + 5), [two.instanceId])
      assert.equal(await scheduled.nextMoment(db), NOON + 5)
      assert.equal(await scheduled.nextMoment(db, 7), undefined)
      await db.updateTable('instances').set({ node_id: 7 }).where('id', '=', one.instanceId).execute()
      assert.deepEqual(await scheduled.listInstancesWithDue(db, NOON + 20, 7), [one.instanceId])
      assert.equal(await scheduled.nextMoment(db, 7), NOON + 20)
    })

    test('a queued message fails at its expiresAt; one that is being sent does not', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const sends = times(2, () => tenant.send({ chat: 'a', expiresAt: NOON + 5 }))
      for (const send of sends) await store.acceptSend(send)
      await claim(store)
      const fail = (now: number) =>
        store.instanceTransaction(tenant.instanceId, (tx) =>
          scheduled.failExpired(tx, tenant.instanceId, now, 'Too late.'),
        )
      assert.deepEqual(await fail(NOON + 4), [])
      assert.equal((await fail(NOON + 5)).length, 1)
      const rows = await Promise.all(sends.map(({ messageId }) => rowOf(store, messageId)))
      assert.deepEqual(
        rows.map(({ status, failure_reason: reason }) => [status, reason]),
        [
          ['sending', null],
          ['failed', 'expired'],
        ],
      )
      assert.equal((await counts(store, tenant)).queued, 1)
    })

    test('the end of a login fails scheduled messages too', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const id = await schedule(store, tenant, 'a', 'x', NOON + 20)
      const events = await store.transaction((tx) =>
        failWaitingMessages(tx, tenant.instanceId, { reason: 'logged_out', error: 'Out.' }, NOON),
      )
      assert.equal(events.length, 1)
      assert.deepEqual(await counts(store, tenant), { queued: 0, scheduled: 0 })
      assert.equal((await rowOf(store, id)).failure_reason, 'logged_out')
    })

    test('a reference stays through scheduling and sending', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const wanted = tenant.send({ reference: 'campaign', sendAt: NOON + 1 })
      await store.acceptSend(wanted)
      await enqueue(store, tenant, NOON + 10)
      const [claimed] = await claim(store, { now: NOON + 10 })
      assert.ok(claimed && (await settle(store, claimed, SENT)))
      const stored = await findMessage(store.db, tenant.accountId, wanted.messageId)
      assert.deepEqual([stored?.status, stored?.reference], ['sent', 'campaign'])
    })

    test('messages of a reference are listed in pages and cancelled once, but not those that a worker has', async () => {
      const store = current()
      const [tenant, other] = [await makeTenant(store), await makeTenant(store)]
      const taken = tenant.send({ reference: 'campaign', chat: 'taken' })
      await store.acceptSend(taken)
      const [first] = await claim(store)
      assert.equal(first?.messageId, taken.messageId)
      const sends = [
        tenant.send({ reference: 'campaign', sendAt: NOON + 1000 }),
        tenant.send({ reference: 'campaign', createdAt: NOON - 5 }),
        tenant.send({ reference: 'another' }),
        tenant.send(),
        other.send({ reference: 'campaign' }),
      ]
      for (const send of sends) await store.acceptSend(send)
      const filter = {
        accountId: tenant.accountId,
        instanceId: undefined,
        walls: undefined,
        reference: 'campaign',
      }
      const page = await listCancellable(store.db, filter, undefined, 1)
      const rest = await listCancellable(store.db, filter, page[0], 10)
      const found = [...page, ...rest]
      assert.deepEqual(
        found.map(({ at }) => at),
        [NOON - 5, NOON],
      )
      const before = await counts(store, tenant)
      const chosen = { instanceId: tenant.instanceId, rowIds: found.map(({ rowId }) => rowId) }
      const cancel = () =>
        store.instanceTransaction(tenant.instanceId, async (tx) => {
          const events = await cancelMessages(tx, chosen, 'Cancelled.', NOON)
          await store.appendEvents(tx, events)
          return events.length
        })
      const canceled = await Promise.all([cancel(), cancel(), cancel()])
      assert.equal(
        canceled.reduce((sum, count) => sum + count, 0),
        2,
      )
      assert.deepEqual(await counts(store, tenant), {
        queued: before.queued - 1,
        scheduled: before.scheduled - 1,
      })
      assert.deepEqual(await listCancellable(store.db, filter, undefined, 10), [])
      assert.deepEqual(
        await countStatuses(store.db, filter),
        new Map([
          ['failed', 2],
          ['sending', 1],
        ]),
      )
      assert.equal((await counts(store, other)).queued, 1)
    })
  })
}
