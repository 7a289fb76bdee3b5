// Leases on PostgreSQL, over a connection of their own: a full pool must not cost the lease.
import pg from 'pg'
import type { Leases, Renewal } from '../../leases.ts'
import { toConnectError, toStoreError } from './errors.ts'

/** A renewal that takes longer is useless: the next one is due. */
const TIMEOUT_MS = 2000
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

const REGISTER = `insert into nodes (id, name, status, lease_until, started_at) values ($1, $2, 'standby', ${NOW} + $4, $3)`

const RENEW = `with mine as (
    update nodes set lease_until = ${NOW} + $2 where id = $1 and status <> 'dead' returning status
  )
  select ${NOW} as now, (select status from mine) as status,
    coalesce((select json_agg(json_build_object('id', id, 'name', name, 'leaseUntil', lease_until))
      from nodes where status = 'live' and id <> $1), '[]') as others`

const END_OTHERS = `update nodes set status = 'dead'
  where status = 'live' and id <> $1 and (id = any($3::bigint[]) or (id = any($2::bigint[]) and lease_until < ${NOW}))`
const GO_LIVE = `update nodes set status = 'live', lease_until = ${NOW} + $2
  where id = $1 and status = 'standby' and not exists (select 1 from nodes where status = 'live' and id <> $1) returning id`
/** Rows of lives that ended a day ago. A late renewal of one of them finds no row, which means the same as a dead one. */
const REMOVE_OLD = `delete from nodes where status <> 'live' and lease_until < ${NOW} - 86400000`

export function openPostgresLeases(url: string): Leases {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    keepAlive: true,
    application_name: 'switchboard lease',
  })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  /** A connection that has failed is closed: the next call must not wait behind an old answer. */
  async function onClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw toConnectError(error)
    })
    let isBroken = true
    try {
      const result = await work(client)
      isBroken = false
      return result
    } catch (error) {
      throw toStoreError(error)
    } finally {
      client.release(isBroken)
    }
  }

  return {
    async register({ id, name, startedAt }, leaseMs) {
      await onClient((client) => client.query(REGISTER, [id, name, startedAt, leaseMs]))
    },
    renew: (id, leaseMs) =>
      onClient(async (client): Promise<Renewal> => {
        const { rows } = await client.query<{
          now: string
          status: string | null
          others: Renewal['others']
        }>(RENEW, [id, leaseMs])
        const [row] = rows
        const status = (row?.status ?? 'dead') as Renewal['status']
        return { status, databaseNow: Number(row?.now), others: row?.others ?? [] }
      }),
    activate: (id, leaseMs, { gone, ended }) =>
      onClient(async (client) => {
        await client.query('begin')
        // Of several nodes that wait, one is live. Renewals wait for a moment.
        await client.query('lock table nodes in share row exclusive mode')
        await client.query(END_OTHERS, [id, gone, ended])
        const { rowCount } = await client.query(GO_LIVE, [id, leaseMs])
        await client.query(REMOVE_OLD)
        await client.query('commit')
        return rowCount === 1
      }),
    async leave(id) {
      await onClient((client) => client.query(`update nodes set status = 'dead' where id = $1`, [id]))
    },
    close: () => pool.end(),
  }
}
