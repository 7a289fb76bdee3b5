// Evolution API: instances and logins in its database, keys in the folder `instances` or in Redis.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { keysIn, newestChange } from './baileys-folder.ts'
import { connectRedis, type RedisClient } from './redis-client.ts'
import { countOtherClients, keysInHash, listHashes, sessionInHash } from './redis-sessions.ts'
import { type FoundSession, MAX_CREDS_BYTES, type SessionSource, SourceError } from './session-source.ts'

type KeysOf = Pick<FoundSession, 'keys' | 'changedAt'>

/** Where the keys of sessions are. */
interface KeyLocation {
  /** Rejects if there is nothing for the instance. */
  of(instanceId: string): Promise<KeysOf>
  /** The login, where it is stored with the keys. */
  creds(instanceId: string): Promise<string>
  runningNow(): Promise<string | undefined>
  close(): void
}

export async function openEvolution(location: string, keys: string | undefined): Promise<SessionSource> {
  if (keys === undefined)
    throw new SourceError(
      '--keys: expected the folder `instances` of Evolution API, or the URL of its Redis as redis://…',
    )
  const tables = /^[a-z]+:\/\//i.test(location)
    ? await openEvolutionPostgres(location)
    : await openEvolutionExport(resolve(location))
  try {
    const stored = /^rediss?:/.test(keys) ? await keysInRedis(keys) : await keysInFolder(keys)
    return {
      sessions: () => sessionsIn(tables, stored),
      runningNow: async () => (await tables.runningNow()) ?? stored.runningNow(),
      async close() {
        stored.close()
        await tables.close()
      },
    }
  } catch (error) {
    await tables.close()
    throw error
  }
}

async function* sessionsIn(tables: EvolutionTables, stored: KeyLocation): AsyncIterable<FoundSession> {
  const instances = await tables.instances()
  if (instances.length === 0) throw new SourceError('Evolution API has no instances')
  for (const instance of instances) yield sessionOf(tables, stored, instance)
}

function sessionOf(tables: EvolutionTables, stored: KeyLocation, instance: ForeignInstance): FoundSession {
  const { id, name, token, integration } = instance
  return {
    label: name,
    async creds() {
      if (integration !== null && integration !== 'WHATSAPP-BAILEYS')
        throw new SourceError(`${integration.slice(0, 40)} has no session that can be taken over`)
      // Without its keys a login would begin new sessions with everyone.
      await stored.of(id)
      const text = await tables.creds(id)
      return text === undefined ? stored.creds(id) : unwrapped(text)
    },
    async *keys() {
      yield* (await stored.of(id)).keys()
    },
    changedAt: async () => (await stored.of(id)).changedAt(),
    belongings: async () => ({
      name,
      token: token ?? undefined,
      settings: await tables.rowOf('Setting', id),
      webhook: await tables.rowOf('Webhook', id),
      proxy: await tables.rowOf('Proxy', id),
      contacts: () => tables.contacts(id),
    }),
  }
}

/** The login is JSON in a text that is JSON again. */
function unwrapped(text: string): string {
  try {
    const inner = JSON.parse(text) as unknown
    return typeof inner === 'string' ? inner : text
  } catch {
    throw new SourceError('creds: not valid JSON')
  }
}

async function keysInFolder(path: string): Promise<KeyLocation> {
  const folder = resolve(path)
  const isFolder = async (name: string) => (await stat(name).catch(() => undefined))?.isDirectory() ?? false
  if (!(await isFolder(folder))) throw new SourceError('--keys: expected a folder that can be read')
  return {
    async of(instanceId) {
      // The id comes from the database, and names a folder inside this one only.
      const inner = join(folder, instanceId)
      if (!/^[\w-]{1,100}$/.test(instanceId) || !(await isFolder(inner)))
        throw new SourceError('--keys has no folder for this instance')
      return { keys: () => keysIn(inner), changedAt: () => newestChange(inner) }
    },
    creds: async () => {
      throw new SourceError('creds: missing')
    },
    runningNow: async () => undefined,
    close: () => undefined,
  }
}

