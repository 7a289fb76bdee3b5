// Claiming deliveries: first attempts in order per webhook and instance, retries beside them, a fair share for every webhook.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeInstance, makeTenant, NOON, times } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import type { Store } from '../store/store.ts'
import { append, change, deliveriesOf, makeHook } from './conformance-webhooks.ts'
import type { ClaimedDeliveries, DeliveryClaimRequest, DeliveryResult } from './deliveries-store.ts'
import { firstAttempts } from './delivery-queries.ts'

export const LOCK_MS = 1000
export const claim = (
  store: Store,
  wanted: Partial<DeliveryClaimRequest> = {},
): Promise<ClaimedDeliveries[]> =>
  store.claimDeliveries({ now: NOON, lockMs: LOCK_MS, limit: 100, perWebhook: 4, runLength: 1, ...wanted })

export const texts = (work: ClaimedDeliveries[]): string[] =>
  work.flatMap(({ deliveries }) => deliveries.map(({ data }) => (JSON.parse(data) as { text: string }).text))

const attempt = (at = NOON) => ({
  at,
  durationMs: 12,
  statusCode: 200,
  headers: '{"x-service-event":"chats.update"}',
  answer: 'ok',
  error: null,
})
export const resultOf = (
  work: ClaimedDeliveries,
  outcome: DeliveryResult['outcome'],
  at = NOON,
): DeliveryResult => ({
  deliveryId: work.deliveries[0]?.id ?? 0,
  attempt: attempt(at),
  outcome,
  isGone: false,
})
export const DELIVERED = { kind: 'delivered' } as const
export const retryAt = (at: number, isEarly = false) => ({ kind: 'retry', at, isEarly }) as const

/** Settles the first delivery of a claim and releases its lock. */
export const settle = (
  store: Store,
  work: ClaimedDeliveries | undefined,
  outcome: DeliveryResult['outcome'],
  now = NOON,
): Promise<boolean> => {
  assert.ok(work)
  return store.settleDelivery({
    lock: work.lock,
    now,
    results: [resultOf(work, outcome, now)],
    release: true,
  })
}
export const hookOf = (store: Store, id: number) =>
  store.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Makes retries that become due one millisecond after the other. Each is an event whose first attempt failed. */
export async function makeRetries(store: Store, instanceId: number, count: number): Promise<void> {
  for (const index of times(count, (each) => each)) {
    await append(store, [change(instanceId, `retry ${index}`)])
    await settle(store, (await claim(store))[0], retryAt(NOON + 1 + index))
  }
}

export function claimDeliveriesConformance(conformance: Conformance): void {
  describe('claiming deliveries', () => {
    orderTests(conformance)
    fairnessTests(conformance)
  })
}

