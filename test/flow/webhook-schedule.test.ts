// The life of a delivery on a virtual clock: the whole schedule, Retry-After, and the end of a webhook (promise C2).
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { realTimers, type Timers } from '../../src/kernel/async/timers.ts'
import type { PostOutcome, PostRequest } from '../../src/kernel/outbound/post.ts'
import { makeTenant, NOON } from '../../src/store/conformance/tenant.ts'
import type { Store } from '../../src/store/store.ts'
import { openVault } from '../../src/store/vault.ts'
import { DELIVERED, settle } from '../../src/webhooks/conformance-claim.ts'
import { append, change, deliveriesOf, makeHook } from '../../src/webhooks/conformance-webhooks.ts'
import { createPostEvent } from '../../src/webhooks/post-event.ts'
import { SCHEDULE_MS } from '../../src/webhooks/rules.ts'
import { sealSecret } from '../../src/webhooks/secrets.ts'
import { startWebhookWorker } from '../../src/webhooks/worker.ts'
import { shared } from '../contract/fixture.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { openStore } from '../support/open-store.ts'

const HOUR_MS = 60 * 60 * 1000
const ANSWERED = { headers: {}, bodyStart: Buffer.from('no'), truncated: false, durationMs: 3 }

/** A poll that only comes because time has passed must not hide that the worker was not woken. */
const withoutIdlePolls: Timers = {
  ...realTimers,
  setTimeout: (work, ms) => realTimers.setTimeout(work, ms < 1000 ? ms : 2 ** 31 - 1),
}

/** A worker on a clock that only moves when nothing is left to do at the present moment. */
async function startVirtual(
  store: Store,
  answer: (request: PostRequest, atMs: number) => Partial<PostOutcome> | Promise<Partial<PostOutcome>>,
  /** For how long the process is suspended after its first claim; another one delivers meanwhile. */
  suspendedMs = 0,
) {
  let now = NOON
  let isSuspended = suspendedMs > 0
  const posts: { atMs: number; request: PostRequest }[] = []
  const claims = { count: 0 }
  const vault = await openVault(store.db, new Uint8Array(32))
  const tenant = await makeTenant(store)
  const webhookId = await makeHook(store, tenant)
  const sealed = await store.transaction((tx) =>
    sealSecret(vault, tx, { accountId: tenant.accountId, webhookId }, 'a secret for tests'),
  )
  await store.db.updateTable('webhooks').set({ sealed_secret: sealed }).where('id', '=', webhookId).execute()
  const settled = { count: 0, wake: () => undefined as void }
  const worker = startWebhookWorker({
    store: {
      ...store,
      async claimDeliveries(request) {
        claims.count += 1
        const claimed = await store.claimDeliveries(request)
        if (claimed.length === 0 || !isSuspended) return claimed
        isSuspended = false
        now += suspendedMs
        const [others] = await store.claimDeliveries({ ...request, now })
        assert.equal(await settle(store, others, DELIVERED, now), true)
        settled.count += 1
        return claimed
      },
      async settleDelivery(settlement) {
        const isWritten = await store.settleDelivery(settlement)
        settled.count += settlement.results.length
        settled.wake()
        return isWritten
      },
    },
    vault,
    clock: () => now,
    random: () => 0.5,
    timers: withoutIdlePolls,
    logger: pino({ level: 'silent' }),
    postEvent: createPostEvent(
      async (request) => {
        posts.push({ atMs: now - NOON, request })
        return { ...ANSWERED, status: 500, ...(await answer(request, now - NOON)) }
      },
      () => now,
    ),
    observe: () => undefined,
  })
  const untilSettled = (count: number) =>
    new Promise<void>((resolve) => {
      const check = () => void (settled.count >= count && resolve())
      settled.wake = check
      check()
    })
  return {
    tenant,
    webhookId,
    posts,
    claims,
    worker,
    untilSettled,
    moveTo(atMs: number) {
      now = NOON + atMs
      worker.wake()
    },
    delivery: async () => (await deliveriesOf(store, webhookId))[0] ?? assert.fail('no delivery'),
    hook: () =>
      store.db.selectFrom('webhooks').selectAll().where('id', '=', webhookId).executeTakeFirstOrThrow(),
  }
}

