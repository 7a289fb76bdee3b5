// Leases on PostgreSQL, over a connection of their own: a full pool must not cost the lease. Neither must a full server: the
// connection is never given up while it works, and while it cannot be opened again the pool of the store lends one.
import pg from 'pg'
import type { Leases, Renewal } from '../../leases.ts'
import { applyLimits, beginWithLimits, type Limits } from './connection.ts'
import { toConnectError, toStoreError } from './errors.ts'
import { connect } from './pool.ts'
import { UNTAKEN_INSTANCES } from './untaken.ts'

/** A renewal that takes longer is useless: the next one is due. */
const TIMEOUT_MS = 2000
/** A node that is frozen while it activates itself must not keep the table of nodes locked: renewals of all others would wait. */
const LIMITS: Limits = { statementMs: TIMEOUT_MS, idleInTransactionMs: TIMEOUT_MS }
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** Counted no further: a node takes a few at a time anyway. */
const MAX_UNTAKEN = 1000

const REGISTER = `insert into nodes (id, name, status, lease_until, started_at, url, version)
  values ($1, $2, 'standby', ${NOW} + $3, ${NOW}, $4, $5) returning started_at`

const RENEW = `with recursive ${UNTAKEN_INSTANCES}, mine as (
    update nodes set lease_until = ${NOW} + $2, instances = $3 where id = $1 and status <> 'dead' returning status
  )
  select ${NOW} as now, (select status from mine) as status,
    (select count(*) from (select 1 from untaken limit ${MAX_UNTAKEN}) as counted) as untaken,
    coalesce((select json_agg(json_build_object('id', id, 'name', name, 'leaseUntil', lease_until, 'url', url,
        'startedAt', started_at, 'isDraining', status = 'draining', 'instances', instances) order by started_at, id)
      from nodes where status in ('live', 'draining') and id <> $1), '[]') as others`

const DECLARE_DEAD = `update nodes set status = 'dead', ended_at = ${NOW}, ended_by = (select name from nodes where id = $1)
  where status in ('live', 'draining') and id <> $1`
const END_OTHERS = `${DECLARE_DEAD} and (id = any($3::bigint[]) or (id = any($2::bigint[]) and lease_until < ${NOW}))`
const END_GONE = `${DECLARE_DEAD} and id = any($2::bigint[]) and lease_until < ${NOW} returning id`
/** A node that works alone must be the only one; one with a URL waits only for a node that works alone. */
const GO_LIVE = `update nodes set status = 'live', lease_until = ${NOW} + $2
  where id = $1 and status = 'standby' and not exists (
    select 1 from nodes as other
    where other.status in ('live', 'draining') and other.id <> $1 and (nodes.url is null or other.url is null))
  returning id`
const SET_STATUS = `update nodes set status = $2 where id = $1 and status in ('live', 'draining')`
const LEAVE = `update nodes set status = 'dead', ended_at = ${NOW} where id = $1`
/** Rows of lives that ended a day ago. A late renewal of one of them finds no row, which means the same as a dead one. */
const REMOVE_OLD = `delete from nodes where status in ('standby', 'dead') and lease_until < ${NOW} - 86400000`

interface LeaseClient {
  /** With the time limit of a renewal, on whichever connection. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
  isShared: boolean
}

/** One call on the connection of the leases. */
type OnClient = <T>(work: (client: LeaseClient) => Promise<T>) => Promise<T>

/** `shared` lends a connection while this one cannot be opened. */
export function openPostgresLeases(url: string, shared?: pg.Pool): Leases {
  const own = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    onConnect: applyLimits(LIMITS),
    keepAlive: true,
    application_name: 'switchboard lease',
  })
  own.on('error', () => undefined)
  own.on('connect', (client) => client.on('error', () => undefined))

  async function connectAnywhere(): Promise<{ client: pg.PoolClient; isShared: boolean }> {
    try {
      return { client: await own.connect(), isShared: false }
    } catch (error) {
      if (!shared || shared.ending) throw toConnectError(error)
      return { client: await connect(shared), isShared: true }
    }
  }
  /** A connection that has failed is closed: the next call must not wait behind an old answer. */
  const onClient: OnClient = async (work) => {
    const { client, isShared } = await connectAnywhere()
    let isBroken = true
    try {
      const query: LeaseClient['query'] = (text, values = []) => {
        const limited = { text, values, query_timeout: TIMEOUT_MS }
        return client.query(limited)
      }
      const result = await work({ query, isShared })
      isBroken = false
      return result
    } catch (error) {
      throw toStoreError(error)
    } finally {
      client.release(isBroken)
    }
  }
  return { ...leasesOn(onClient), close: () => own.end() }
}

const leasesOn = (onClient: OnClient): Omit<Leases, 'close'> => ({
  register: ({ id, name, url, version }, leaseMs) =>
    onClient(async (client) => {
      const { rows } = await client.query<{ started_at: string }>(REGISTER, [id, name, leaseMs, url, version])
      return Number(rows[0]?.started_at)
    }),
  renew: (id, leaseMs, instances) =>
    onClient(async (client): Promise<Renewal> => {
      const { rows } = await client.query<{
        now: string
        status: string | null
        untaken: string
        others: Renewal['others']
      }>(RENEW, [id, leaseMs, instances])
      const [row] = rows
      const status = (row?.status ?? 'dead') as Renewal['status']
      const { now, untaken, others = [] } = row ?? {}
      const { isShared } = client
      return { status, databaseNow: Number(now), others, untaken: Number(untaken), isShared }
    }),
  activate: (id, leaseMs, { gone, ended }) =>
    onClient(async (client) => {
      await client.query(beginWithLimits('begin', LIMITS))
      // Of several nodes that wait, one is live. Renewals wait for a moment.
      await client.query('lock table nodes in share row exclusive mode')
      await client.query(END_OTHERS, [id, gone, ended])
      const { rowCount } = await client.query(GO_LIVE, [id, leaseMs])
      await client.query(REMOVE_OLD)
      await client.query('commit')
      return rowCount === 1
    }),
  end: (id, gone) =>
    onClient(async (client) => {
      const { rows } = await client.query<{ id: string }>(END_GONE, [id, gone])
      return rows.map((row) => Number(row.id))
    }),
  async setDraining(id, isDraining) {
    await onClient((client) => client.query(SET_STATUS, [id, isDraining ? 'draining' : 'live']))
  },
  async leave(id) {
    await onClient((client) => client.query(LEAVE, [id]))
  },
})
