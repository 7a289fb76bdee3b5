// Accepting sends: one durable commit for many calls, in their order, each decided separately.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readUsage } from '../accounts/account-queries.ts'
import { failWaitingMessages, updateInstance } from '../instances/instance-queries.ts'
import { isStoreError } from '../kernel/store-error.ts'
import {
  makeInstance,
  makeTenant,
  NOON,
  PERIOD,
  queuedCount,
  removeInstance,
  type Tenant,
  times,
} from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { CommitMeasure, Store } from '../store/store.ts'
import { laneKey } from './outbox.ts'
import { type AcceptOutcome, IDEMPOTENCY_TTL_MS, QUEUE_CAP } from './rules.ts'

const messages = (store: Store, { accountId }: Tenant) =>
  store.db.selectFrom('messages').selectAll().where('account_id', '=', accountId).orderBy('row_id').execute()
const used = (store: Store, { accountId }: Tenant, period = PERIOD) =>
  readUsage(store.db, { accountId, resource: 'messages', period })
const count = (outcomes: AcceptOutcome[], outcome: AcceptOutcome['outcome']): number =>
  outcomes.filter((each) => each.outcome === outcome).length

export function acceptConformance({ engine, store: current }: Conformance): void {
  describe('accepting sends', () => {
    test('an accepted send has its message, lane, queue count and usage', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const send = tenant.send({ content: '{"message":"Olá 👋"}', delayMs: 1234 })
      assert.deepEqual(await store.acceptSend(send), { outcome: 'accepted' })

      const [row] = await messages(store, tenant)
      assert.deepEqual(
        [
          row?.id,
          row?.status,
          row?.content,
          row?.delay_ms,
          row?.lane,
          row?.lane_seq,
          row?.tries,
          row?.created_at,
        ],
        [send.messageId, 'queued', send.content, 1234, laneKey(send), 1, 0, NOON],
      )
      assert.equal(await queuedCount(store, tenant.instanceId), 1)
      assert.equal(await used(store, tenant), 1)
      const lane = await store.db
        .selectFrom('lanes')
        .selectAll()
        .where('key', '=', laneKey(send))
        .executeTakeFirstOrThrow()
      assert.deepEqual([lane.due_at, lane.last_seq, lane.locked_until], [NOON, 1, null])
    })

    test('calls made in the same tick share one commit', async () => {
      const storeLocation = await engine.createLocation()
      const commits: CommitMeasure[] = []
      const store = await storeLocation.open({ onCommit: (measure) => void commits.push(measure) })
      try {
        const { send } = await makeTenant(store)
        await Promise.all(times(200, () => store.acceptSend(send())))
        assert.deepEqual(
          commits.map(({ size }) => size),
          [200],
        )
      } finally {
        await store.close()
        await storeLocation.dispose()
      }
    })

    test('messages are stored in the order of the calls, in each lane and overall', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const sends = times(600, (index) => tenant.send({ chat: `chat-${index % 3}`, content: String(index) }))
      await Promise.all(sends.map((send) => store.acceptSend(send)))
      const rows = await messages(store, tenant)
      for (const chat of ['chat-0', 'chat-1', 'chat-2']) {
        const lane = rows.filter((row) => row.chat === chat)
        assert.deepEqual(
          lane.map((row) => row.content),
          sends.filter((send) => send.chat === chat).map((send) => send.content),
        )
        assert.deepEqual(
          lane.map((row) => row.lane_seq),
          times(200, (index) => index + 1),
        )
      }
    })

    test('the event names the account with both identifiers, in the form of every other person', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const { instanceId } = tenant
      await updateInstance(store.db, instanceId, { number: '5511900000001', lid: '77', profile_name: 'Ana' })
      await store.acceptSend(tenant.send())
      const { data } = await store.db
        .selectFrom('events')
        .select('data')
        .where('instance_id', '=', instanceId)
        .executeTakeFirstOrThrow()
      const from = {
        chat: '5511900000001@s.whatsapp.net',
        number: '5511900000001',
        jid: '5511900000001@s.whatsapp.net',
        lid: '77@lid',
        username: null,
        phone: '5511900000001',
        pushName: 'Ana',
      }
      assert.deepEqual((JSON.parse(data) as { from: unknown }).from, from)
    })

    test('a refused send does not affect the others in its commit', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const outcomes = await Promise.all([
        store.acceptSend(tenant.send()),
        store.acceptSend(tenant.send({ instanceId: 999_999_999 })),
        store.acceptSend(tenant.send({ messageLimit: 0 })),
        store.acceptSend(tenant.send()),
        store.acceptSend(tenant.send({ instanceId: 999_999_999 })),
      ])
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        ['accepted', 'instance_gone', 'limit_reached', 'accepted', 'instance_gone'],
      )
      assert.equal((await messages(store, tenant)).length, 2)
      assert.equal(await used(store, tenant), 2)
    })

    test('a send that cannot be written fails alone and leaves no rows', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const taken = tenant.send()
      await store.acceptSend(taken)
      const good = times(10, () => tenant.send())
      const [, ...outcomes] = await Promise.allSettled([
        ...good.slice(0, 5).map((send) => store.acceptSend(send)),
        store.acceptSend(tenant.send({ messageId: taken.messageId })),
        store.acceptSend(tenant.send({ accountId: 999_999_999 })),
        ...good.slice(5).map((send) => store.acceptSend(send)),
      ])
      assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 9)
      const refused = outcomes
        .filter((outcome) => outcome.status === 'rejected')
        .map(({ reason }) => reason as unknown)
      assert.equal(refused.length, 2)
      assert.ok(isStoreError(refused[0], 'unique'), String(refused[0]))
      assert.ok(isStoreError(refused[1], 'reference'), String(refused[1]))
      assert.deepEqual(
        (await messages(store, tenant)).map((row) => row.id),
        [taken, ...good].map((send) => send.messageId),
      )
      assert.equal(await used(store, tenant), 11)
      assert.equal(await queuedCount(store, tenant.instanceId), 11)
    })

    test('of 200 sends at once a quota of 37 accepts exactly 37, and the others get the number used', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const outcomes = await Promise.all(
        times(200, () => store.acceptSend(tenant.send({ messageLimit: 37 }))),
      )
      assert.equal(count(outcomes, 'accepted'), 37)
      assert.equal(count(outcomes, 'limit_reached'), 163)
      assert.deepEqual(outcomes.at(-1), { outcome: 'limit_reached', used: 37 })
      assert.equal(await used(store, tenant), 37)
      assert.equal((await messages(store, tenant)).length, 37)
    })

    test('each period is counted separately', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const next = PERIOD + 1
      const outcomes = await Promise.all(
        [PERIOD, PERIOD, next].map((period) => store.acceptSend(tenant.send({ period, messageLimit: 1 }))),
      )
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        ['accepted', 'limit_reached', 'accepted'],
      )
      assert.deepEqual([await used(store, tenant), await used(store, tenant, next)], [1, 1])
    })

    test('a full queue refuses sends until there is room again', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const setQueued = (queued: number) =>
        store.db
          .updateTable('instances')
          .set({ queued_count: queued })
          .where('id', '=', tenant.instanceId)
          .execute()
      await setQueued(QUEUE_CAP - 3)
      const outcomes = await Promise.all(times(10, () => store.acceptSend(tenant.send())))
      assert.equal(count(outcomes, 'accepted'), 3)
      assert.equal(count(outcomes, 'queue_full'), 7)
      assert.equal(await queuedCount(store, tenant.instanceId), QUEUE_CAP)
      await setQueued(QUEUE_CAP - 1)
      assert.equal((await store.acceptSend(tenant.send())).outcome, 'accepted')
    })

    test('an instance that is unknown, deleted or logged out accepts nothing', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const loggedOut = await makeInstance(store, tenant.accountId, 0)
      assert.equal((await store.acceptSend(tenant.send({ instanceId: loggedOut }))).outcome, 'not_logged_in')
      await removeInstance(store.db, tenant.instanceId)
      assert.equal((await store.acceptSend(tenant.send())).outcome, 'instance_gone')
      assert.deepEqual([await messages(store, tenant), await used(store, tenant)], [[], 0])
    })

    test('sends and a logout at once leave nothing waiting', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const logout = store.transaction(async (tx) => {
        await failWaitingMessages(tx, tenant.instanceId, { reason: 'logged_out', error: 'Out.' }, NOON)
        await tx.updateTable('instances').set({ logged_in: 0 }).where('id', '=', tenant.instanceId).execute()
      })
      const outcomes = await Promise.all(times(100, () => store.acceptSend(tenant.send())))
      await logout
      const rows = await messages(store, tenant)
      assert.equal(rows.length, count(outcomes, 'accepted'))
      assert.ok(rows.every((row) => row.status === 'failed' && row.failure_reason === 'logged_out'))
      assert.equal(await queuedCount(store, tenant.instanceId), 0)
    })
  })

  describe('idempotency', () => {
    const keyed = (key: string, fingerprint: string, answer = 'first') => ({ key, fingerprint, answer })

    test('a repeated request gets the first answer; a different one under the same key is refused', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const send = (fingerprint: string, answer: string) =>
        store.acceptSend(tenant.send({ idempotency: keyed('k', fingerprint, answer) }))
      assert.deepEqual(await send('same', 'first'), { outcome: 'accepted' })
      assert.deepEqual(await send('same', 'second'), { outcome: 'replayed', answer: 'first' })
      assert.deepEqual(await send('other', 'third'), { outcome: 'key_reused' })
      assert.equal((await messages(store, tenant)).length, 1)
      assert.equal(await used(store, tenant), 1)
    })

    test('100 sends at once with one key make one message', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const outcomes = await Promise.all(
        times(100, (index) =>
          store.acceptSend(tenant.send({ idempotency: keyed('k', 'same', `answer ${index}`) })),
        ),
      )
      assert.deepEqual(outcomes[0], { outcome: 'accepted' })
      assert.ok(outcomes.slice(1).every((each) => each.outcome === 'replayed' && each.answer === 'answer 0'))
      assert.equal((await messages(store, tenant)).length, 1)
    })

    test('a key expires after 24 hours and can be used again', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const at = (createdAt: number, answer: string) =>
        store.acceptSend(tenant.send({ createdAt, idempotency: keyed('k', 'same', answer) }))
      await at(NOON, 'first')
      const last = NOON + IDEMPOTENCY_TTL_MS - 1
      assert.deepEqual(await at(last, 'second'), { outcome: 'replayed', answer: 'first' })
      assert.deepEqual(await at(last + 1, 'third'), { outcome: 'accepted' })
      assert.deepEqual(await at(last + 2, 'fourth'), { outcome: 'replayed', answer: 'third' })
    })

    test('an expired and a new key in one commit are each checked against their own time', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await store.acceptSend(tenant.send({ idempotency: keyed('k', 'same', 'first') }))
      const later = NOON + IDEMPOTENCY_TTL_MS
      const outcomes = await Promise.all([
        store.acceptSend(tenant.send({ createdAt: later - 1, idempotency: keyed('other', 'same') })),
        store.acceptSend(tenant.send({ createdAt: later, idempotency: keyed('k', 'same', 'second') })),
      ])
      assert.deepEqual(outcomes, [{ outcome: 'accepted' }, { outcome: 'accepted' }])
    })

    test('the same key of another account is a different key', async () => {
      const store = current()
      const [one, two] = [await makeTenant(store), await makeTenant(store)]
      await store.acceptSend(one.send({ idempotency: keyed('k', 'same') }))
      assert.deepEqual(await store.acceptSend(two.send({ idempotency: keyed('k', 'other') })), {
        outcome: 'accepted',
      })
    })

    test('a refused send does not use up its key', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const idempotency = keyed('k', 'same')
      assert.equal(
        (await store.acceptSend(tenant.send({ messageLimit: 0, idempotency }))).outcome,
        'limit_reached',
      )
      assert.equal((await store.acceptSend(tenant.send({ idempotency }))).outcome, 'accepted')
    })

    test('a repeated request is answered even after the quota is used up and the instance is deleted', async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const idempotency = keyed('k', 'same')
      await store.acceptSend(tenant.send({ idempotency }))
      await removeInstance(store.db, tenant.instanceId)
      const again = await store.acceptSend(tenant.send({ messageLimit: 0, idempotency }))
      assert.deepEqual(again, { outcome: 'replayed', answer: 'first' })
    })
  })
}
