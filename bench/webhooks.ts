// How fast events reach their receivers, beside a bare loop of posts over the same kind of TLS pool; and whether receivers that
// hang slow the others down (promises C3, C4). Run: node bench/webhooks.ts
import { type ChildProcess, fork } from 'node:child_process'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { Agent } from 'undici'
import { createOutbound } from '../src/kernel/outbound/client.ts'
import { makeInstance, makeTenant, times } from '../src/store/conformance/tenant.ts'
import type { Store } from '../src/store/store.ts'
import { openVault } from '../src/store/vault.ts'
import { makeHook } from '../src/webhooks/conformance-webhooks.ts'
import { createPostEvent, deliveryHeaders } from '../src/webhooks/post-event.ts'
import { newSecret, sealSecret } from '../src/webhooks/secrets.ts'
import { startWebhookWorker, type WebhookWorker } from '../src/webhooks/worker.ts'
import { authority } from '../test/support/certificates.ts'
import { type Engine, engines } from '../test/support/engines.ts'
import { openStore } from '../test/support/open-store.ts'
import { middle } from './middle.ts'
import type { ReceiverOrder, ReceiverReport } from './receivers.ts'
import { atLeast, atMost, ratioOf, record } from './report.ts'

const RECEIVERS = 20
const HANGING = 5
const INSTANCES_EACH = 4
const RATE = 100
const RATE_SECONDS = 5
const DRAINED = 4000
/** Before anything is measured: a young process spends more on compiling its code than on posting. */
const WARM_UP_ROUNDS = 3
/** Sides take turns, and each round has a ratio of its own: a machine changes its speed by a third within a minute. */
const ROUNDS = 9
const BARE_CONCURRENCY = RECEIVERS * 4
const WANTED = { ratio: 0.5, perSecond: 300, p95Ms: 1000, slowdown: 2 }
/** Below this a doubling says more about what else the machine does than about us. */
const FLOOR_MS = 50

const TEXT = 'Your order has left the house and will be with you tomorrow. 📦'
const data = JSON.stringify({
  messageId: '3EB0A1B2C3D4E5F60718',
  chat: '5511912345678@s.whatsapp.net',
  text: TEXT,
})

/** Subscribes at once, so that a report that arrives between two calls is not missed. */
function until<K extends ReceiverReport['kind']>(
  receivers: ChildProcess,
  kind: K,
  isWanted: (report: Extract<ReceiverReport, { kind: K }>) => boolean = () => true,
): Promise<Extract<ReceiverReport, { kind: K }>> {
  return new Promise((resolve) => {
    const onReport = (message: unknown) => {
      const report = message as Extract<ReceiverReport, { kind: K }>
      if (report.kind !== kind || !isWanted(report)) return
      receivers.off('message', onReport)
      resolve(report)
    }
    receivers.on('message', onReport)
  })
}

function order<K extends ReceiverReport['kind']>(receivers: ChildProcess, wanted: ReceiverOrder, kind: K) {
  const answer = until(receivers, kind)
  receivers.send(wanted)
  return answer
}

const p95 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0

interface Setup {
  store: Store
  worker: WebhookWorker
  /** Instances by receiver. */
  instances: number[][]
  stop(): Promise<void>
}

async function setUp(engine: Engine, ports: number[]): Promise<Setup> {
  const storeLocation = await engine.createLocation()
  const store = await openStore(storeLocation)
  const vault = await openVault(store.db, new Uint8Array(32))
  const instances: number[][] = []
  for (const port of ports) {
    const tenant = await makeTenant(store)
    const webhookId = await makeHook(store, tenant)
    const owner = { accountId: tenant.accountId, webhookId }
    const sealed = await store.transaction((tx) => sealSecret(vault, tx, owner, newSecret()))
    await store.db
      .updateTable('webhooks')
      .set({ url: `https://127.0.0.1:${port}/hook`, sealed_secret: sealed })
      .where('id', '=', webhookId)
      .execute()
    instances.push(await Promise.all(times(INSTANCES_EACH, () => makeInstance(store, tenant.accountId))))
  }
  const outbound = createOutbound({
    allowTargets: ['127.0.0.1'],
    extraCa: [authority()],
    directory: tmpdir(),
  })
  const worker = startWebhookWorker({
    store,
    vault,
    clock: Date.now,
    logger: pino({ level: 'silent' }),
    postEvent: createPostEvent(outbound.post, Date.now),
    observe: () => undefined,
  })
  store.onEvents(worker.wake)
  return {
    store,
    worker,
    instances,
    async stop() {
      await worker.stop()
      await outbound.close()
      await store.close()
      await storeLocation.dispose()
    },
  }
}

const append = (store: Store, instanceIds: number[]): Promise<void> =>
  store.transaction((tx) =>
    store.appendEvents(
      tx,
      instanceIds.map((instanceId) => ({ instanceId, name: 'messages.upsert', data, createdAt: Date.now() })),
    ),
  )

/** `count` events, one after the other over all receivers and their instances. */
const spread = ({ instances }: Setup, count: number): number[] =>
  times(count, (index) => {
    const own = instances[index % instances.length] as number[]
    return own[Math.floor(index / instances.length) % own.length] as number
  })

