// Webhooks with `batch`: several events in one request, the result settled for each delivery, and nothing lost in a kill.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { EventBatch } from '../../src/contract/event-batch.ts'
import { deliveredEvents, verifyDelivery } from '../../src/contract/verify-delivery.ts'
import { realTimers, type Timers } from '../../src/kernel/async/timers.ts'
import type { PostOutcome, PostRequest } from '../../src/kernel/outbound/post.ts'
import { makeInstance, makeTenant, NOON, times } from '../../src/store/conformance/tenant.ts'
import type { Store } from '../../src/store/store.ts'
import { openVault } from '../../src/store/vault.ts'
import { append, change, deliveriesOf, makeHook } from '../../src/webhooks/conformance-webhooks.ts'
import { createPostEvent } from '../../src/webhooks/post-event.ts'
import { sealSecret } from '../../src/webhooks/secrets.ts'
import { startWebhookWorker } from '../../src/webhooks/worker.ts'
import { shared } from '../contract/fixture.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api } from '../support/linked.ts'
import { openStore } from '../support/open-store.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { makeLoggedIn, newKey, type Started, startWithKey } from '../support/started.ts'

const SECRET = 'a secret for tests'
const ANSWERED = { headers: {}, bodyStart: Buffer.from('ok'), truncated: false, durationMs: 3, status: 200 }
/** How long the worker waits for further events. */
const WINDOW_MS = 50

interface Posted {
  id: string
  texts: string[]
  request: PostRequest
}

/** A worker whose clock moves on request, and whose wait for further events ends on request. */
async function startBatching(
  store: Store,
  answer: (posted: Posted) => Partial<PostOutcome> | Promise<Partial<PostOutcome>>,
) {
  let now = NOON
  const windows: (() => void)[] = []
  const posts: Posted[] = []
  let settled = 0
  let released = 0
  let check = () => undefined as void
  const timers: Timers = {
    ...realTimers,
    setTimeout(work, ms) {
      if (ms !== WINDOW_MS) return realTimers.setTimeout(work, ms < 1000 ? ms : 2 ** 31 - 1)
      windows.push(work)
      check()
      return { unref: () => undefined }
    },
    clearTimeout: (timer) => {
      if (timer && 'hasRef' in timer) realTimers.clearTimeout(timer)
    },
  }
  const vault = await openVault(store.db, new Uint8Array(32))
  const tenant = await makeTenant(store)
  const webhookId = await makeHook(store, tenant, { batch: 1 })
  const sealed = await store.transaction((tx) =>
    sealSecret(vault, tx, { accountId: tenant.accountId, webhookId }, SECRET),
  )
  await store.db.updateTable('webhooks').set({ sealed_secret: sealed }).where('id', '=', webhookId).execute()
  const worker = startWebhookWorker({
    store: {
      ...store,
      async settleDelivery(settlement) {
        const isWritten = await store.settleDelivery(settlement)
        settled += settlement.results.length
        released += settlement.release ? 1 : 0
        check()
        return isWritten
      },
    },
    vault,
    clock: () => now,
    random: () => 0.5,
    timers,
    logger: pino({ level: 'silent' }),
    postEvent: createPostEvent(
      async (request) => {
        const batch = JSON.parse(request.body as string) as {
          id: string
          events: { data: { text: string } }[]
        }
        const posted = { id: batch.id, texts: batch.events.map(({ data }) => data.text), request }
        posts.push(posted)
        return { ...ANSWERED, ...(await answer(posted)) }
      },
      () => now,
    ),
    observe: () => undefined,
  })
  const until = (isThere: () => boolean) =>
    new Promise<void>((resolve) => {
      check = () => void (isThere() && resolve())
      check()
    })
  return {
    tenant,
    webhookId,
    posts,
    worker,
    untilSettled: (count: number) => until(() => settled >= count),
    untilReleased: (count: number) => until(() => released >= count),
    untilGathering: () => until(() => windows.length > 0),
    /** Ends the wait of a batch, once there is one. */
    async endWindow() {
      await until(() => windows.length > 0)
      windows.shift()?.()
    },
    /** Lets every further batch go without a wait. */
    endWindows() {
      windows.push = (...works) => {
        for (const work of works) work()
        return 0
      }
      for (const work of windows.splice(0)) work()
    },
    moveTo(atMs: number) {
      now = NOON + atMs
      worker.wake()
    },
    async happen(events: { instanceId: number; text: string }[]) {
      await append(
        store,
        events.map(({ instanceId, text }) => change(instanceId, text)),
      )
      worker.wake()
    },
    statuses: async () =>
      (await deliveriesOf(store, webhookId)).map(({ status, tries }) => `${status} ${tries}`),
  }
}

