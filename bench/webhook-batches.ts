// What an event costs a webhook with `batch`, beside one that gets each event alone, in CPU of the whole process without that of writing
// the events. Run: node bench/webhook-batches.ts
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { createOutbound } from '../src/kernel/outbound/client.ts'
import { makeInstance, makeTenant, times } from '../src/store/conformance/tenant.ts'
import type { Store } from '../src/store/store.ts'
import { openVault, type Vault } from '../src/store/vault.ts'
import { makeHook } from '../src/webhooks/conformance-webhooks.ts'
import { countWaitingDeliveries } from '../src/webhooks/delivery-queries.ts'
import { createPostEvent } from '../src/webhooks/post-event.ts'
import { newSecret, sealSecret } from '../src/webhooks/secrets.ts'
import { startWebhookWorker } from '../src/webhooks/worker.ts'
import { authority } from '../test/support/certificates.ts'
import { engines } from '../test/support/engines.ts'
import { openStore } from '../test/support/open-store.ts'
import { middle } from './middle.ts'
import type { ReceiverOrder, ReceiverReport } from './receivers.ts'
import { atMost, ratioOf, report } from './report.ts'

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
  },
})
const RATE = Number(values.rate)
const EVENTS = RATE * Number(values.seconds)
const INSTANCES = 10
const WANTED_RATIO = 0.75
const KINDS = ['none', 'single', 'batched'] as const
type Kind = (typeof KINDS)[number]

const data = JSON.stringify({
  messageId: '3EB0A1B2C3D4E5F60718',
  chat: '5511912345678@s.whatsapp.net',
  text: 'Your order has left the house and will be with you tomorrow. 📦',
})

/** The instances of an account with this kind of webhook. */
async function makeSide(store: Store, vault: Vault, kind: Kind, port: number): Promise<number[]> {
  const tenant = await makeTenant(store)
  if (kind !== 'none') {
    const webhookId = await makeHook(store, tenant, { batch: kind === 'batched' ? 1 : 0 })
    const owner = { accountId: tenant.accountId, webhookId }
    const sealed = await store.transaction((tx) => sealSecret(vault, tx, owner, newSecret()))
    await store.db
      .updateTable('webhooks')
      .set({ url: `https://127.0.0.1:${port}/hook`, sealed_secret: sealed })
      .where('id', '=', webhookId)
      .execute()
  }
  return Promise.all(times(INSTANCES, () => makeInstance(store, tenant.accountId)))
}

/** CPU of the process per event in milliseconds, until all of them are delivered. */
async function cpuPerEvent(store: Store, instances: number[]): Promise<number> {
  const before = process.cpuUsage()
  const startedAt = Date.now()
  for (let index = 0; index < EVENTS; index += 1) {
    const dueMs = startedAt + (index * 1000) / RATE - Date.now()
    if (dueMs > 0) await pause(dueMs)
    const instanceId = instances[index % instances.length] as number
    await store.transaction((tx) =>
      store.appendEvents(tx, [{ instanceId, name: 'messages.upsert', data, createdAt: Date.now() }]),
    )
  }
  while ((await countWaitingDeliveries(store.db)) > 0) await pause(50)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / EVENTS
}

async function bench(engine: (typeof engines)[number]): Promise<void> {
  const receivers = fork(join(import.meta.dirname, 'receivers.ts'))
  receivers.send({ kind: 'open', count: 1 } satisfies ReceiverOrder)
  const [opened] = (await once(receivers, 'message')) as [ReceiverReport]
  const [port = 0] = opened.kind === 'opened' ? opened.ports : []
  const storeLocation = await engine.createLocation()
  const store = await openStore(storeLocation)
  const vault = await openVault(store.db, new Uint8Array(32))
  const sides = new Map<Kind, number[]>()
  for (const kind of KINDS) sides.set(kind, await makeSide(store, vault, kind, port))
  const allowTargets = ['127.0.0.1']
  const outbound = createOutbound({ allowTargets, extraCa: [authority()], directory: tmpdir() })
  const worker = startWebhookWorker({
    store,
    vault,
    clock: Date.now,
    logger: pino({ level: 'silent' }),
    postEvent: createPostEvent(outbound.post, Date.now),
    observe: () => undefined,
  })
  store.onEvents(({ areDeliveriesDue }) => void (areDeliveriesDue && worker.wake()))
  const costs: Record<'single' | 'batched', number>[] = []
  // The first round warms the process up.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const cpu = { none: 0, single: 0, batched: 0 }
    for (const kind of KINDS) cpu[kind] = await cpuPerEvent(store, sides.get(kind) ?? [])
    if (round > 0) costs.push({ single: cpu.single - cpu.none, batched: cpu.batched - cpu.none })
  }
  const ratio = middle(costs.map(({ single, batched }) => batched / single))
  report({
    question: `webhook with batch, ${RATE} events per second, ${INSTANCES} instances, CPU per event, ${engine.name}`,
    value: middle(costs.map(({ batched }) => batched)),
    unit: 'ms',
    beside: { name: 'each event alone', value: middle(costs.map(({ single }) => single)) },
    ratio,
    wanted: ratioOf(atMost(ratio, WANTED_RATIO)),
  })
  await worker.stop()
  await outbound.close()
  await store.close()
  await storeLocation.dispose()
  receivers.kill()
}

for (const engine of engines) await bench(engine)