async function keysInRedis(url: string): Promise<KeyLocation> {
  const client = await connectRedis(url)
  const hashes = await hashesIn(client).catch((error: unknown) => {
    client.close()
    throw error
  })
  const hashOf = (instanceId: string): string => {
    const hash = hashes.get(instanceId)
    if (hash === undefined) throw new SourceError('Redis has no hash for this instance')
    return hash
  }
  return {
    async of(instanceId) {
      const hash = hashOf(instanceId)
      return { keys: () => keysInHash(client, hash), changedAt: async () => undefined }
    },
    creds: (instanceId) => sessionInHash(client, hashOf(instanceId), instanceId).creds(),
    runningNow: async () =>
      (await countOtherClients(client)) > 0 ? 'another client is connected to Redis' : undefined,
    close: client.close,
  }
}

/** By the id of the instance; the prefix is a setting of the other program. */
async function hashesIn(client: RedisClient): Promise<Map<string, string>> {
  const hashes = await listHashes(client, '*:instance:*')
  return new Map(hashes.map((hash) => [hash.slice(hash.lastIndexOf(':') + 1), hash]))
}

// Tables of Evolution API in a file, one row of JSON a line: `{"table": "Instance", "row": {…}}`. For a database that this program has no
// driver for, such as MySQL.

/** The largest line is a login, whose quotation marks are escaped twice. */
const MAX_LINE = 4 * MAX_CREDS_BYTES
/** Everything but the contacts is kept in memory. */
const MAX_ROWS = 100_000

async function openEvolutionExport(path: string): Promise<EvolutionTables> {
  const instances: ForeignInstance[] = []
  const creds = new Map<string, string>()
  const rows = new Map<string, UncheckedRow>()
  for await (const { table, row } of rowsIn(path)) {
    if (instances.length + creds.size + rows.size > MAX_ROWS)
      throw new SourceError(`the file has more than ${MAX_ROWS} rows`)
    const instance = table === 'Instance' ? toInstanceRow(row) : undefined
    if (instance) instances.push(instance)
    if (table === 'Session' && typeof row.creds === 'string') creds.set(String(row.sessionId), row.creds)
    if ((TABLES_OF_INSTANCE as readonly string[]).includes(table))
      rows.set(`${table} ${String(row.instanceId)}`, row)
  }
  return {
    instances: async () => instances,
    creds: async (instanceId) => creds.get(instanceId),
    rowOf: async (table, instanceId) => rows.get(`${table} ${instanceId}`),
    async *contacts(instanceId) {
      for await (const { table, row } of rowsIn(path))
        if (table === 'Contact' && row.instanceId === instanceId) yield* toContact(row)
    },
    // A file does not show whether the program runs.
    runningNow: async () => undefined,
    close: async () => undefined,
  }
}

async function* rowsIn(path: string): AsyncIterable<{ table: string; row: UncheckedRow }> {
  let number = 0
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      number += 1
      if (line.trim() === '') continue
      if (line.length > MAX_LINE) throw new SourceError(`line ${number}: too long`)
      yield rowOf(line, number)
    }
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError(`the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}

function rowOf(line: string, number: number): { table: string; row: UncheckedRow } {
  const { table, row } = (parsed(line) ?? {}) as { table?: unknown; row?: unknown }
  if (typeof table === 'string' && typeof row === 'object' && row !== null)
    return { table, row: row as UncheckedRow }
  throw new SourceError(`line ${number}: expected {"table": …, "row": …}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

// The PostgreSQL database of Evolution API. It is only read.

const TIMEOUT_MS = 30_000
const PAGE = 1000

/** As Prisma takes it: `postgresql://user:password@host:port/database?schema=…`. */
async function openEvolutionPostgres(url: string): Promise<EvolutionTables> {
  const { connectionString, schema } = parseUrl(url)
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    options: '-c default_transaction_read_only=on',
    application_name: 'switchboard import',
  })
  // A connection that ends between two queries is noticed by the next one.
  client.on('error', () => undefined)
  const ask = async (sql: string, values: unknown[] = []): Promise<UncheckedRow[]> => {
    try {
      return (await client.query<UncheckedRow>(sql, values)).rows
    } catch (error) {
      throw sourceError(error)
    }
  }
  try {
    await client.connect()
  } catch (error) {
    await client.end().catch(() => undefined)
    throw sourceError(error)
  }
  const tableOf = (name: string): string => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
  return {
    instances: async () =>
      (await ask(`select * from ${tableOf('Instance')} order by "name"`))
        .map(toInstanceRow)
        .filter((row): row is ForeignInstance => row !== undefined),
    async creds(instanceId) {
      const table = tableOf('Session')
      const [size] = await ask(`select length("creds") as size from ${table} where "sessionId" = $1`, [
        instanceId,
      ])
      if (Number(size?.size ?? 0) > MAX_CREDS_BYTES) throw new SourceError('creds: too large')
      const [row] = await ask(`select "creds" from ${table} where "sessionId" = $1`, [instanceId])
      return typeof row?.creds === 'string' ? row.creds : undefined
    },
    rowOf: async (table: TableOfInstance, instanceId) =>
      (await ask(`select * from ${tableOf(table)} where "instanceId" = $1`, [instanceId]))[0],
    contacts: (instanceId) => contactsIn(ask, tableOf('Contact'), instanceId),
    async runningNow() {
      const [row] = await ask(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
      return Number(row?.count) > 0 ? 'another client is connected to the database' : undefined
    },
    close: () => client.end(),
  }
}