for (const engine of behaviourEngines()) {
  describe(`batches on ${engine.name}`, () => {
    const opened = shared(async () => {
      const storeLocation = await engine.createLocation()
      return { storeLocation, store: await openStore(storeLocation) }
    })
    after(async () => {
      const { storeLocation, store } = await opened()
      await store.close()
      await storeLocation.dispose()
    })
    const begin = async (answer: Parameters<typeof startBatching>[1] = () => ({})) => {
      const { store } = await opened()
      // What an earlier test has left would be tried here too.
      await store.db.deleteFrom('webhooks').execute()
      const batching = await startBatching(store, answer)
      const [one, two] = [batching.tenant.instanceId, await makeInstance(store, batching.tenant.accountId)]
      return { store, one, two, ...batching }
    }

    test('events of several instances that come within the window share one signed request', async () => {
      const { one, two, worker, ...batching } = await begin()
      await batching.happen([
        { instanceId: one, text: 'a' },
        { instanceId: two, text: 'b' },
      ])
      await batching.untilGathering()
      await batching.happen([{ instanceId: one, text: 'c' }])
      await batching.endWindow()
      await batching.untilSettled(3)
      const [{ request } = assert.fail(), ...more] = batching.posts
      assert.deepEqual(more, [])
      assert.deepEqual(batching.posts[0]?.texts, ['a', 'b', 'c'])
      const body = request.body as string
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
      )
      assert.ok(await verifyDelivery({ headers, body, secret: SECRET, now: NOON }))
      assert.equal(headers['x-service-event'], 'batch')
      assert.equal(headers['webhook-id'], batching.posts[0]?.id)
      assert.deepEqual(
        deliveredEvents(body).map(({ id, sequence }) => [id.split('_').at(-1), sequence]),
        [
          ['1', 1],
          ['2', 1],
          ['3', 2],
        ],
      )
      assert.deepEqual(
        await batching.statuses(),
        times(3, () => 'delivered 1'),
      )
      await worker.stop()
    })

    test('a refused request is retried event by event, each by its own schedule, and one that is refused again delays no other', async () => {
      const { one, worker, ...batching } = await begin(({ texts }) => ({
        status: texts.includes('bad') ? 500 : 200,
      }))
      await batching.happen(['a', 'bad', 'c'].map((text) => ({ instanceId: one, text })))
      await batching.endWindow()
      await batching.untilSettled(3)
      assert.deepEqual(
        await batching.statuses(),
        times(3, () => 'retrying 1'),
      )
      batching.moveTo(60_000)
      await batching.untilSettled(6)
      assert.deepEqual(await batching.statuses(), ['delivered 2', 'retrying 2', 'delivered 2'])
      const retries = batching.posts.slice(1).map(({ texts }) => texts)
      assert.deepEqual(retries.toSorted(), [['a'], ['bad'], ['c']])
      assert.equal(new Set(batching.posts.map(({ id }) => id)).size, 4, 'other events, another id')
      await worker.stop()
    })

    test('a backlog goes out in full requests, the events of an instance in order', async () => {
      const { one, two, worker, ...batching } = await begin()
      const texts = times(450, (index) => ({ instanceId: index % 3 === 0 ? two : one, text: String(index) }))
      await batching.happen(texts)
      batching.endWindows()
      await batching.untilSettled(450)
      const got = batching.posts.flatMap((posted) => posted.texts.map(Number))
      for (const isTwo of [true, false]) {
        const own = got.filter((index) => (index % 3 === 0) === isTwo)
        assert.deepEqual(
          own,
          own.toSorted((a, b) => a - b),
        )
      }
      assert.equal(new Set(got).size, 450)
      assert.ok(batching.posts.every((posted) => posted.texts.length <= 100))
      assert.ok(batching.posts.length <= 8, `${batching.posts.length} requests`)
      await worker.stop()
    })

    test('events that come during a request go with the next one', async () => {
      const first = Promise.withResolvers<object>()
      const posted = Promise.withResolvers<void>()
      let isFirst = true
      const { one, two, worker, ...batching } = await begin(() => {
        if (!isFirst) return {}
        isFirst = false
        posted.resolve()
        return first.promise
      })
      await batching.happen([{ instanceId: one, text: 'a' }])
      batching.endWindows()
      await posted.promise
      await batching.happen([{ instanceId: one, text: 'b' }])
      await batching.happen([{ instanceId: two, text: 'c' }])
      first.resolve({})
      await batching.untilSettled(3)
      assert.deepEqual(batching.posts[0]?.texts, ['a'])
      assert.deepEqual(batching.posts.flatMap(({ texts }) => texts).toSorted(), ['a', 'b', 'c'])
      await worker.stop()
    })

    test('a webhook that is disabled while its events gather posts nothing until it is enabled', async () => {
      const { store, one, webhookId, worker, ...batching } = await begin()
      const setEnabled = (enabled: 0 | 1) =>
        store.db.updateTable('webhooks').set({ enabled }).where('id', '=', webhookId).execute()
      await batching.happen([{ instanceId: one, text: 'a' }])
      await batching.untilGathering()
      await setEnabled(0)
      await batching.endWindow()
      await batching.untilReleased(1)
      assert.deepEqual(batching.posts, [])
      await setEnabled(1)
      worker.wake()
      batching.endWindows()
      await batching.untilSettled(1)
      assert.deepEqual(await batching.statuses(), ['delivered 1'])
      await worker.stop()
    })
  })

  describe(`batches and a kill on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let gateway: Started
    let receiver: Receiver
    before(async () => {
      storeLocation = await engine.createLocation()
      receiver = await startReceiver()
      gateway = await start(newKey())
    })
    after(async () => {
      await gateway.stop('SIGKILL')
      await receiver.close()
      await storeLocation.dispose()
    })
    const start = (key: string) =>
      startWithKey(storeLocation, key, { EXTRA_CA_FILE: AUTHORITY_FILE, ALLOW_TARGETS: '127.0.0.1' })
    const sentTexts = ({ json }: Received): string[] =>
      EventBatch.parse(json).events.map(({ data }) => ('text' in data ? (data.text ?? '') : ''))

    test('what was posted and not settled is posted again, with the same ids and in order', async () => {
      const names = [await makeLoggedIn(gateway, storeLocation), await makeLoggedIn(gateway, storeLocation)]
      const url = `https://127.0.0.1:${receiver.port}/hook`
      await api(gateway, 'POST /webhooks', { url, batch: true, events: ['messages.upsert'] })
      const send = (index: number) =>
        api(gateway, 'POST /send/text', {
          instanceName: names[index % 2],
          number: '5511912345678',
          message: `text ${index}`,
        })
      // The first request stays without an answer, and the process that has made it is killed.
      receiver.answer = () => undefined
      for (const index of times(10, (each) => each)) await send(index)
      await receiver.until(1)
      await gateway.stop('SIGKILL')
      const before = receiver.received.length
      receiver.answer = (response) => void response.end('ok')
      gateway = await start(gateway.key)
      for (const index of times(5, (each) => each + 10)) await send(index)
      const isComplete = () => {
        const got = new Set(receiver.received.slice(before).flatMap(sentTexts))
        return times(15, (index) => `text ${index}`).every((text) => got.has(text))
      }
      while (!isComplete()) await receiver.until(receiver.received.length + 1)
      const events = receiver.received.flatMap(({ json }) => EventBatch.parse(json).events)
      const bodies = Map.groupBy(events, ({ id }) => id)
      for (const [id, copies] of bodies)
        assert.equal(new Set(copies.map((copy) => JSON.stringify(copy))).size, 1, id)
      const firstIds = receiver.received.slice(0, before).flatMap(({ json }) => EventBatch.parse(json).events)
      for (const { id } of firstIds) assert.ok((bodies.get(id)?.length ?? 0) > 1, `${id} came again`)
      const later = receiver.received.slice(before).flatMap(({ json }) => EventBatch.parse(json).events)
      for (const own of Map.groupBy(later, ({ instance }) => instance.id).values())
        assert.deepEqual(
          own.map(({ sequence }) => sequence),
          [...new Set(own.map(({ sequence }) => sequence))].toSorted((a, b) => a - b),
        )
    })
  })
}
