// Does `GET /contacts` stay quick when an instance grows from 1,000 to 100,000 contacts? Page 1 within 2 times its time,
// page 1,000 and a search within 10 times, on both engines, over HTTP on a real server.
import { sql } from 'kysely'
import { pino } from 'pino'
import { findFirstAccount } from '../src/accounts/account-queries.ts'
import { startApp } from '../src/app/start.ts'
import { readSettings } from '../src/config.ts'
import { searchText } from '../src/contacts/rules-search-text.ts'
import { makeInstance } from '../src/store/conformance/tenant.ts'
import type { Store } from '../src/store/store.ts'
import { type Engine, engines } from '../test/support/engines.ts'
import { atMost, ratioOf, record } from './report.ts'

const SMALL = 1000
const LARGE = 100_000
const BULK = 500
const LIMIT = 100
const WARM_UPS = 20
const CALLS = 60
const NOW = Date.UTC(2026, 0, 1)
const GIVEN = [
  'Ana',
  'Bruno',
  'Carla',
  'Diego',
  'Elisa',
  'Fábio',
  'Gabi',
  'Heitor',
  'Íris',
  'João',
  'Kátia',
  'Luís',
]
const FAMILY = ['Souza', 'Lima', 'Pereira', 'Alves', 'Gonçalves', 'Ferreira', 'Ramos', 'Castro', 'Nunes']

function chatAndContact(instanceId: number, accountId: number, index: number) {
  const phone = `55${String(11_900_000_000 + index)}`
  const jid = `${phone}@s.whatsapp.net`
  // Spread over the alphabet, so that neighbours in the list are not neighbours on the disk.
  const mixed = (index * 7919) % LARGE
  const name = `${GIVEN[mixed % GIVEN.length]} ${FAMILY[mixed % FAMILY.length]} ${String(mixed).padStart(6, '0')}`
  const pushName = `${GIVEN[index % GIVEN.length]} ${index}`
  const chat = {
    instance_id: instanceId,
    jid,
    is_group: 0 as const,
    name: null,
    push_name: pushName,
    last_message_text: 'See you tomorrow',
    last_message_at: NOW + index,
    active_at: NOW + index,
    created_at: NOW,
    updated_at: NOW,
  }
  const contact = {
    account_id: accountId,
    instance_id: instanceId,
    name,
    phone,
    jid,
    is_group: 0 as const,
    assigned_user_id: null,
    assigned_department_id: null,
    funnel_stage_id: null,
    notes: null,
    custom_data: '{}',
    sort_name: name.toLowerCase(),
    search_text: searchText([name, phone, jid, null, pushName]),
    created_at: NOW,
    updated_at: NOW,
  }
  return { chat, contact }
}

/** An instance with this many contacts, and the name to ask for it by. */
async function seed(store: Store, accountId: number, count: number): Promise<string> {
  const instanceId = await makeInstance(store, accountId)
  for (let from = 0; from < count; from += BULK) {
    const rows = Array.from({ length: BULK }, (_, index) =>
      chatAndContact(instanceId, accountId, from + index),
    )
    await store.transaction(async (tx) => {
      const made = await tx
        .insertInto('chats')
        .values(rows.map(({ chat }) => chat))
        .returning(['id', 'jid'])
        .execute()
      const idOf = new Map(made.map(({ id, jid }) => [jid, id]))
      const contacts = rows.map(({ contact }) =>
        Object.assign(contact, { chat_id: idOf.get(contact.jid) ?? 0 }),
      )
      await tx.insertInto('contacts').values(contacts).execute()
    })
  }
  const instance = await store.db
    .updateTable('instances')
    .set({ contact_count: count })
    .where('id', '=', instanceId)
    .returning('api_name')
    .executeTakeFirstOrThrow()
  return instance.api_name
}

interface Question {
  page: number
  search?: string
}

