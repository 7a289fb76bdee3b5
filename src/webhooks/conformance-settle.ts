// Settling deliveries: expired locks and fencing tokens, deleted webhooks, and receivers that only fail.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import {
  claim,
  DELIVERED,
  hookOf,
  LOCK_MS,
  makeRetries,
  resultOf,
  retryAt,
  settle,
} from './conformance-claim.ts'
import { append, change, deliveriesOf, makeHook } from './conformance-webhooks.ts'
import type { DeliveryResult } from './deliveries-store.ts'
import { FAILING_LIMIT_MS } from './rules.ts'

export function settleDeliveryConformance(conformance: Conformance): void {
  describe('settling deliveries', () => {
    lockTests(conformance)
    healthTests(conformance)
  })
}

function lockTests({ store: current }: Conformance): void {
  for (const kind of ['lane', 'retry'] as const) {
    test(`a ${kind} whose lock expires is claimed again, and an older fencing token writes nothing`, async () => {
      const store = current()
      const tenant = await makeTenant(store)
      const hook = await makeHook(store, tenant)
      if (kind === 'lane') await append(store, [change(tenant.instanceId, 'a')])
      else await makeRetries(store, tenant.instanceId, 1)
      const [lost] = await claim(store, { now: NOON + 1 })
      assert.equal(lost?.lock.kind, kind)
      assert.deepEqual(await claim(store, { now: NOON + LOCK_MS }), [])
      const [taken] = await claim(store, { now: NOON + 1 + LOCK_MS })
      assert.deepEqual([taken?.lock.kind, taken?.lock.fence], [kind, (lost?.lock.fence ?? 0) + 1])
      assert.equal(taken?.deliveries[0]?.id, lost?.deliveries[0]?.id)
      const before = (await deliveriesOf(store, hook))[0]
      assert.equal(await settle(store, lost, DELIVERED, NOON + 1 + LOCK_MS), false)
      assert.deepEqual((await deliveriesOf(store, hook))[0], before)
      assert.equal(await settle(store, taken, DELIVERED, NOON + 1 + LOCK_MS), true)
    })

    test(`a ${kind} that is released without an attempt can be claimed again at once, unchanged`, async () => {
      const store = current()
      const tenant = await makeTenant(store)
      await makeHook(store, tenant)
      if (kind === 'lane') await append(store, [change(tenant.instanceId, 'a')])
      else await makeRetries(store, tenant.instanceId, 1)
      const [work] = await claim(store, { now: NOON + 1 })
      assert.ok(work)
      await store.settleDelivery({ lock: work.lock, now: NOON + 1, results: [], release: true })
      const [again] = await claim(store, { now: NOON + 1 })
      assert.equal(again?.lock.kind, kind)
      assert.equal(again?.deliveries[0]?.tries, work.deliveries[0]?.tries)
    })
  }

  test('a deleted webhook has no deliveries, and claimed ones can no longer be settled', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const hook = await makeHook(store, tenant)
    await append(store, [change(tenant.instanceId, 'a')])
    const [work] = await claim(store)
    await store.db.deleteFrom('webhooks').where('id', '=', hook).execute()
    assert.equal(await settle(store, work, DELIVERED), false)
    assert.deepEqual(await deliveriesOf(store, hook), [])
    assert.deepEqual(await claim(store, { now: NOON + LOCK_MS }), [])
  })
}

function healthTests({ store: current }: Conformance): void {
  test('failures in a row are dated from the first, and a success ends the row', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const hook = await makeHook(store, tenant)
    const tryOnce = async (outcome: DeliveryResult['outcome'], now: number) => {
      await append(store, [change(tenant.instanceId)])
      await settle(store, (await claim(store, { now }))[0], outcome, now)
      return (await hookOf(store, hook)).failing_since
    }
    assert.equal(await tryOnce({ kind: 'dead' }, NOON), NOON)
    assert.equal(await tryOnce({ kind: 'dead' }, NOON + 1), NOON)
    assert.equal(await tryOnce(DELIVERED, NOON + 2), null)
    assert.equal(await tryOnce({ kind: 'dead' }, NOON + 3), NOON + 3)
  })

  test('a delivery that was not posted is settled, and does not end the failures of the receiver', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const hook = await makeHook(store, tenant)
    await append(store, [change(tenant.instanceId, 'a')])
    await settle(store, (await claim(store))[0], { kind: 'dead' })
    await append(store, [change(tenant.instanceId, 'b')])
    const [work] = await claim(store, { now: NOON + 1 })
    assert.ok(work)
    const posted = resultOf(work, DELIVERED)
    const result = { ...posted, attempt: { ...posted.attempt, statusCode: null } }
    await store.settleDelivery({ lock: work.lock, now: NOON + 1, results: [result], release: true })
    assert.equal((await hookOf(store, hook)).failing_since, NOON)
    assert.deepEqual(
      (await deliveriesOf(store, hook)).map(({ status }) => status),
      ['dead', 'delivered'],
    )
  })

  test('a claim has the format of the webhook, its options, and the name of the instance in the dialect', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const hook = await makeHook(store, tenant)
    const options = new Uint8Array([7])
    await store.db
      .updateTable('webhooks')
      .set({ format: 'evolution', sealed_options: options })
      .where('id', '=', hook)
      .execute()
    await store.db
      .insertInto('evolution_instances')
      .values({
        instance_id: tenant.instanceId,
        account_id: tenant.accountId,
        name: 'Shop',
        token_hash: `hash-${tenant.instanceId}`,
        created_at: NOON,
      })
      .execute()
    await append(store, [change(tenant.instanceId)])
    const [work] = await claim(store)
    assert.ok(work)
    assert.deepEqual([work.webhook.format, ...(work.webhook.sealedOptions ?? [])], ['evolution', 7])
    assert.equal(work.deliveries[0]?.evolution_name, 'Shop')
  })

  test('120 hours of failures disable the webhook, one millisecond less does not', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const hook = await makeHook(store, tenant)
    const failAt = async (now: number) => {
      await append(store, [change(tenant.instanceId)])
      await settle(store, (await claim(store, { now }))[0], { kind: 'dead' }, now)
      const { enabled, disabled_reason, disabled_at } = await hookOf(store, hook)
      return [enabled, disabled_reason, disabled_at]
    }
    await failAt(NOON)
    assert.deepEqual(await failAt(NOON + FAILING_LIMIT_MS - 1), [1, null, null])
    const end = NOON + FAILING_LIMIT_MS
    assert.deepEqual(await failAt(end), [0, 'failing', end])
  })

  test('a receiver that answers "gone" disables its webhook at once, and its deliveries wait', async () => {
    const store = current()
    const tenant = await makeTenant(store)
    const hook = await makeHook(store, tenant)
    await append(store, [change(tenant.instanceId, 'a'), change(tenant.instanceId, 'b')])
    const [work] = await claim(store)
    assert.ok(work)
    const result = { ...resultOf(work, retryAt(NOON + 5000)), isGone: true }
    await store.settleDelivery({ lock: work.lock, now: NOON, results: [result], release: true })
    const row = await hookOf(store, hook)
    assert.deepEqual([row.enabled, row.disabled_reason, row.disabled_at], [0, 'gone', NOON])
    assert.deepEqual(await claim(store, { now: NOON + 10_000 }), [])
    assert.deepEqual(
      (await deliveriesOf(store, hook)).map(({ status }) => status),
      ['retrying', 'pending'],
    )
  })
}
