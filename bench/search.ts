// What does the search for messages cost? Sends accepted and messages received a second with the worker that indexes them, against the
// same without it (at least 95 %), and the CPU time of this process for each; then the time and size of an index of stored messages, and
// how long searches take.
import { parseArgs } from 'node:util'
import { monotonicClock } from '../src/kernel/async/clock.ts'
import { accountMark, searchTerms } from '../src/messages/rules-search-words.ts'
import { createSearchIndex } from '../src/messages/search-index.ts'
import { findByWords, indexNext } from '../src/messages/search-queries.ts'
import { receivedMessage, reportOf } from '../src/receiving/conformance-arrivals.ts'
import { makeTenant, type Tenant, times } from '../src/store/conformance/tenant.ts'
import type { Store } from '../src/store/store.ts'
import { withDatabase } from '../test/support/database.ts'
import { type Engine, engines, type StoreLocation } from '../test/support/engines.ts'
import { openStore } from '../test/support/open-store.ts'
import { atLeast, ratioOf, report } from './report.ts'

const { values } = parseArgs({ options: { messages: { type: 'string', default: '100000' } } })
const STORED = Number(values.messages)
const CALLERS = 64
const ROUND_MS = 1500
const ROUNDS = 8
const TENANTS = 20
const WANTED = 0.95
const VOCABULARY = 20_000
const WORDS = 12

/** Four to six letters, the same for the same number. */
const word = (index: number): string => (((index + 1) * 7_368_787) % 11_881_376).toString(26).padStart(4, 'p')

/** A few words are in most messages, and most words in few, as in a language. */
const text = (): string => times(WORDS, () => word(Math.floor(Math.random() ** 4 * VOCABULARY))).join(' ')

type Step = (store: Store, tenant: Tenant) => Promise<unknown>
let received = 0
const STEPS: Record<string, Step> = {
  'sends accepted': (store, { send }) => {
    const content = JSON.stringify({ message: text() })
    return store.acceptSend(send({ content, createdAt: Date.now() }))
  },
  'messages received': (store, tenant) => {
    received += 1
    const chat = `55119${received % 1000}@s.whatsapp.net`
    const content = JSON.stringify({ text: text() })
    const message = receivedMessage(tenant, `R${received}`, { chat, content, created_at: Date.now() })
    return store.recordReports([reportOf(tenant, { now: Date.now(), messages: [message] })])
  },
}

interface Round {
  perSecond: number
  /** Of this process, with the thread of SQLite and without the server of PostgreSQL; a busy machine changes it least. */
  cpuMs: number
}

async function round(store: Store, tenants: Tenant[], step: Step): Promise<Round> {
  const begun = monotonicClock()
  const cpuBefore = process.cpuUsage()
  let done = 0
  const call = async (caller: number) => {
    while (monotonicClock() - begun < ROUND_MS) {
      await step(store, tenants[(caller + done) % tenants.length] as Tenant)
      done += 1
    }
  }
  await Promise.all(times(CALLERS, call))
  const { user, system } = process.cpuUsage(cpuBefore)
  return { perSecond: (done * 1000) / (monotonicClock() - begun), cpuMs: (user + system) / 1000 / done }
}

const log = { warn: (fields: object, message: string) => console.error(message, fields) }
const mean = (rounds: readonly Round[], of: keyof Round): number =>
  rounds.reduce((total, one) => total + one[of], 0) / rounds.length

/** Rounds alternate, so that a machine that is busy for a while slows both alike. */
async function compare(store: Store, tenants: Tenant[], step: Step) {
  const rounds = { with: [] as Round[], without: [] as Round[] }
  await round(store, tenants, step)
  for (let done = 0; done < ROUNDS; done += 1) {
    rounds.without.push(await round(store, tenants, step))
    const index = createSearchIndex({ store, log, elapsed: monotonicClock })
    index.start()
    rounds.with.push(await round(store, tenants, step))
    await index.stop()
  }
  return rounds
}

