// Sends that wait for a person: approving them puts them on their way, rejecting them fails them. Each is decided once, in one
// transaction with its event.
import { GatewayError } from '../errors.ts'
import { APPROVAL_EXPIRED } from '../rules/approval.ts'
import { messageUpdate } from '../store/operations/events/store-events.ts'
import * as rows from '../store/queries/approvals.ts'
import { findInstanceById } from '../store/queries/instances.ts'
import { enqueueDue } from '../store/queries/scheduled.ts'
import type { Db } from '../store/tables.ts'
import { apiKeyId, type Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { getMessage, type MessageName, requireMessages } from './messages.ts'

export type ApprovalDeps = Pick<Deps, 'store' | 'clock' | 'wakeSending'>

type SendVerdict = { approve: true } | { approve: false; reason?: string | undefined }

/** By a key. Keys with walls do not reach this: they could approve what they have sent. */
export async function decideSend(
  deps: ApprovalDeps,
  caller: Caller,
  name: MessageName,
  verdict: SendVerdict,
) {
  const copies = await requireMessages(deps.store.db, caller, name)
  const row = copies.find(({ status }) => status === 'awaiting_approval') ?? copies[0]
  const target = { instanceId: row.instance_id, messageId: row.id }
  const isDecided = await decide(deps, target, verdict, `key:${apiKeyId(caller)}`)
  if (!isDecided) {
    const { status } = await getMessage(deps, caller, { ...name, instanceName: row.api_name })
    throw new GatewayError('message_not_awaiting_approval', { status })
  }
  return getMessage(deps, caller, { ...name, instanceName: row.api_name })
}

interface WaitingSend {
  instanceId: number
  messageId: string
}

const REJECTED = 'A person has rejected the send.'

/** False: the send does not wait any more. */
export async function decide(
  { store, clock, wakeSending }: ApprovalDeps,
  target: WaitingSend,
  verdict: SendVerdict,
  by: string,
): Promise<boolean> {
  const { instanceId, messageId } = target
  const isDecided = await store.instanceTransaction(instanceId, async (tx) => {
    const waiting = await rows.findWaiting(tx, target)
    if (!waiting) return false
    const now = clock()
    if (waiting.expires_at <= now) {
      await store.appendEvents(tx, await rows.failExpiredApprovals(tx, instanceId, now, APPROVAL_EXPIRED))
      return false
    }
    const decision = verdict.approve ? 'approved' : 'rejected'
    await rows.recordDecision(tx, target, { decision, by, at: now })
    const failure = { reason: 'rejected', error: (!verdict.approve && verdict.reason) || REJECTED } as const
    const events = verdict.approve
      ? await release(tx, target, waiting, now)
      : await rows.failAwaiting(tx, instanceId, [{ ...waiting, id: messageId }], failure, now)
    await store.appendEvents(tx, events)
    return true
  })
  if (isDecided && verdict.approve) {
    const instance = await findInstanceById(store.db, instanceId)
    // The send may be due now or later.
    wakeSending(instance?.node_id ?? undefined, 'timed')
  }
  return isDecided
}

/** A send that is due enters its lane in this transaction; one whose time is later waits for it as a scheduled message. */
async function release(
  tx: Db,
  { instanceId, messageId }: WaitingSend,
  { row_id: rowId, send_at: sendAt, chat }: { row_id: number; send_at: number | null; chat: string },
  now: number,
) {
  await rows.scheduleApproved(tx, rowId, sendAt ?? now, now)
  if (sendAt !== null && sendAt > now)
    return [messageUpdate({ instanceId, messageId, chat, status: 'scheduled', failure: null, at: now })]
  // It was not late: it waited for a person.
  return enqueueDue(tx, instanceId, now, () => false)
}
