// What every connection to PostgreSQL has in common: its limits, and how it behaves behind a pooler (decision 0124).
//
// The limits are not startup parameters: pgbouncer refuses a connection with those. A session that reaches the server itself sets
// them once. Behind a pooler consecutive transactions may run on different sessions of the server, which other clients use as well.
// There the limits are set in each transaction, and statements have no names, because a name belongs to one session.
import type pg from 'pg'

export interface Limits {
  /** A statement that runs longer waits for a lock or has a bug. */
  statementMs: number
  /** A process that is suspended inside a transaction must not keep its rows locked. */
  idleInTransactionMs: number
}

const PREPARE_TIMEOUT_MS = 5000
const BEGIN = /^\s*(begin|start transaction)\b[^;]*/i

/** The id that the connection was given at its start. A pooler makes one up, which is not that of the server's process. */
const processIdOf = (client: pg.ClientBase): number =>
  Number((client as { processID?: unknown }).processID ?? 0)

/** For `onConnect` of a pool, which waits for the promise although its type does not show it. */
export const applyLimits =
  (limits: Limits) =>
  (client: pg.ClientBase): unknown =>
    setLimits(client, limits)

async function setLimits(client: pg.ClientBase, limits: Limits): Promise<void> {
  if (!(await isDirect(client, limits))) adaptToPooler(client, limits)
}

async function isDirect(
  client: pg.ClientBase,
  { statementMs, idleInTransactionMs }: Limits,
): Promise<boolean> {
  const query = {
    text: `select case when pg_backend_pid() = $1 then set_config('statement_timeout', $2, false)
        || set_config('idle_in_transaction_session_timeout', $3, false) end is not null as direct`,
    values: [processIdOf(client), String(statementMs), String(idleInTransactionMs)],
    query_timeout: PREPARE_TIMEOUT_MS,
  }
  const { rows } = await client.query<{ direct: boolean }>(query)
  return rows[0]?.direct === true
}

/** Whether a pooler stands between this program and the server. */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid !== processIdOf(client)
}

/** Any query of the driver: a text or an object, perhaps with values and a callback. */
type AnyQuery = (statement: unknown, ...rest: unknown[]) => unknown

function adaptToPooler(client: pg.ClientBase, limits: Limits): void {
  const query = client.query.bind(client) as AnyQuery
  const adapted: AnyQuery = (statement, ...rest) => {
    if (typeof statement === 'string' && BEGIN.test(statement)) {
      const begun = query(beginWithLimits(statement, limits), ...rest)
      return (begun as Promise<pg.QueryResult | pg.QueryResult[]>).then(withoutSettings)
    }
    return query(isNamed(statement) ? { ...statement, name: undefined } : statement, ...rest)
  }
  client.query = adapted as typeof client.query
}

const isNamed = (statement: unknown): statement is { name: string } =>
  typeof statement === 'object' && statement !== null && 'name' in statement

export const beginWithLimits = (sql: string, { statementMs, idleInTransactionMs }: Limits): string =>
  sql.replace(
    BEGIN,
    (begin) => `${begin}; set local statement_timeout = ${statementMs};
     set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
  )

/** The results of the statements that the caller has written. */
function withoutSettings(results: pg.QueryResult | pg.QueryResult[]): pg.QueryResult | pg.QueryResult[] {
  if (!Array.isArray(results)) return results
  const own = results.filter(({ command }) => command !== 'SET')
  return own.length === 1 ? (own[0] as pg.QueryResult) : own
}
