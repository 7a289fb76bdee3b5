// Claiming sends on PostgreSQL: two statements, however many lanes are due. They apply the lane-run rule in SQL.
import { prepared, type QueryClient, type WithEvents } from '../store/engines/postgres/statement.ts'
import {
  type ClaimedColumns,
  type ClaimedSend,
  type ClaimRenewal,
  type ClaimRequest,
  DISAPPEARING,
  sendingEvents,
  toClaimedSend,
} from './outbox-claim.ts'

const HELD_LANES = `(select count(*) from lanes where instance_id = instances.id and locked_until > $1)`
const FREE_LANES = `select key, due_at from lanes where instance_id = instances.id and due_at <= $1
  and (locked_until is null or locked_until <= $1) order by due_at, key`

/** The instances that have a due lane and may have one more locked, longest due first. */
export const DUE_INSTANCES = `
  select instances.id from instances, lateral (${FREE_LANES} limit 1) as free
  where queued_count > 0 and state = 'open' and ($5::bigint is null or node_id = $5) and ${HELD_LANES} < $2 order by free.due_at, free.key limit $3`

/** `chooseLanes` in SQL. Instance by instance: one with a long queue costs no more than one with a short queue. */
const CLAIM_LANES = prepared(
  'claim_lanes',
  `with chosen as (
    select free.key from instances,
      lateral (${FREE_LANES} limit greatest(0, $2 - ${HELD_LANES})) as free
    where instances.id = any($6::bigint[]) and queued_count > 0 and state = 'open'
      and ($7::bigint is null or node_id = $7)
    order by free.due_at, free.key limit $3
  )
  update lanes set owner = $4, locked_until = $1 + $5, fence = fence + 1
  from chosen where lanes.key = chosen.key returning lanes.key, lanes.fence, lanes.due_at`,
)

/** `takeRun` in SQL: `halts` counts the messages so far that end a run. */
const CLAIM_RUNS = prepared(
  'claim_runs',
  `update messages set status = 'sending', tries = tries + 1, updated_at = $2
    from unnest($1::text[]) as claimed (key),
      lateral (
        select row_id, row_number() over (order by lane_seq) as ordinal,
          count(*) filter (where status <> 'queued' or delay_ms > 0) over (order by lane_seq) as halts
        from (select row_id, lane_seq, status, delay_ms from messages
              where lane = claimed.key and status in ('queued', 'sending') order by lane_seq limit $3) as waiting
      ) as run
    where messages.row_id = run.row_id and (run.ordinal = 1 or run.halts = 0)
    returning messages.lane, run.ordinal::integer as ordinal, messages.row_id, id, account_id, instance_id, chat,
      messages.kind, content, delay_ms, tries, created_at, send_at, expires_at,
      (select state_reason from instances where instances.id = messages.instance_id) as state_reason, ${DISAPPEARING}`,
)

/** A lock that has expired can be renewed as long as no other claim has taken the lane. */
const RENEW_CLAIMS = prepared(
  'renew_claims',
  `update lanes set locked_until = given.locked_until
   from unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality as given (lane, fence, locked_until, ordinal)
   where lanes.key = given.lane and lanes.fence = given.fence and lanes.locked_until is not null
   returning given.ordinal::integer as ordinal`,
)

interface ClaimedRow extends ClaimedColumns {
  lane: string
  ordinal: number
}

/** The caller's transaction has locked the instances: a claim at the same time would not see the renewal. */
export async function renewClaim(
  client: QueryClient,
  renewals: ClaimRenewal[],
): Promise<WithEvents<boolean>> {
  if (renewals.length === 0) return { outputs: [], events: [] }
  // Of two renewals of one lane in a batch the last one counts, for both.
  const last = new Map(renewals.map((renewal) => [`${renewal.fence} ${renewal.lane}`, renewal]))
  const given = [...last.values()]
  const { rows } = await client.query<{ ordinal: number }>(
    RENEW_CLAIMS([
      given.map(({ lane }) => lane),
      given.map(({ fence }) => fence),
      given.map(({ lockedUntil }) => lockedUntil),
    ]),
  )
  const renewed = new Set(rows.map(({ ordinal }) => given[ordinal - 1]))
  return {
    outputs: renewals.map(({ fence, lane }) => renewed.has(last.get(`${fence} ${lane}`))),
    events: [],
  }
}

/** The caller's transaction has locked the instances, so that their locked lanes can be counted. */
export async function claimSends(
  client: QueryClient,
  requests: ClaimRequest[],
  instanceIds: number[],
): Promise<WithEvents<ClaimedSend[]>> {
  const outputs: ClaimedSend[][] = []
  for (const request of requests) outputs.push(await claim(client, request, instanceIds))
  const events = outputs.flatMap((claimed, index) =>
    claimed.flatMap((send) => sendingEvents(send, (requests[index] as ClaimRequest).now)),
  )
  return { outputs, events }
}

async function claim(
  client: QueryClient,
  { owner, nodeId, now, lockMs, limit, perInstance, runLength }: ClaimRequest,
  instanceIds: number[],
): Promise<ClaimedSend[]> {
  if (instanceIds.length === 0) return []
  const { rows: lanes } = await client.query<{ key: string; fence: number; due_at: number }>(
    CLAIM_LANES([now, perInstance, limit, owner, lockMs, instanceIds, nodeId ?? null]),
  )
  if (lanes.length === 0) return []
  const keys = lanes.map((row) => row.key)
  const { rows } = await client.query<ClaimedRow>(CLAIM_RUNS([keys, now, runLength]))
  rows.sort((a, b) => a.ordinal - b.ordinal)
  const runs = Map.groupBy(rows, ({ lane }) => lane)
  const empty = keys.filter((key) => !runs.has(key))
  if (empty.length > 0) {
    // Every message of these lanes was cancelled: they rest until the next send.
    await client.query(
      'update lanes set due_at = null, locked_until = null, owner = null where key = any($1)',
      [empty],
    )
  }
  lanes.sort((a, b) => a.due_at - b.due_at || (a.key < b.key ? -1 : 1))
  return lanes.flatMap(({ key, fence }) => (runs.get(key) ?? []).map((row) => toClaimedSend(row, key, fence)))
}