async function ask(
  url: string,
  key: string,
  instanceName: string,
  { page, search }: Question,
  expected?: number,
): Promise<number> {
  const address = new URL('/api/v1/contacts', url)
  const query = {
    instanceName,
    page: String(page),
    limit: String(LIMIT),
    ...(search === undefined ? {} : { search }),
  }
  address.search = new URLSearchParams(query).toString()
  const started = performance.now()
  const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
  const { count } = (await response.json()) as { count: number }
  const tookMs = performance.now() - started
  if (expected !== undefined && count !== expected)
    throw new Error(`${response.status}: ${count} contacts instead of ${expected}`)
  return tookMs
}

/** Two questions in turn, so that a machine that is busy for a while slows both alike. */
async function medians(questions: (() => Promise<number>)[]): Promise<number[]> {
  for (let call = 0; call < WARM_UPS; call += 1) for (const question of questions) await question()
  const times: number[][] = questions.map(() => [])
  for (let call = 0; call < CALLS; call += 1) {
    for (const [index, question] of questions.entries()) times[index]?.push(await question())
  }
  return times.map((each) => each.sort((a, b) => a - b)[CALLS / 2] as number)
}

/** A server of its own with one instance of this many contacts; `ask` asks it. */
async function startWith(engine: Engine, count: number) {
  const storeLocation = await engine.createLocation()
  const key = 'bench-key-bench-key-bench-key-bench-key'
  const { directory, databaseUrl } = storeLocation
  const app = await startApp(
    readSettings({
      PORT: '0',
      DATA_DIR: directory,
      DATABASE_URL: databaseUrl,
      RATE_LIMIT: '0',
      API_KEY: key,
    }),
    pino({ level: 'silent' }),
  )
  const accountId = (await findFirstAccount(app.store.db))?.id as number
  const name = await seed(app.store, accountId, count)
  // PostgreSQL does this automatically within a minute of such an import; before that, plans assume an empty table.
  if (engine.name === 'postgres') await sql`vacuum analyze`.execute(app.store.db)
  return {
    ask: (question: Question, expected?: number) => () => ask(app.url, key, name, question, expected),
    async stop() {
      await app.stop()
      await storeLocation.dispose()
    },
  }
}

async function bench(engine: Engine): Promise<boolean> {
  const small = await startWith(engine, SMALL)
  const large = await startWith(engine, LARGE)
  try {
    const byPhone = { page: 1, search: '11900000500' }
    const byName = { page: 1, search: 'souza 000' }
    const [
      smallPage = 0,
      largePage = 0,
      latePage = 0,
      smallPhone = 0,
      largePhone = 0,
      smallName = 0,
      largeName = 0,
    ] = await medians([
      small.ask({ page: 1 }, LIMIT),
      large.ask({ page: 1 }, LIMIT),
      large.ask({ page: LARGE / LIMIT }, LIMIT),
      small.ask(byPhone, 1),
      large.ask(byPhone, 1),
      small.ask(byName),
      large.ask(byName),
    ])
    return report(engine.name, [
      { what: 'page 1', from: smallPage, to: largePage, limit: 2 },
      { what: `page ${LARGE / LIMIT} against page 1`, from: smallPage, to: latePage, limit: 10 },
      { what: 'search for a phone number', from: smallPhone, to: largePhone, limit: 10 },
      { what: 'search for a name', from: smallName, to: largeName, limit: 10 },
    ])
  } finally {
    await Promise.all([small.stop(), large.stop()])
  }
}

function report(engine: string, rows: { what: string; from: number; to: number; limit: number }[]): boolean {
  for (const { what, from, to, limit } of rows) {
    console.log(
      `${engine}: ${what}: ${from.toFixed(1)} ms at ${SMALL}, ${to.toFixed(1)} ms at ${LARGE} contacts, ` +
        `ratio ${(to / from).toFixed(1)} (wanted: at most ${limit})`,
    )
    record({
      question: `contacts: ${what}, ${LARGE} contacts, ${engine}`,
      value: to,
      unit: 'ms',
      beside: { name: `${SMALL} contacts`, value: from },
      ratio: to / from,
      wanted: ratioOf(atMost(to / from, limit)),
    })
  }
  return rows.every(({ from, to, limit }) => to / from <= limit)
}

const held: boolean[] = []
for (const engine of engines) held.push(await bench(engine))
process.exitCode = held.every(Boolean) ? 0 : 1