async function atRate(setup: Setup, receivers: ChildProcess): Promise<number[][]> {
  await order(receivers, { kind: 'reset' }, 'done')
  const startedAt = Date.now()
  const running: Promise<void>[] = []
  for (const [index, instanceId] of spread(setup, RATE * RATE_SECONDS).entries()) {
    const dueMs = startedAt + (index * 1000) / RATE - Date.now()
    if (dueMs > 0) await pause(dueMs)
    running.push(append(setup.store, [instanceId]))
  }
  await Promise.all(running)
  await pause(1000)
  return (await order(receivers, { kind: 'report' }, 'ages')).ages
}

async function drain(setup: Setup, receivers: ChildProcess): Promise<number> {
  await order(receivers, { kind: 'reset' }, 'done')
  const ids = spread(setup, DRAINED)
  const startedAt = Date.now()
  for (let start = 0; start < ids.length; start += 500)
    await append(setup.store, ids.slice(start, start + 500))
  await until(receivers, 'arrived', ({ count }) => count >= DRAINED)
  return DRAINED / ((Date.now() - startedAt) / 1000)
}

/** As many posts, as many at a time, and nothing else: signed once, recorded nowhere. */
async function bare(receivers: ChildProcess, ports: number[]): Promise<number> {
  await order(receivers, { kind: 'reset' }, 'done')
  const agent = new Agent({ pipelining: 1, connect: { ca: authority() } })
  const body = JSON.stringify({ id: 'evt_1_1', event: 'messages.upsert', timestamp: new Date(), data })
  const secrets = { current: newSecret(), previous: null }
  const delivery = { id: 'evt_1_1', event: 'messages.upsert', webhookId: 1, timestamp: 1, body }
  const headers = deliveryHeaders(delivery, secrets)
  let next = 0
  const startedAt = Date.now()
  await Promise.all(
    times(BARE_CONCURRENCY, async () => {
      while (next < DRAINED) {
        const port = ports[(next += 1) % ports.length]
        const answer = await agent.request({
          origin: `https://127.0.0.1:${port}`,
          path: '/hook',
          method: 'POST',
          headers,
          body,
        })
        await answer.body.text()
      }
    }),
  )
  const perSecond = DRAINED / ((Date.now() - startedAt) / 1000)
  await agent.close()
  return perSecond
}

interface Round {
  bare: number
  ours: number
}

const inTurns = async (setup: Setup, receivers: ChildProcess, ports: number[]): Promise<Round> => ({
  bare: await bare(receivers, ports),
  ours: await drain(setup, receivers),
})

async function bench(engine: Engine): Promise<boolean> {
  const receivers = fork(new URL('./receivers.ts', import.meta.url))
  const { ports } = await order(receivers, { kind: 'open', count: RECEIVERS }, 'opened')
  const setup = await setUp(engine, ports)
  try {
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await inTurns(setup, receivers, ports)
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await inTurns(setup, receivers, ports))
    const bareRate = middle(rounds.map((round) => round.bare))
    const ourRate = middle(rounds.map((round) => round.ours))
    const ratio = middle(rounds.map((round) => round.ours / round.bare))
    const calm = await atRate(setup, receivers)
    const hanging = times(HANGING, (index) => index)
    await order(receivers, { kind: 'hang', receivers: hanging }, 'done')
    const troubled = await atRate(setup, receivers)
    const others = (ages: number[][]) => p95(ages.slice(HANGING).flat())
    const [before, after] = [others(calm), others(troubled)]
    const slowdown = Math.max(after, FLOOR_MS) / Math.max(before, FLOOR_MS)
    console.log(
      `${engine.name}: bare ${bareRate.toFixed(0)}/s, webhooks ${ourRate.toFixed(0)}/s, ` +
        `ratio ${(ratio * 100).toFixed(0)} % (wanted: ${WANTED.ratio * 100} %, and ${WANTED.perSecond}/s); ` +
        `at ${RATE}/s first try p95 ${p95(calm.flat())} ms (wanted: ${WANTED.p95Ms}); ` +
        `with ${HANGING} of ${RECEIVERS} hanging p95 of the others ${before} → ${after} ms`,
    )
    record({
      question: `webhooks delivered, ${engine.name}`,
      value: ourRate,
      unit: '/s',
      beside: { name: 'bare posts', value: bareRate },
      ratio,
      wanted: ratioOf(atLeast(ratio, WANTED.ratio)),
    })
    record({
      question: `webhooks at ${RATE} per second with ${HANGING} of ${RECEIVERS} receivers hanging, p95 of the others, ${engine.name}`,
      value: after,
      unit: 'ms',
      beside: { name: 'none hanging', value: before },
      ratio: slowdown,
      wanted: ratioOf(atMost(slowdown, WANTED.slowdown)),
    })
    return (
      ratio >= WANTED.ratio &&
      ourRate >= WANTED.perSecond &&
      p95(calm.flat()) <= WANTED.p95Ms &&
      slowdown <= WANTED.slowdown
    )
  } finally {
    await setup.stop()
    receivers.kill()
  }
}

const held: boolean[] = []
for (const engine of engines) held.push(await bench(engine))
process.exitCode = held.every(Boolean) ? 0 : 1