type Virtual = Awaited<ReturnType<typeof startVirtual>>

/** Lets it be tried this many times, each time moving the clock to when it is due. */
async function run(virtual: Virtual, tries: number): Promise<void> {
  for (let count = 1; count <= tries; count += 1) {
    await virtual.untilSettled(count)
    const { due_at } = await virtual.delivery()
    if (due_at === null || count === tries) return
    virtual.moveTo(due_at - NOON)
  }
}

for (const engine of behaviourEngines('postgres')) {
  describe(`the life of a delivery on ${engine.name}`, () => {
    const opened = shared(async () => {
      const storeLocation = await engine.createLocation()
      return { storeLocation, store: await openStore(storeLocation) }
    })
    after(async () => {
      const { storeLocation, store } = await opened()
      await store.close()
      await storeLocation.dispose()
    })
    const begin = async (answer: Parameters<typeof startVirtual>[1], suspendedMs = 0): Promise<Virtual> => {
      const { store } = await opened()
      // What an earlier test has left would be tried here too.
      await store.db.deleteFrom('webhooks').execute()
      const virtual = await startVirtual(store, answer, suspendedMs)
      await append(store, [change(virtual.tenant.instanceId)])
      virtual.worker.wake()
      return virtual
    }

    test('a process that was suspended after its claim does not post what another one has delivered since', async () => {
      const virtual = await begin(() => ({ status: 200 }), 10 * 60_000)
      await virtual.untilSettled(1)
      await virtual.worker.stop()
      assert.deepEqual(virtual.posts, [])
      assert.equal((await virtual.delivery()).status, 'delivered')
    })

    test('an event that comes while another one is posted follows at once', { timeout: 60_000 }, async () => {
      let isFirst = true
      const virtual = await begin(async () => {
        if (isFirst) {
          isFirst = false
          await append((await opened()).store, [change(virtual.tenant.instanceId, 'second')])
          virtual.worker.wake()
        }
        return { status: 200 }
      })
      await virtual.untilSettled(2)
      await virtual.worker.stop()
      assert.equal(virtual.posts.length, 2)
    })

    test('a delivery without others behind it takes one claim', async () => {
      const virtual = await begin(() => ({ status: 200 }))
      await virtual.untilSettled(1)
      const before = virtual.claims.count
      const deliveries = 10
      for (let settled = 1; settled <= deliveries; settled += 1) {
        await append((await opened()).store, [change(virtual.tenant.instanceId, `event ${settled}`)])
        virtual.worker.wake()
        await virtual.untilSettled(settled + 1)
      }
      // The claim that finds nothing more after the first delivery may come late.
      assert.ok(virtual.claims.count - before <= deliveries + 1, String(virtual.claims.count - before))
      await virtual.worker.stop()
    })

    test('ten tries on the schedule with one id and new timestamps, then dead', async () => {
      const virtual = await begin(() => ({ status: 500 }))
      await run(virtual, 10)
      let sumMs = 0
      const expected = SCHEDULE_MS.map((pauseMs) => (sumMs += pauseMs))
      assert.deepEqual(
        virtual.posts.map(({ atMs }) => atMs),
        expected,
      )
      const { status, tries, due_at } = await virtual.delivery()
      assert.deepEqual([status, tries, due_at], ['dead', 10, null])
      const ids = new Set(virtual.posts.map(({ request }) => request.headers['webhook-id']))
      assert.equal(ids.size, 1)
      assert.equal(new Set(virtual.posts.map(({ request }) => request.body)).size, 1)
      assert.deepEqual(
        virtual.posts.map(({ request }) => request.headers['X-Service-Timestamp']),
        expected.map((atMs) => String(Math.floor((NOON + atMs) / 1000))),
      )
      const { enabled, failing_since } = await virtual.hook()
      assert.deepEqual([enabled, failing_since], [1, NOON], 'not for 120 hours yet')
      await virtual.worker.stop()
    })

    test('a success at any try ends the delivery and resets the failures', async () => {
      const virtual = await begin((_request, atMs) => ({ status: atMs < HOUR_MS ? 503 : 204 }))
      await run(virtual, 5)
      const { status, tries, delivered_at } = await virtual.delivery()
      assert.deepEqual([status, tries], ['delivered', 5])
      assert.equal(delivered_at, NOON + (virtual.posts.at(-1)?.atMs ?? 0))
      assert.equal((await virtual.hook()).failing_since, null)
      await virtual.worker.stop()
    })

    test('every answer but 2xx is a failure: redirects, refusals, silence, a flood', async () => {
      const outcomes: Partial<PostOutcome>[] = [
        { status: 301 },
        { status: 308 },
        { status: 404 },
        { status: 101 },
        { status: 200, truncated: true },
      ]
      const virtual = await begin(() => outcomes.shift() ?? { status: 200 })
      await run(virtual, 6)
      assert.equal(virtual.posts.length, 6)
      assert.equal((await virtual.delivery()).status, 'delivered')
      await virtual.worker.stop()
    })

    test('a longer Retry-After replaces the pause, a shorter one does not use up the schedule', async () => {
      const wishes = ['3600', '1', '1', new Date(NOON + 2 * HOUR_MS).toUTCString(), '999999']
      const virtual = await begin(() => {
        const wish = wishes.shift()
        return { status: 429, headers: wish === undefined ? {} : { 'retry-after': wish } }
      })
      await run(virtual, 7)
      assert.deepEqual(
        virtual.posts.map(({ atMs }) => atMs / 1000),
        [0, 3600, 3601, 3602, 7200, 7200 + 86_400, 7200 + 86_400 + 7200],
      )
      const { tries, asked } = await virtual.delivery()
      assert.deepEqual([tries, asked], [7, 2])
      await virtual.worker.stop()
    })

    test('410 disables the webhook at once; once enabled again, waiting deliveries continue', async () => {
      let status = 410
      const virtual = await begin(() => ({ status }))
      const { store } = await opened()
      await append(store, [change(virtual.tenant.instanceId), change(virtual.tenant.instanceId)])
      await virtual.untilSettled(1)
      const hook = await virtual.hook()
      assert.deepEqual([hook.enabled, hook.disabled_reason, hook.disabled_at], [0, 'gone', NOON])
      status = 200
      virtual.moveTo(HOUR_MS)
      // While the webhook is disabled, no worker can claim its deliveries.
      const request = { now: NOON + HOUR_MS, lockMs: 1, limit: 10, perWebhook: 4, runLength: 1 }
      assert.deepEqual(await store.claimDeliveries(request), [])
      assert.equal(virtual.posts.length, 1)
      const enabled = { enabled: 1, disabled_reason: null, disabled_at: null } as const
      await store.db.updateTable('webhooks').set(enabled).where('id', '=', hook.id).execute()
      virtual.worker.wake()
      await virtual.untilSettled(4)
      const rows = await deliveriesOf(store, hook.id)
      assert.deepEqual(
        rows.map((row) => row.status),
        ['delivered', 'delivered', 'delivered'],
      )
      await virtual.worker.stop()
    })

    test('after 120 hours of failures only the webhook is disabled', async () => {
      const virtual = await begin(() => ({ status: 500 }))
      await run(virtual, 10)
      const { store } = await opened()
      await append(store, [{ ...change(virtual.tenant.instanceId), createdAt: NOON + 119 * HOUR_MS }])
      virtual.moveTo(119 * HOUR_MS)
      await virtual.untilSettled(11)
      assert.equal((await virtual.hook()).enabled, 1)
      virtual.moveTo(120 * HOUR_MS)
      await virtual.untilSettled(12)
      const hook = await virtual.hook()
      assert.deepEqual(
        [hook.enabled, hook.disabled_reason, hook.disabled_at, hook.failing_since],
        [0, 'failing', NOON + 120 * HOUR_MS, NOON],
      )
      await virtual.worker.stop()
    })
  })
}
