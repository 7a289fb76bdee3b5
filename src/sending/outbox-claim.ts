// Claiming sends. A claim locks lanes, not messages:
//
//   at rest ──accept──▶ due ──claim──▶ locked ──settle──▶ due (more waits, or a retry) or at rest (nothing waits)
//                        ▲               │  ▲
//                        └──lock expires─┤  │
//                                        └──┘ renew
//
// The worker renews the lock while it prepares and sends, so that the lock lives as long as the work. A process that hangs or ends
// renews nothing, and its locks expire.
// While a lane is locked, no other claim takes a message of its chat, and so the order is kept. Every claim increments the lane's
// fencing token. A worker that comes back after its lock expired, and after another claim took the lane, presents an older token:
// its writes are rejected.

import type { NewEvent } from '../rules/event-payloads.ts'
import { messageUpdate } from '../store/operations/events/store-events.ts'

export interface ClaimRequest {
  owner: string
  /** Claims only for instances that this node serves; undefined: there is only one process. */
  nodeId?: number | undefined
  now: number
  /** The lanes are locked for this long, unless they are settled earlier. */
  lockMs: number
  /** Lanes at most. */
  limit: number
  /** Messages of one lane at most. They are sent one after the other under one lock. */
  runLength: number
  /** Lanes of one instance that may be locked at the same time. */
  perInstance: number
}

/** Extends the lock of a claimed lane. */
export interface ClaimRenewal {
  instanceId: number
  lane: string
  /** The fencing token of the claim. */
  fence: number
  /** The new end of the lock. */
  lockedUntil: number
}

/** A message of a lane that is now locked for the caller. */
export interface ClaimedSend {
  lane: string
  /** The lane's fencing token. */
  fence: number
  accountId: number
  instanceId: number
  rowId: number
  messageId: string
  chat: string
  kind: string
  content: string
  delayMs: number
  tries: number
  /** When it was accepted; for a scheduled message, when it was due. */
  dueAt: number
  expiresAt: number | null
  /** The network does not let the instance start new chats at the moment. */
  restricted: boolean
  /** How long messages of the chat stay, if it is stored under the requested number; 0: they do not disappear. */
  disappearingSeconds: number
}

/** The columns of a claimed message, as both engines return them. */
export interface ClaimedColumns {
  row_id: number
  id: string
  account_id: number
  instance_id: number
  chat: string
  kind: string
  content: string
  delay_ms: number
  tries: number
  created_at: number
  send_at: number | null
  expires_at: number | null
  state_reason: string | null
  disappearing_seconds: number
}

/** The timer of the chat; a group that was never written to has no chat yet. */
export const DISAPPEARING = `coalesce(
  (select disappearing_seconds from groups where groups.instance_id = messages.instance_id and groups.jid = messages.chat),
  (select disappearing_seconds from chats where chats.instance_id = messages.instance_id and chats.jid = messages.chat),
  0) as disappearing_seconds`

export const toClaimedSend = (row: ClaimedColumns, lane: string, fence: number): ClaimedSend => ({
  lane,
  fence,
  accountId: row.account_id,
  instanceId: row.instance_id,
  rowId: row.row_id,
  messageId: row.id,
  chat: row.chat,
  kind: row.kind,
  content: row.content,
  delayMs: row.delay_ms,
  tries: row.tries,
  dueAt: row.send_at ?? row.created_at,
  expiresAt: row.expires_at,
  restricted: row.state_reason === 'restricted',
  disappearingSeconds: row.disappearing_seconds,
})

/** The event of the first try. Later tries change no status, and so have no event. */
export const sendingEvents = ({ instanceId, messageId, chat, tries }: ClaimedSend, at: number): NewEvent[] =>
  tries === 1 ? [messageUpdate({ instanceId, messageId, chat, status: 'sending', failure: null, at })] : []
