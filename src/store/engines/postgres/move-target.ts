// Fills an empty PostgreSQL database, in one transaction that is committed only after the copy was compared.
import pg from 'pg'
import { MaintenanceError } from '../../maintenance.ts'
import type { MoveTarget } from '../../move/copy-tables.ts'
import { copiedTables } from '../../move/moved-tables.ts'
import type { MovedRow, Value } from '../../move/row-digest.ts'
import { toConnectError, toStoreError } from './errors.ts'
import { OWN_RELATIONS } from './maintenance.ts'
import { migratePostgres } from './migrate.ts'

const CONNECT_TIMEOUT_MS = 5000
const LOCK_TIMEOUT_MS = 5000
const CURSOR = 'moved_rows'
const UNDEFINED_TABLE = '42P01'
const UNDEFINED_COLUMN = '42703'

const NOT_EMPTY = 'the target is not empty: data can only be moved into an empty database'

export interface PostgresMoveTarget extends MoveTarget {
  setFact(name: string, value: string): Promise<void>
  commit(): Promise<void>
}

/** Runs `work` in one transaction on the empty tables. What is not committed by it is rolled back. */
export async function withMoveTarget<T>(
  url: string,
  work: (target: PostgresMoveTarget) => Promise<T>,
): Promise<T> {
  return withClient(url, async (client) => {
    await refuseOtherTables(client)
    await migratePostgres(url)
    await client.query('begin')
    await client.query(
      `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
       set local lock_timeout = ${LOCK_TIMEOUT_MS}`,
    )
    // A server that starts on this database meanwhile waits with its first write.
    await client.query(`lock table ${copiedTables().map(pg.escapeIdentifier).join(', ')} in exclusive mode`)
    for (const table of copiedTables()) await requireEmpty(client, table)
    return work(targetOn(client))
  })
}

/** The value of a fact in a database that may not have the table. */
export const readFact = (url: string, name: string): Promise<string | undefined> =>
  withClient(url, async (client) => {
    const { rows } = await client
      .query<{ value: string }>('select value from facts where name = $1', [name])
      .catch((error: unknown) => {
        if ([UNDEFINED_TABLE, UNDEFINED_COLUMN].includes(codeOf(error))) return { rows: [] }
        throw error
      })
    return rows[0]?.value
  })

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'switchboard move',
  })
  // A connection that breaks between two queries emits an error, which would end the process. The next query reports it.
  client.on('error', () => undefined)
  try {
    await client.connect().catch((error: unknown) => {
      throw new MaintenanceError(
        `--to: the database cannot be reached: ${toConnectError(error).message}`,
        error,
      )
    })
    return await work(client)
  } catch (error) {
    throw error instanceof MaintenanceError ? error : toStoreError(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Empty tables of Switchboard are accepted: a move that was interrupted leaves them. */
async function refuseOtherTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(OWN_RELATIONS)
  if (rows[0]?.count === 0) return
  await client.query('select works_with, checksum from schema_migrations limit 1').catch((error: unknown) => {
    if ([UNDEFINED_TABLE, UNDEFINED_COLUMN].includes(codeOf(error)))
      throw new MaintenanceError(`${NOT_EMPTY}, and this one has tables of another program`)
    throw error
  })
}

async function requireEmpty(client: pg.Client, table: string): Promise<void> {
  const { rowCount } = await client.query(`select 1 from ${pg.escapeIdentifier(table)} limit 1`)
  if (rowCount !== 0) throw new MaintenanceError(`${NOT_EMPTY}, and ${table} has rows`)
}

function targetOn(client: pg.Client): PostgresMoveTarget {
  const types = (table: string) => columnTypes(client, table)
  return {
    columns: async (table) => [...(await types(table)).keys()],
    insert: async (table, columns, rows) => insert(client, table, columns, await types(table), rows),
    read: (table, columns, rowsAtOnce) => read(client, table, columns, types, rowsAtOnce),
    async numberedColumn(table) {
      const { rows } = await client.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attidentity <> ''`,
        [table],
      )
      return rows[0]?.name
    },
    async continueAfter(table, column, last) {
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3, false)', [
        table,
        column,
        last + 1,
      ])
    },
    async setFact(name, value) {
      await client.query(
        'insert into facts (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
        [name, value],
      )
    },
    async commit() {
      await client.query('commit')
      // The planner knows nothing of the new rows until the server gets round to it.
      await client.query('analyze').catch(() => undefined)
    },
  }
}

async function columnTypes(client: pg.Client, table: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>({
    name: 'columns of a moved table',
    text: `select attname as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    values: [table],
  })
  return new Map(rows.map(({ name, type }) => [name, type]))
}

/** One array per column: the statement is the same for any number of rows. */
async function insert(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  types: ReadonlyMap<string, string>,
  rows: readonly MovedRow[],
): Promise<void> {
  const names = columns.map(pg.escapeIdentifier).join(', ')
  const arrays = columns.map((column, index) => `$${index + 1}::${types.get(column)}[]`).join(', ')
  const values = columns.map((_, index) => rows.map((row) => bufferOf(row[index] ?? null)))
  await client
    .query(`insert into ${pg.escapeIdentifier(table)} (${names}) select * from unnest(${arrays})`, values)
    .catch((error: unknown) => {
      throw new MaintenanceError(`${table}: ${toStoreError(error).message}; nothing was changed`, error)
    })
}

/** The driver writes arrays of buffers as bytes, and other arrays of bytes as JSON. */
const bufferOf = (value: Value): string | Buffer | null =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value

async function* read(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  types: (table: string) => Promise<ReadonlyMap<string, string>>,
  rowsAtOnce: number,
): AsyncIterable<MovedRow[]> {
  const known = await types(table)
  const expressions = columns.map((column) =>
    known.get(column) === 'bytea' ? pg.escapeIdentifier(column) : `${pg.escapeIdentifier(column)}::text`,
  )
  await client.query(
    `declare ${CURSOR} no scroll cursor for select ${expressions.join(', ')} from ${pg.escapeIdentifier(table)}`,
  )
  for (;;) {
    const { rows } = await client.query<Value[]>({
      text: `fetch forward ${rowsAtOnce} from ${CURSOR}`,
      rowMode: 'array',
    })
    if (rows.length === 0) break
    yield rows
  }
  await client.query(`close ${CURSOR}`)
}

const codeOf = (error: unknown): string => String((error as { code?: string }).code)