async function measureCost({ name: engine }: Engine, store: Store, tenants: Tenant[]): Promise<void> {
  for (const [name, step] of Object.entries(STEPS)) {
    const rounds = await compare(store, tenants, step)
    const compared = (of: keyof Round) => ({
      value: mean(rounds.with, of),
      beside: { name: 'without the index', value: mean(rounds.without, of) },
      ratio: mean(rounds.with, of) / mean(rounds.without, of),
    })
    const rate = compared('perSecond')
    report({
      question: `${name} while they are indexed, ${engine}`,
      ...rate,
      unit: '/s',
      wanted: ratioOf(atLeast(rate.ratio, WANTED)),
    })
    report({ question: `${name} while they are indexed, ${engine}: CPU`, ...compared('cpuMs'), unit: 'ms' })
  }
}

async function storeRows(store: Store, tenants: Tenant[]): Promise<void> {
  const now = Date.now()
  for (let stored = 0; stored < STORED; stored += 200) {
    const tenant = tenants[(stored / 200) % tenants.length] as Tenant
    const messages = times(200, (index) => {
      const row = { content: JSON.stringify({ text: text() }), created_at: now - STORED + stored + index }
      return receivedMessage(tenant, `S${stored + index}`, row, { events: [], activity: null })
    })
    await store.recordReports([reportOf(tenant, { isSilent: true, messages })])
  }
}

const SIZE = {
  sqlite: `select sum(pgsize) as bytes from dbstat where name like 'message_search%'`,
  postgres: `select pg_total_relation_size('message_search') as bytes`,
}

async function sizeOf(engine: Engine, storeLocation: StoreLocation): Promise<number> {
  return withDatabase(storeLocation, async ({ rows }) => {
    const [row] = await rows<{ bytes: number | string }>(SIZE[engine.name])
    return Number(row?.bytes)
  })
}

async function timeOf(store: Store, { accountId }: Tenant, search: string): Promise<number> {
  const begun = monotonicClock()
  const nothing = {
    instanceId: undefined,
    person: undefined,
    chats: undefined,
    status: undefined,
    direction: undefined,
  }
  const matches = store.messageSearch.matches(accountMark(accountId), searchTerms(search))
  await findByWords(store.db, matches, { accountId, ...nothing, limit: 50, offset: 0 })
  return monotonicClock() - begun
}

async function measureIndex(engine: Engine, store: Store, tenants: Tenant[]): Promise<void> {
  await storeRows(store, tenants)
  const begun = monotonicClock()
  for (let read: number | undefined; read !== 0; ) read = await indexNext(store, { limit: 100, silent: [] })
  const what = `index of ${STORED} messages and those above, ${engine.name}`
  report({ question: `${what}: time without a rest`, value: (monotonicClock() - begun) / 1000, unit: 's' })
  const tenant = tenants[0] as Tenant
  for (const [name, search] of [
    ['a rare word', word(VOCABULARY - 10)],
    ['the commonest word', word(0)],
    ['the beginning of words', word(0).slice(0, 3)],
    ['two words', `${word(0)} ${word(1)}`],
  ] as const) {
    await timeOf(store, tenant, search)
    report({
      question: `${engine.name}: search for ${name}`,
      value: await timeOf(store, tenant, search),
      unit: 'ms',
    })
  }
}

for (const engine of engines) {
  const storeLocation = await engine.createLocation()
  const store = await openStore(storeLocation)
  try {
    const tenants = await Promise.all(times(TENANTS, () => makeTenant(store)))
    await measureCost(engine, store, tenants)
    await measureIndex(engine, store, tenants)
  } finally {
    await store.close()
    const bytes = await sizeOf(engine, storeLocation)
    report({ question: `size of the index, ${engine.name}`, value: bytes / 2 ** 20, unit: 'MiB' })
    await storeLocation.dispose()
  }
}
