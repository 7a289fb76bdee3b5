// Sends of keys with walls: counted per key and day without a race, and kept until a person decides.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readUsage } from '../accounts/account-queries.ts'
import { failWaitingMessages } from '../instances/instance-queries.ts'
import { makeInstance, makeTenant, NOON, PERIOD, type Tenant, times } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import * as approvals from './approval-queries.ts'
import { claim } from './conformance-sends.ts'
import { enqueueDue } from './queue-queries.ts'
import type { KeyTerms } from './rules.ts'

const DAY = NOON - (NOON % 86_400_000)
const key = (change: Partial<KeyTerms> = {}): KeyTerms => ({
  id: 7,
  perDay: null,
  day: DAY,
  approveBy: null,
  ...change,
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
    .select(['status', 'lane', 'send_at', 'failure_reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

export function keySendsConformance({ store: current }: Conformance): void {
  describe('sends of keys with walls', () => {
    test('of many sends at once, as many as the key may send in a day are accepted', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const other = await makeInstance(store, tenant.accountId)
      const limited = key({ perDay: 25 })
      // Several ticks and two instances, so that several commits compete.
      const rounds = times(6, async (round) => {
        for (let turn = 0; turn < round; turn += 1) await Promise.resolve()
        const instanceId = round % 2 === 0 ? other : tenant.instanceId
        return Promise.all(times(10, () => store.acceptSend(tenant.send({ instanceId, key: limited }))))
      })
      const outcomes = (await Promise.all(rounds)).flat().map(({ outcome }) => outcome)
      assert.equal(outcomes.filter((outcome) => outcome === 'accepted').length, 25)
      assert.equal(outcomes.filter((outcome) => outcome === 'key_limit_reached').length, 35)
      const refused = await store.acceptSend(tenant.send({ key: limited }))
      assert.deepEqual(refused, { outcome: 'key_limit_reached', used: 25 })
      const next = tenant.send({ key: key({ perDay: 25, day: DAY + 86_400_000 }) })
      assert.deepEqual(await store.acceptSend(next), { outcome: 'accepted' })
      const another = tenant.send({ key: key({ id: 8, perDay: 25 }) })
      assert.deepEqual(await store.acceptSend(another), { outcome: 'accepted' })
      assert.deepEqual(await store.acceptSend(tenant.send()), { outcome: 'accepted' })
    })

    test('a send that takes several is counted as them, and one that takes none is always accepted', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const limits = { key: key({ id: 10, perDay: 5 }), messageLimit: 9 }
      const accept = (amount: number) =>
        store.acceptSend(tenant.send({ ...limits, messages: amount, sends: amount }))
      const outcomes = await Promise.all([3, 3, 0, 2, 0, 1].map(accept))
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        ['accepted', 'key_limit_reached', 'accepted', 'accepted', 'accepted', 'key_limit_reached'],
      )
      // Read again from the database.
      assert.deepEqual(await accept(1), { outcome: 'key_limit_reached', used: 5 })
      const { accountId } = tenant
      assert.equal(await readUsage(store.db, { accountId, resource: 'messages', period: PERIOD }), 5)
      assert.equal((await counts(store, tenant)).queued, 4)
    })

    test('a repeated request is not counted again', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const idempotency = { key: 'once', fingerprint: 'f', answer: '{}' }
      const send = () => store.acceptSend(tenant.send({ key: key({ id: 9, perDay: 1 }), idempotency }))
      assert.equal((await send()).outcome, 'accepted')
      assert.equal((await send()).outcome, 'replayed')
    })

    test('a send that needs approval is stored, listed and in no lane', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const send = tenant.send({ key: key({ approveBy: NOON + 100 }) })
      await store.acceptSend(send)
      assert.deepEqual(await rowOf(store, send.messageId), {
        status: 'awaiting_approval',
        lane: null,
        send_at: null,
        failure_reason: null,
      })
      assert.deepEqual(await counts(store, tenant), { queued: 0, scheduled: 1 })
      const claimed = await claim(store, { now: NOON + 5000, runLength: 4 })
      assert.deepEqual(
        claimed.filter(({ instanceId }) => instanceId === tenant.instanceId),
        [],
      )
      const waiting = await approvals.findWaiting(store.db, send)
      assert.deepEqual([waiting?.expires_at, waiting?.key_id], [NOON + 100, 7])
    })

    test('an approved send enters its lane once', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const { instanceId } = tenant
      const send = tenant.send({ key: key({ approveBy: NOON + 100 }) })
      await store.acceptSend(send)
      await store.instanceTransaction(instanceId, async (tx) => {
        const waiting = await approvals.findWaiting(tx, send)
        await approvals.recordDecision(tx, send, { decision: 'approved', by: 'key:1', at: NOON })
        await approvals.scheduleApproved(tx, waiting?.row_id ?? 0, NOON, NOON)
        await store.appendEvents(tx, await enqueueDue(tx, instanceId, NOON, () => false))
      })
      assert.deepEqual(await counts(store, tenant), { queued: 1, scheduled: 0 })
      assert.equal((await rowOf(store, send.messageId)).status, 'queued')
      assert.equal(await approvals.findWaiting(store.db, send), undefined)
    })

    test('a send without approval fails when it expires, and others keep waiting', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const { instanceId } = tenant
      const early = tenant.send({ key: key({ approveBy: NOON + 10 }) })
      const late = tenant.send({ key: key({ approveBy: NOON + 20 }) })
      for (const send of [early, late]) await store.acceptSend(send)
      assert.ok(((await approvals.nextApprovalEnd(store.db)) ?? Infinity) <= NOON + 10)
      assert.ok((await approvals.listInstancesWithExpiredApprovals(store.db, NOON + 10)).includes(instanceId))
      const events = await store.instanceTransaction(instanceId, async (tx) => {
        const failed = await approvals.failExpiredApprovals(tx, instanceId, NOON + 10, 'too late')
        await store.appendEvents(tx, failed)
        return failed
      })
      assert.deepEqual(
        events.map(({ data }) => JSON.parse(data).failure.reason),
        ['expired'],
      )
      assert.equal((await rowOf(store, early.messageId)).failure_reason, 'expired')
      assert.equal((await rowOf(store, late.messageId)).status, 'awaiting_approval')
      assert.deepEqual(await counts(store, tenant), { queued: 0, scheduled: 1 })
    })

    test('the owner is asked about a send until the question is marked as asked, and an answer finds it until it is decided', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const { instanceId } = tenant
      const question = { id: 'Q1', code: 'K7F3M' }
      const send = tenant.send({ key: key({ approveBy: NOON + 100, question }) })
      const silent = tenant.send({ key: key({ approveBy: NOON + 100 }) })
      for (const one of [send, silent]) await store.acceptSend(one)
      const due = async (now: number) =>
        (await approvals.listDueQuestions(store.db, now, undefined, 500))
          .filter((one) => one.instanceId === instanceId)
          .map(({ messageId, questionId, code }) => ({ messageId, questionId, code }))
      const { messageId } = send
      const expected = { messageId, questionId: 'Q1', code: 'K7F3M' }
      assert.deepEqual(await due(send.createdAt - 1), [])
      assert.deepEqual(await due(send.createdAt), [expected])
      assert.ok(((await approvals.nextQuestion(store.db)) ?? Infinity) <= send.createdAt)
      await approvals.setAskAt(store.db, send, send.createdAt + 5)
      assert.deepEqual(await due(send.createdAt + 4), [])
      assert.deepEqual(await due(send.createdAt + 5), [expected])
      await approvals.setAskAt(store.db, send, null)
      assert.deepEqual(await due(send.createdAt + 50), [])
      const find = (code?: string, quoted?: string) =>
        approvals.listAsked(store.db, instanceId, { code, quoted })
      assert.deepEqual(await find('K7F3M'), [expected])
      assert.deepEqual(await find(undefined, 'Q1'), [expected])
      assert.deepEqual([await find('OTHER', 'Q2'), await find()], [[], []])
      await store.instanceTransaction(instanceId, (tx) =>
        approvals.recordDecision(tx, send, { decision: 'approved', by: 'phone', at: NOON }),
      )
      assert.deepEqual(await find('K7F3M', 'Q1'), [])
    })

    test('sends that wait for approval fail with the login', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const send = tenant.send({ key: key({ approveBy: NOON + 100 }) })
      await store.acceptSend(send)
      await store.instanceTransaction(tenant.instanceId, async (tx) => {
        const failure = { reason: 'logged_out', error: 'gone' } as const
        await store.appendEvents(tx, await failWaitingMessages(tx, tenant.instanceId, failure, NOON))
      })
      assert.equal((await rowOf(store, send.messageId)).failure_reason, 'logged_out')
    })
  })
}