function orderTests({ store: current }: Conformance): void {
  test('a claim returns everything needed to post, and a run of the lane in order', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const hook = await makeHook(store, tenant)
    await append(
      store,
      times(5, (index) => change(tenant.instanceId, String(index))),
    )
    const [work, ...others] = await claim(store, { runLength: 3 })
    assert.ok(work)
    assert.deepEqual(others, [])
    assert.deepEqual(texts([work]), ['0', '1', '2'])
    assert.deepEqual(work.lock, {
      kind: 'lane',
      webhookId: hook,
      instanceId: tenant.instanceId,
      fence: 1,
    })
    const { url } = await hookOf(store, hook)
    assert.deepEqual(
      { ...work.webhook, sealedSecret: [...work.webhook.sealedSecret] },
      {
        id: hook,
        accountId: tenant.accountId,
        url,
        sealedSecret: [1],
        previousSealedSecret: null,
        previousUntil: null,
        format: 'switchboard',
        sealedOptions: null,
        isBatched: false,
      },
    )
    const { id: _id, display_name, api_name, ...first } = work.deliveries[0] ?? assert.fail()
    assert.equal(display_name, 'Instance')
    assert.match(api_name, /^instance-/)
    assert.deepEqual(first, {
      webhook_id: hook,
      instance_id: tenant.instanceId,
      tries: 0,
      early_retries: 0,
      account_id: tenant.accountId,
      position: 1,
      sequence: 1,
      name: 'chats.update',
      data: '{"text":"0"}',
      own_number: null,
      evolution_name: null,
      direction: null,
      created_at: NOON,
    })
  })

  test('first attempts of a webhook and instance are claimed one after the other, in the order of the events', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    await makeHook(store, tenant)
    for (const text of ['1', '2', '3']) await append(store, [change(tenant.instanceId, text)])
    const seen: string[] = []
    for (let [work] = await claim(store); work; [work] = await claim(store)) {
      seen.push(...texts([work]))
      assert.deepEqual(await claim(store), [], 'one first attempt of a lane at a time')
      await settle(store, work, DELIVERED)
    }
    assert.deepEqual(seen, ['1', '2', '3'])
  })

  test('a run locks its lane until it is released, and its results are recorded one by one or together', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const hook = await makeHook(store, tenant)
    await append(
      store,
      times(4, (index) => change(tenant.instanceId, String(index))),
    )
    const [work] = await claim(store, { runLength: 3 })
    assert.ok(work)
    const results = work.deliveries.map(({ id }) => ({ ...resultOf(work, DELIVERED), deliveryId: id }))
    const { lock } = work
    assert.equal(
      await store.settleDelivery({ lock, now: NOON, results: results.slice(0, 1), release: false }),
      true,
    )
    assert.deepEqual(await claim(store), [])
    assert.equal(
      await store.settleDelivery({ lock, now: NOON, results: results.slice(1), release: true }),
      true,
    )
    assert.deepEqual(texts(await claim(store)), ['3'])
    const rows = await deliveriesOf(store, hook)
    assert.deepEqual(
      rows.map((row) => [row.status, row.tries, row.delivered_at]),
      [
        ['delivered', 1, NOON],
        ['delivered', 1, NOON],
        ['delivered', 1, NOON],
        ['pending', 0, null],
      ],
    )
  })

  test('a failed first attempt does not block its lane, and is retried at its time beside it', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const hook = await makeHook(store, tenant)
    await append(store, [change(tenant.instanceId, 'a'), change(tenant.instanceId, 'b')])
    await settle(store, (await claim(store))[0], retryAt(NOON + 5000))
    const [second] = await claim(store)
    assert.ok(second)
    assert.deepEqual(texts([second]), ['b'])
    assert.deepEqual(texts(await claim(store, { now: NOON + 4999, lockMs: 60_000 })), ['b'])
    const [again, ...others] = await claim(store, { now: NOON + 5000 })
    assert.ok(again)
    assert.deepEqual(texts([again, ...others]), ['a'], 'while the lane is locked')
    assert.deepEqual([again.lock.kind, again.deliveries[0]?.tries], ['retry', 1])
    await settle(store, again, { kind: 'dead' }, NOON + 5000)
    const [row] = await deliveriesOf(store, hook)
    assert.deepEqual([row?.status, row?.tries, row?.due_at, row?.locked_until], ['dead', 2, null, null])
  })

  test('every attempt is stored with its time, answer and headers', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    await makeHook(store, tenant)
    await append(store, [change(tenant.instanceId, 'a')])
    await settle(store, (await claim(store))[0], retryAt(NOON + 1, true))
    const [again] = await claim(store, { now: NOON + 1 })
    assert.equal(again?.deliveries[0]?.early_retries, 1)
    await settle(store, again, DELIVERED, NOON + 1)
    const rows = await store.db
      .selectFrom('delivery_attempts')
      .selectAll()
      .where('delivery_id', '=', again?.deliveries[0]?.id ?? 0)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map(({ id: _id, delivery_id: _delivery, ...row }) => row),
      [NOON, NOON + 1].map((at) => ({
        at,
        duration_ms: 12,
        status_code: 200,
        headers: attempt().headers,
        answer: 'ok',
        error: null,
      })),
    )
  })

  test('events that are appended while a lane is released are not lost', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    await makeHook(store, tenant)
    await append(store, [change(tenant.instanceId, 'a')])
    const [work] = await claim(store)
    await Promise.all([
      settle(store, work, DELIVERED),
      ...times(20, (index) => append(store, [change(tenant.instanceId, String(index))])),
    ])
    assert.equal(texts(await claim(store, { runLength: 100 })).length, 20)
  })
}

