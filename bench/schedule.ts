// How punctual are scheduled messages, and what do they cost? 100,000 wait for later; some are due in the next seconds. The figure is
// the longest time from a message's `sendAt` to its place in the queue (wanted: 1 s). Accepting costs no more than an ordinary send.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import type { SendToAccept } from '../src/sending/outbox.ts'
import { QUEUE_CAP } from '../src/sending/rules.ts'
import { startScheduler } from '../src/sending/scheduler.ts'
import { makeAccount, makeInstance, PERIOD, times } from '../src/store/conformance/tenant.ts'
import type { Store } from '../src/store/store.ts'
import { type Engine, engines } from '../test/support/engines.ts'
import { openStore } from '../test/support/open-store.ts'
import { atMost, ratioOf, report } from './report.ts'

const SCHEDULED = 100_000
const DUE = 500
/** All of them are accepted before the first one is due. */
const LEAD_MS = 3000
const SPREAD_MS = 5000
const CHATS = 500
const CHUNK = 2000
const YEAR_MS = 365 * 24 * 3_600_000
const WANTED_MS = 1000
/** Within the noise of a shared machine. */
const WANTED_RATIO = 1.1

const send = (accountId: number, instanceId: number, sendAt: number | null): SendToAccept => {
  const number = `55119${10_000_000 + Math.floor(Math.random() * CHATS)}`
  return {
    accountId,
    instanceId,
    messageId: `3EB0${randomBytes(9).toString('hex').toUpperCase()}`,
    chat: `${number}@s.whatsapp.net`,
    number,
    groupJid: null,
    kind: 'text',
    content: '{"message":"A message for later."}',
    event: { text: 'A message for later.' },
    delayMs: 0,
    reference: null,
    createdAt: Date.now(),
    sendAt,
    expiresAt: null,
    period: PERIOD,
    messageLimit: null,
    messages: 1,
    sends: 1,
    idempotency: null,
  }
}

/** The time per message, in chunks that arrive together. Ordinary sends and scheduled ones take turns. */
async function fill(store: Store, accountId: number): Promise<{ ordinary: number; scheduled: number }> {
  const spent = { ordinary: 0, scheduled: 0 }
  const accept = async (name: keyof typeof spent, instanceId: number, sendAt: () => number | null) => {
    const sends = times(CHUNK, () => send(accountId, instanceId, sendAt()))
    const startedAt = performance.now()
    await Promise.all(sends.map((each) => store.acceptSend(each)))
    spent[name] += performance.now() - startedAt
  }
  for (let instance = 0; instance < SCHEDULED / QUEUE_CAP; instance += 1) {
    const instanceId = await makeInstance(store, accountId)
    for (let chunk = 0; chunk < QUEUE_CAP / CHUNK; chunk += 1) {
      await accept('ordinary', instanceId, () => null)
      await accept(
        'scheduled',
        instanceId,
        () => Date.now() + 3_600_000 + Math.floor(YEAR_MS * Math.random()),
      )
    }
  }
  return { ordinary: spent.ordinary / SCHEDULED, scheduled: spent.scheduled / SCHEDULED }
}

async function longestDelay(store: Store, accountId: number): Promise<number> {
  const instanceId = await makeInstance(store, accountId)
  const from = Date.now() + LEAD_MS
  const moment = (index: number) => from + Math.floor((SPREAD_MS * index) / DUE)
  await Promise.all(times(DUE, (index) => store.acceptSend(send(accountId, instanceId, moment(index)))))
  const logger = pino({ level: 'silent' })
  const scheduler = startScheduler({ store, clock: Date.now, logger, onQueued: () => undefined })
  const queued = () =>
    store.db
      .selectFrom('messages')
      .select(['updated_at', 'send_at'])
      .where('instance_id', '=', instanceId)
      .where('status', '=', 'queued')
      .execute()
  let rows = await queued()
  for (; rows.length < DUE; rows = await queued()) await pause(200)
  await scheduler.stop()
  return Math.max(...rows.map((row) => row.updated_at - (row.send_at ?? 0)))
}

async function bench(engine: Engine): Promise<void> {
  const storeLocation = await engine.createLocation()
  const store = await openStore(storeLocation)
  try {
    const accountId = await makeAccount(store)
    const { ordinary, scheduled } = await fill(store, accountId)
    report({
      question: `accepting a scheduled message, ${engine.name}`,
      value: scheduled,
      unit: 'ms',
      beside: { name: 'an ordinary one', value: ordinary },
      ratio: scheduled / ordinary,
      wanted: ratioOf(atMost(scheduled / ordinary, WANTED_RATIO)),
    })
    const delay = await longestDelay(store, accountId)
    report({
      question: `longest delay of ${DUE} due messages with ${SCHEDULED} scheduled, ${engine.name}`,
      value: delay,
      unit: 'ms',
      wanted: atMost(delay, WANTED_MS, 'ms'),
    })
  } finally {
    await store.close()
    await storeLocation.dispose()
  }
}

for (const engine of engines) await bench(engine)
