// Leases on PostgreSQL, over a connection of their own: a full pool must not cost the lease. Neither must a full server: the
// connection is never given up while it works, and while it cannot be opened again the pool of the store lends one.
import pg from 'pg'
import { COMMITS_LOST, FORGET_RATCHETS } from '../../../instances/restore-queries.ts'
import type { KnownServer } from '../../../instances/rules.ts'
import type { Leases, LostCommits, Renewal } from '../../leases.ts'
import { applyLimits, beginWithLimits, type Limits } from './connection.ts'
import { toConnectError, toStoreError } from './errors.ts'
import { connect } from './pool.ts'
import { readTimeline, type TimelineGuard } from './timeline.ts'
import { UNTAKEN_INSTANCES } from './untaken.ts'

/** A renewal that takes longer is useless: the next one is due. */
const TIMEOUT_MS = 2000
/** A node that is frozen while it activates itself must not keep the table of nodes locked: renewals of all others would wait. */
const LIMITS: Limits = { statementMs: TIMEOUT_MS, idleInTransactionMs: TIMEOUT_MS }
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** Counted no further: a node takes a few at a time anyway. */
const MAX_UNTAKEN = 1000

const SERVER_FACT = 'server'

const REGISTER = `insert into nodes (id, name, status, lease_until, started_at, url, version)
  values ($1, $2, 'standby', ${NOW} + $3, ${NOW}, $4, $5) returning started_at`

const RENEW = `with recursive ${UNTAKEN_INSTANCES}, mine as (
    update nodes set lease_until = ${NOW} + $2, instances = $3 where id = $1 and status <> 'dead' returning status, lease_until
  )
  select ${NOW} as now, (select status from mine) as status, (select lease_until from mine) as renewed,
    (select lease_until from nodes where id = $1) as before, (select value from facts where name = '${SERVER_FACT}') as recorded,
    current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') not in ('off', 'local') as synchronous,
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
  query<Row extends pg.QueryResultRow>(
    text: string,
    values?: unknown[],
    timeoutMs?: number,
  ): Promise<pg.QueryResult<Row>>
  timeline(): Promise<string | null>
  isShared: boolean
}

/** One call on the connection of the leases. */
type OnClient = <T>(work: (client: LeaseClient) => Promise<T>) => Promise<T>

/** What the leases share with the store. */
interface StoreParts {
  /** Lends a connection while the one of the leases cannot be opened. */
  pool: pg.Pool
  guard: TimelineGuard
}

export function openPostgresLeases(url: string, store?: StoreParts): Leases {
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
      if (!store || store.pool.ending) throw toConnectError(error)
      return { client: await connect(store.pool), isShared: true }
    }
  }
  /** A connection that has failed is closed: the next call must not wait behind an old answer. */
  const onClient: OnClient = async (work) => {
    const { client, isShared } = await connectAnywhere()
    let isBroken = true
    try {
      const query: LeaseClient['query'] = (text, values = [], timeoutMs = TIMEOUT_MS) => {
        const limited = { text, values, query_timeout: timeoutMs }
        return client.query(limited)
      }
      const result = await work({ query, isShared, timeline: () => readTimeline(client) })
      isBroken = false
      return result
    } catch (error) {
      throw toStoreError(error)
    } finally {
      client.release(isBroken)
    }
  }
  return { ...leasesOn(onClient), ...recoveryOn(onClient, store?.guard), close: () => own.end() }
}

interface RenewalRow {
  now: string
  status: Renewal['status'] | null
  untaken: string
  others: Renewal['others']
  before: string | null
  renewed: string | null
  recorded: string | null
  synchronous: boolean
}

async function renew(client: LeaseClient, values: unknown[]): Promise<Renewal> {
  // Before the renewal: a server that follows another one is recognized here.
  const timeline = await client.timeline()
  const { rows } = await client.query<RenewalRow>(RENEW, values)
  const [row] = rows
  if (!row) throw new Error('a renewal has one row')
  const now = Number(row.now)
  return {
    status: row.status ?? 'dead',
    databaseNow: now,
    others: row.others,
    untaken: Number(row.untaken),
    isShared: client.isShared,
    found: { leaseUntil: row.before === null ? null : Number(row.before), timeline, now },
    renewed:
      row.renewed === null
        ? undefined
        : { leaseUntil: Number(row.renewed), timeline, isSynchronous: row.synchronous, at: now },
    recorded: row.recorded === null ? undefined : (JSON.parse(row.recorded) as KnownServer),
  }
}

const leasesOn = (onClient: OnClient): Omit<Leases, 'close' | 'recover' | 'trust'> => ({
  register: ({ id, name, url, version }, leaseMs) =>
    onClient(async (client) => {
      const { rows } = await client.query<{ started_at: string }>(REGISTER, [id, name, leaseMs, url, version])
      return Number(rows[0]?.started_at)
    }),
  renew: (id, leaseMs, instances) => onClient((client) => renew(client, [id, leaseMs, instances])),
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

/** To forget the ratchets of many instances takes longer than a renewal. */
const RECOVERY_MS = 60_000
/** More than a server gives out between two renewals, and far below what is exact as a number. */
const SKIPPED_NUMBERS = 1_000_000

/** Of several nodes that notice the same loss, one recovers: its record is of this timeline, and younger than what the others knew. */
const RECORD_LOSS = `insert into facts (name, value) values ('${COMMITS_LOST}', $1)
  on conflict (name) do update set value = excluded.value
  where (facts.value::json ->> 'timeline') is distinct from $2 or (facts.value::json ->> 'at')::bigint < $3::bigint`
const SET_SERVER = `insert into facts (name, value) values ('${SERVER_FACT}', $1)
  on conflict (name) do update set value = excluded.value`
/** Fencing tokens, sequences and positions that other processes and receivers of webhooks may know from the lost commits. */
const SKIP_NUMBERS = [
  `update instances set fence = fence + ${SKIPPED_NUMBERS}, event_sequence = event_sequence + ${SKIPPED_NUMBERS}`,
  `with locked as materialized (select id from accounts order by id for update)
   update accounts set event_position = event_position + ${SKIPPED_NUMBERS} from locked where accounts.id = locked.id`,
]

const recoveryOn = (
  onClient: OnClient,
  guard: TimelineGuard | undefined,
): Pick<Leases, 'recover' | 'trust'> => ({
  recover: (lost) => onClient((client) => recover(client, lost)),
  async trust(server, recorded) {
    const { timeline, isSynchronous, at } = server
    if (recorded?.timeline !== timeline || recorded.isSynchronous !== isSynchronous)
      await onClient((client) => client.query(SET_SERVER, [JSON.stringify({ timeline, isSynchronous, at })]))
    if (guard) guard.trusted = timeline
  },
})

/** Locks instances before accounts, in the order of decision 0078. */
async function recover(client: LeaseClient, { loss, known, found }: LostCommits): Promise<boolean> {
  const { timeline, now: at } = found
  await client.query(
    beginWithLimits('begin', { statementMs: RECOVERY_MS, idleInTransactionMs: LIMITS.idleInTransactionMs }),
  )
  const since = known.leaseUntil === undefined ? 0 : known.at
  const record = JSON.stringify({ loss, timeline, at, before: known.timeline })
  const { rowCount } = await client.query(RECORD_LOSS, [record, timeline, since])
  if (rowCount === 1)
    for (const statement of [...FORGET_RATCHETS.postgres, ...SKIP_NUMBERS])
      await client.query(statement, [], RECOVERY_MS)
  await client.query('commit')
  return rowCount === 1
}