async function* contactsIn(
  ask: (sql: string, values: unknown[]) => Promise<UncheckedRow[]>,
  table: string,
  instanceId: string,
): AsyncIterable<{ jid: string; name: string }> {
  for (let after = ''; ; ) {
    const rows = await ask(
      `select "id", "remoteJid", "pushName" from ${table} where "instanceId" = $1 and "id" > $2 order by "id" limit ${PAGE}`,
      [instanceId, after],
    )
    yield* rows.flatMap(toContact)
    if (rows.length < PAGE) return
    after = String(rows.at(-1)?.id)
  }
}

/** Parameters of Prisma are not those of PostgreSQL. */
function parseUrl(text: string): { connectionString: string; schema: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '')
    throw new SourceError('SOURCE: expected postgresql://user:password@host:port/database?schema=…')
  const schema = url.searchParams.get('schema') ?? 'public'
  const sslmode = url.searchParams.get('sslmode')
  url.search = sslmode === null ? '' : `?sslmode=${encodeURIComponent(sslmode)}`
  return { connectionString: url.href, schema }
}

/** The code only: texts of the server can repeat the address. */
function sourceError(error: unknown): SourceError {
  const { code } = error as { code?: string }
  if (code === '42P01' || code === '3F000')
    return new SourceError('the database has no tables of Evolution API in this schema')
  return new SourceError(`PostgreSQL cannot be read (${code ?? 'no answer'})`)
}

// The tables of Evolution API that an import reads, with the columns that it uses. Prisma made them.

interface ForeignInstance {
  id: string
  name: string
  token: string | null
  integration: string | null
}

type UncheckedRow = Record<string, unknown>

/** One row of each table belongs to an instance. */
const TABLES_OF_INSTANCE = ['Setting', 'Webhook', 'Proxy'] as const
type TableOfInstance = (typeof TABLES_OF_INSTANCE)[number]

interface EvolutionTables {
  instances(): Promise<ForeignInstance[]>
  /** As it is stored; undefined: there is none. */
  creds(instanceId: string): Promise<string | undefined>
  rowOf(table: TableOfInstance, instanceId: string): Promise<UncheckedRow | undefined>
  /** The people that the program knows by a name. */
  contacts(instanceId: string): AsyncIterable<{ jid: string; name: string }>
  runningNow(): Promise<string | undefined>
  close(): Promise<void>
}

/** Undefined: not a row of the table. */
function toInstanceRow({ id, name, token, integration }: UncheckedRow): ForeignInstance | undefined {
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  return { id, name, token: textOrNull(token), integration: textOrNull(integration) }
}

function toContact({ remoteJid, pushName }: UncheckedRow): { jid: string; name: string }[] {
  return typeof remoteJid === 'string' && typeof pushName === 'string' && pushName !== ''
    ? [{ jid: remoteJid, name: pushName }]
    : []
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