function fairnessTests({ store: current, engine, storeLocation }: Conformance): void {
  test('a webhook never has more lanes and retries locked than allowed, however many owners claim', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    await makeHook(store, tenant)
    await makeRetries(store, tenant.instanceId, 3)
    for (const each of await Promise.all(times(5, () => makeInstance(store, tenant.accountId))))
      await append(store, [change(each, 'first')])
    const other = engine.shared ? await storeLocation().open() : store
    try {
      const later = { now: NOON + 10, lockMs: 60_000, limit: 2 }
      const claims = await Promise.all(times(6, (index) => claim(index % 2 === 0 ? store : other, later)))
      const claimed = claims.flat()
      assert.equal(claimed.length, 4)
      assert.ok(claimed.some(({ lock }) => lock.kind === 'lane'))
      assert.ok(claimed.some(({ lock }) => lock.kind === 'retry'))
      await settle(store, claimed[0], DELIVERED, NOON + 10)
      assert.equal((await claim(store, later)).length, 1)
    } finally {
      if (other !== store) await other.close()
    }
  })

  test('many retries leave half of the slots to first attempts', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    await makeHook(store, tenant)
    await makeRetries(store, tenant.instanceId, 10)
    const later = { now: NOON + 100, lockMs: 60_000 }
    for (const each of await Promise.all(times(3, () => makeInstance(store, tenant.accountId))))
      await append(store, [{ ...change(each, 'first'), createdAt: NOON + 50 }])
    const claimed = await claim(store, later)
    const kinds = claimed.map(({ lock }) => lock.kind).sort()
    assert.deepEqual(kinds, ['lane', 'lane', 'retry', 'retry'])
    await settle(
      store,
      claimed.find(({ lock }) => lock.kind === 'lane'),
      DELIVERED,
      NOON + 100,
    )
    assert.deepEqual(texts(await claim(store, later)), ['first'], 'the slot goes to the kind that has fewer')
  })

  test('a webhook with a long queue gets no second slot before another got its first', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const late = await makeTenant(store)
    await makeHook(store, tenant)
    await makeRetries(store, tenant.instanceId, 20)
    const lateHook = await makeHook(store, late)
    await append(store, [{ ...change(late.instanceId, 'late'), createdAt: NOON + 50 }])
    const claimed = await claim(store, { now: NOON + 100, limit: 2 })
    assert.equal(claimed.length, 2)
    assert.ok(claimed.some(({ lock }) => lock.webhookId === lateHook))
  })

  test('lanes of a batched webhook do not take slots from each other, and their first attempts are read in order', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const hook = await makeHook(store, tenant, { batch: 1 })
    const instances = await Promise.all(times(6, () => makeInstance(store, tenant.accountId)))
    await append(
      store,
      [...instances, ...instances].map((id, index) => change(id, String(index))),
    )
    const claimed = await claim(store)
    assert.equal(claimed.length, 6)
    assert.ok(claimed.every(({ webhook }) => webhook.isBatched))
    const read = (perLane: number) =>
      firstAttempts(store.db, { webhookId: hook, instanceIds: instances, perLane })
    const numbers = async (perLane: number) =>
      (await read(perLane)).map(({ data }) => Number((JSON.parse(data) as { text: string }).text))
    assert.deepEqual(await numbers(1), [0, 1, 2, 3, 4, 5])
    assert.deepEqual(
      await numbers(2),
      times(12, (index) => index),
    )
    const first = claimed.find((work) => texts([work])[0] === '0')
    assert.deepEqual((await read(1))[0], first?.deliveries[0])
    await store.db.updateTable('webhooks').set({ enabled: 0 }).where('id', '=', hook).execute()
    assert.deepEqual(await read(2), [], 'the webhook is disabled')
  })

  test('a webhook at its limit does not block another', async () => {
    const store = current()
    const [busy, other] = [await makeTenant(store), await makeTenant(store)]
    await makeHook(store, busy)
    await makeRetries(store, busy.instanceId, 10)
    assert.equal((await claim(store, { now: NOON + 100 })).length, 4)
    const hook = await makeHook(store, other)
    await append(store, [change(other.instanceId, 'other')])
    const claimed = await claim(store, { now: NOON + 100, limit: 1 })
    assert.deepEqual(
      claimed.map(({ lock }) => lock.webhookId),
      [hook],
    )
  })

  test('a disabled webhook is skipped, and continues where it stopped when it is enabled', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const hook = await makeHook(store, tenant)
    await makeRetries(store, tenant.instanceId, 1)
    await append(store, [change(tenant.instanceId, 'waits')])
    const setEnabled = (enabled: 0 | 1) =>
      store.db.updateTable('webhooks').set({ enabled }).where('id', '=', hook).execute()
    await setEnabled(0)
    assert.deepEqual(await claim(store, { now: NOON + 100 }), [])
    await setEnabled(1)
    assert.deepEqual(texts(await claim(store, { now: NOON + 100 })).sort(), ['retry 0', 'waits'])
  })
}
