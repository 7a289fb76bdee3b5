// Claiming on PostgreSQL: lanes that are due, with their first messages, whatever their number in two statements.
import type pg from 'pg'
import { messageUpdate, type NewEvent } from '../event-log.ts'
import type { ClaimedSend, ClaimRequest } from '../lanes.ts'

type Client = Pick<pg.PoolClient, 'query'>

const HELD_LANES = `(select count(*) from lanes where instance_id = instances.id and kind = 'send'
  and locked_until > $1)`
const FREE_LANES = `select key, due_at from lanes where instance_id = instances.id and kind = 'send' and due_at <= $1
  and (locked_until is null or locked_until <= $1) order by due_at, key`

/** The instances that have a free and due lane and may have one more in work, longest due first. */
export const DUE_INSTANCES = `
  select instances.id from instances, lateral (${FREE_LANES} limit 1) as free
  where queued_count > 0 and state = 'open' and ${HELD_LANES} < $2 order by free.due_at, free.key limit $3`

/** Instance by instance: one whose queue is long costs no more than one whose queue is short, and holds up no other. */
const CLAIM_LANES = `
  with chosen as (
    select free.key from instances,
      lateral (${FREE_LANES} limit greatest(0, $2 - ${HELD_LANES})) as free
    where instances.id = any($6::bigint[]) and queued_count > 0 and state = 'open'
    order by free.due_at, free.key limit $3
  )
  update lanes set owner = $4, locked_until = $1 + $5, fence = fence + 1
  from chosen where lanes.key = chosen.key returning lanes.key, lanes.fence, lanes.due_at`

/** The first of each lane, and those behind it up to one that is to be typed first or was tried before (as `runOf` has it). */
const CLAIM_RUNS = `
  update messages set status = 'sending', tries = tries + 1, updated_at = $2
    from unnest($1::text[]) as claimed (key),
      lateral (
        select row_id, row_number() over (order by lane_seq) as place,
          count(*) filter (where status <> 'queued' or delay_ms > 0) over (order by lane_seq) as halts
        from (select row_id, lane_seq, status, delay_ms from messages
              where lane = claimed.key and status in ('queued', 'sending') order by lane_seq limit $3) as waiting
      ) as run
    where messages.row_id = run.row_id and (run.place = 1 or run.halts = 0)
    returning messages.lane, run.place::integer as place, messages.row_id, id, instance_id, chat, messages.kind, content, delay_ms, tries, created_at,
      (select state_reason from instances where instances.id = messages.instance_id) as state_reason`

interface ClaimedRow {
  lane: string
  place: number
  row_id: number
  id: string
  instance_id: number
  chat: string
  kind: string
  content: string
  delay_ms: number
  tries: number
  created_at: number
  state_reason: string | null
}

/** Of the instances that the caller's transaction has locked, whose lanes in work can so be counted. */
export async function claimSends(
  client: Client,
  request: ClaimRequest,
  instanceIds: number[],
): Promise<{ claimed: ClaimedSend[]; events: NewEvent[] }> {
  const { owner, now, lockMs, limit, perInstance, runLength } = request
  if (instanceIds.length === 0) return NONE
  const { rows: lanes } = await client.query<{ key: string; fence: number; due_at: number }>({
    name: 'claim_lanes',
    text: CLAIM_LANES,
    values: [now, perInstance, limit, owner, lockMs, instanceIds],
  })
  if (lanes.length === 0) return NONE
  const keys = lanes.map((row) => row.key)
  const { rows } = await client.query<ClaimedRow>({
    name: 'claim_runs',
    text: CLAIM_RUNS,
    values: [keys, now, runLength],
  })
  rows.sort((a, b) => a.place - b.place)
  const runs = Map.groupBy(rows, ({ lane }) => lane)
  const empty = keys.filter((key) => !runs.has(key))
  if (empty.length > 0) {
    // All that waited here was cancelled: the lane rests until the next send.
    await client.query(
      'update lanes set due_at = null, locked_until = null, owner = null where key = any($1)',
      [empty],
    )
  }
  lanes.sort((a, b) => a.due_at - b.due_at || (a.key < b.key ? -1 : 1))
  const claimed = lanes.flatMap(({ key, fence }) =>
    (runs.get(key) ?? []).map((row) => toClaimedSend(row, fence)),
  )
  return {
    claimed,
    events: claimed.filter(({ tries }) => tries === 1).map((claim) => sendingStep(claim, now)),
  }
}

const NONE = { claimed: [], events: [] }

const toClaimedSend = (row: ClaimedRow, fence: number): ClaimedSend => ({
  lane: row.lane,
  fence,
  instanceId: row.instance_id,
  rowId: row.row_id,
  messageId: row.id,
  chat: row.chat,
  kind: row.kind,
  content: row.content,
  delayMs: row.delay_ms,
  tries: row.tries,
  createdAt: row.created_at,
  restricted: row.state_reason === 'restricted',
})

const sendingStep = ({ instanceId, messageId, chat }: ClaimedSend, at: number): NewEvent =>
  messageUpdate({ instanceId, messageId, chat, status: 'sending', failure: null, at })
