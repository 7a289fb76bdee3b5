// The PostgreSQL database of Evolution API. It is only read.
import pg from 'pg'
import {
  type EvolutionTables,
  type ForeignInstance,
  type TableOfInstance,
  toContact,
  toInstanceRow,
  type UncheckedRow,
} from './evolution-tables.ts'
import { MAX_CREDS_BYTES, SourceError } from './session-source.ts'

const TIMEOUT_MS = 30_000
const PAGE = 1000

/** As Prisma takes it: `postgresql://user:password@host:port/database?schema=…`. */
export async function openEvolutionPostgres(url: string): Promise<EvolutionTables> {
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
