// Claiming sends on SQLite: the lanes that are due, then the first messages of each.
import type { MessageStatus } from '../contract/sending.ts'
import type { HotTransaction, Prepare, SqliteOperation } from '../store/engines/sqlite/hot-transaction.ts'
import {
  type ClaimedColumns,
  type ClaimedSend,
  type ClaimRequest,
  DISAPPEARING,
  sendingEvents,
  toClaimedSend,
} from './outbox-claim.ts'
import { chooseLanes, takeRun } from './rules/lane-run.ts'

export const claimSends: SqliteOperation<'claimSends'> = (tx, requests) =>
  requests.map((request) => claim(tx, request))

/** A lock that has expired can be renewed as long as no other claim has taken the lane. */
export const renewClaim: SqliteOperation<'renewClaim'> = ({ prepare }, renewals) =>
  renewals.map(({ lane, fence, lockedUntil }) => {
    const { changes } = prepare(
      'update lanes set locked_until = ? where key = ? and fence = ? and locked_until is not null',
    ).run(lockedUntil, lane, fence)
    return Number(changes) > 0
  })

function claim(tx: HotTransaction, request: ClaimRequest): ClaimedSend[] {
  const { prepare } = tx
  const { owner, now, lockMs } = request
  return chooseLanes(dueLanes(prepare, request), request).flatMap(({ key }) => {
    const lane = prepare(
      'update lanes set owner = ?, locked_until = ?, fence = fence + 1 where key = ? returning fence',
    ).get(owner, now + lockMs, key)
    const run = claimRun(tx, key, Number(lane?.fence), request)
    // Every message of the lane was cancelled: it rests until the next send.
    if (run.length === 0)
      prepare('update lanes set due_at = null, locked_until = null, owner = null where key = ?').run(key)
    return run
  })
}

/** Instance by instance: an instance with a long queue costs no more than one with a short queue. */
function dueLanes(prepare: Prepare, { now, perInstance }: ClaimRequest) {
  const instances = prepare('select id from instances where queued_count > 0 and state = ?').all('open')
  return instances.map(({ id }) => {
    const row = prepare('select count(*) as lanes from lanes where instance_id = ? and locked_until > ?').get(
      Number(id),
      now,
    )
    const locked = Number(row?.lanes)
    const due = prepare(
      `select key, due_at from lanes where instance_id = ?1 and due_at <= ?2
         and (locked_until is null or locked_until <= ?2) order by due_at, key limit ?3`,
    ).all(Number(id), now, Math.max(0, perInstance - locked))
    return { locked, due: due.map(({ key, due_at }) => ({ key: String(key), dueAt: Number(due_at) })) }
  })
}

function claimRun(
  { prepare, append }: HotTransaction,
  lane: string,
  fence: number,
  { now, runLength }: ClaimRequest,
): ClaimedSend[] {
  const waiting = prepare(
    `select row_id, status, delay_ms from messages where lane = ? and status in ('queued', 'sending')
     order by lane_seq limit ?`,
  ).all(lane, runLength)
  const run = takeRun(
    waiting.map(({ row_id, status, delay_ms }) => ({
      rowId: Number(row_id),
      status: status as MessageStatus,
      delayMs: Number(delay_ms),
    })),
  )
  return run.map(({ rowId }) => {
    const row = prepare(
      `update messages set status = 'sending', tries = tries + 1, updated_at = ? where row_id = ?
       returning row_id, id, account_id, instance_id, chat, kind, content, delay_ms, tries, created_at, send_at, expires_at,
         (select state_reason from instances where id = instance_id) as state_reason, ${DISAPPEARING}`,
    ).get(now, rowId) as unknown as ClaimedColumns
    const claimed = toClaimedSend(row, lane, fence)
    append(sendingEvents(claimed, now))
    return claimed
  })
}
