// Sends that wait for a person. Whether one still waits is the status of its message; the rows here say until when, and who decided.
import type { FailureReason } from '../contract/sending.ts'
import { messageUpdate } from '../events/append-store.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import type { Db } from '../store/tables.ts'

export interface Decision {
  decision: 'approved' | 'rejected' | 'expired'
  /** Such as `key:7`, or `phone`. */
  by: string
  at: number
}

interface Waiting {
  instanceId: number
  messageId: string
}

/** The send, if it still waits. The caller has locked the instance. */
export const findWaiting = (tx: Db, { instanceId, messageId }: Waiting) =>
  tx
    .selectFrom('approvals')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.instance_id', '=', 'approvals.instance_id')
        .onRef('messages.id', '=', 'approvals.message_id'),
    )
    .select([
      'messages.row_id',
      'messages.chat',
      'messages.send_at',
      'messages.account_id',
      'messages.kind',
      'messages.content',
      'approvals.expires_at',
      'approvals.key_id',
      'approvals.version',
    ])
    .where('approvals.instance_id', '=', instanceId)
    .where('approvals.message_id', '=', messageId)
    .where('messages.direction', '=', 'outgoing')
    .where('messages.status', '=', 'awaiting_approval')
    .executeTakeFirst()

/** The request for approval of a send, decided or not, with the name of its key. */
export const findApproval = (db: Db, { instanceId, messageId }: Waiting) =>
  db
    .selectFrom('approvals')
    .leftJoin('api_keys', 'api_keys.id', 'approvals.key_id')
    .select([
      'approvals.requested_at',
      'approvals.expires_at',
      'approvals.key_id',
      'approvals.version',
      'api_keys.name as key_name',
    ])
    .where('approvals.instance_id', '=', instanceId)
    .where('approvals.message_id', '=', messageId)
    .executeTakeFirst()

export async function recordDecision(
  tx: Db,
  { instanceId, messageId }: Waiting,
  { decision, by, at }: Decision,
): Promise<void> {
  await tx
    .updateTable('approvals')
    .set({ decided_at: at, decision, decided_by: by })
    .where('instance_id', '=', instanceId)
    .where('message_id', '=', messageId)
    .execute()
}

export interface SavedEdit {
  /** JSON: the content before and after. */
  before: string
  after: string
  version: number
  by: string
  at: number
}

/** The send has the new content from now on. What it was before, and who has changed it, is kept. */
export async function saveEdit(
  tx: Db,
  { instanceId, messageId, rowId }: Waiting & { rowId: number },
  { before, after, version, by, at }: SavedEdit,
): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ content: after, updated_at: at })
    .where('row_id', '=', rowId)
    .execute()
  await tx
    .updateTable('approvals')
    .set({ version })
    .where('instance_id', '=', instanceId)
    .where('message_id', '=', messageId)
    .execute()
  const edit = { version, edited_at: at, edited_by: by, content: before }
  await tx
    .insertInto('approval_edits')
    .values({ instance_id: instanceId, message_id: messageId, ...edit })
    .execute()
}

/** From now on the send is a scheduled one: due at its time, or at once. */
export async function scheduleApproved(tx: Db, rowId: number, sendAt: number, now: number): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ status: 'scheduled', send_at: sendAt, updated_at: now })
    .where('row_id', '=', rowId)
    .execute()
}

/** Fails sends that waited for approval, and returns their events. The caller has locked the instance. */
export async function failAwaiting(
  tx: Db,
  instanceId: number,
  sends: readonly { row_id: number; id: string; chat: string }[],
  failure: { reason: FailureReason; error: string },
  now: number,
): Promise<NewEvent[]> {
  for (const { row_id: rowId } of sends)
    await tx
      .updateTable('messages')
      .set({
        status: 'failed',
        failure_reason: failure.reason,
        failure_error: failure.error,
        updated_at: now,
      })
      .where('row_id', '=', rowId)
      .execute()
  await tx
    .updateTable('instances')
    .set((eb) => ({ scheduled_count: eb('scheduled_count', '-', sends.length) }))
    .where('id', '=', instanceId)
    .execute()
  return sends.map(({ id: messageId, chat }) =>
    messageUpdate({
      instanceId,
      messageId,
      chat,
      status: 'failed',
      failure: { ...failure, code: null },
      at: now,
    }),
  )
}

const waitingOf = (db: Db, nodeId: number | undefined) =>
  db
    .selectFrom('approvals')
    .innerJoin('instances', 'instances.id', 'approvals.instance_id')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.instance_id', '=', 'approvals.instance_id')
        .onRef('messages.id', '=', 'approvals.message_id'),
    )
    .where('approvals.decided_at', 'is', null)
    .where('messages.direction', '=', 'outgoing')
    .where('messages.status', '=', 'awaiting_approval')
    .$if(nodeId !== undefined, (query) => query.where('instances.node_id', '=', nodeId as number))

/** The instances with a send that was not approved in time. */
export async function listInstancesWithExpiredApprovals(
  db: Db,
  now: number,
  nodeId?: number,
): Promise<number[]> {
  const rows = await waitingOf(db, nodeId)
    .select('approvals.instance_id as id')
    .distinct()
    .where('approvals.expires_at', '<=', now)
    .execute()
  return rows.map(({ id }) => id)
}

export const MAX_EXPIRED = 500
/** More than one is a coincidence. */
const MAX_ASKED = 5

/** Fails the sends of an instance that were not approved in time. The caller has locked the instance. */
export async function failExpiredApprovals(
  tx: Db,
  instanceId: number,
  now: number,
  error: string,
): Promise<NewEvent[]> {
  const expired = await waitingOf(tx, undefined)
    .select(['messages.row_id', 'messages.id', 'messages.chat'])
    .where('approvals.instance_id', '=', instanceId)
    .where('approvals.expires_at', '<=', now)
    .orderBy('messages.row_id')
    .limit(MAX_EXPIRED)
    .execute()
  if (expired.length === 0) return []
  for (const { id: messageId } of expired)
    await recordDecision(tx, { instanceId, messageId }, { decision: 'expired', by: 'time', at: now })
  return failAwaiting(tx, instanceId, expired, { reason: 'expired', error }, now)
}

/** When the next send stops waiting; undefined: none waits. */
export async function nextApprovalEnd(db: Db, nodeId?: number): Promise<number | undefined> {
  const row = await waitingOf(db, nodeId)
    .select('approvals.expires_at as at')
    .orderBy('approvals.expires_at')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

/** A question that the owner has to get on the phone, with what it is about. */
export const listDueQuestions = (db: Db, now: number, nodeId: number | undefined, most: number) =>
  waitingOf(db, nodeId)
    .leftJoin('api_keys', 'api_keys.id', 'approvals.key_id')
    .leftJoin('chats', (join) =>
      join.onRef('chats.instance_id', '=', 'approvals.instance_id').onRef('chats.jid', '=', 'messages.chat'),
    )
    .select([
      'approvals.instance_id as instanceId',
      'approvals.message_id as messageId',
      'approvals.question_id as questionId',
      'approvals.code',
      'instances.number as own',
      'api_keys.name as keyName',
      'messages.chat',
      'messages.number',
      'messages.kind',
      'messages.content',
      'chats.name as chatName',
    ])
    .where('approvals.ask_at', '<=', now)
    .where('approvals.expires_at', '>', now)
    .orderBy('approvals.ask_at')
    .limit(most)
    .execute()

/** When the next question is due; undefined: none is. */
export async function nextQuestion(db: Db, nodeId?: number): Promise<number | undefined> {
  const row = await waitingOf(db, nodeId)
    .select('approvals.ask_at as at')
    .where('approvals.ask_at', 'is not', null)
    .orderBy('approvals.ask_at')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? undefined
}

/** Null: the question is in the outbox. */
export async function setAskAt(
  db: Db,
  { instanceId, messageId }: Waiting,
  askAt: number | null,
): Promise<void> {
  await db
    .updateTable('approvals')
    .set({ ask_at: askAt })
    .where('instance_id', '=', instanceId)
    .where('message_id', '=', messageId)
    .execute()
}

/** The sends of an instance that wait for an answer with this code, or to this question. */
export async function listAsked(
  db: Db,
  instanceId: number,
  { code, quoted }: { code: string | undefined; quoted: string | undefined },
): Promise<{ messageId: string; questionId: string; code: string }[]> {
  const rows = await waitingOf(db, undefined)
    .select(['approvals.message_id', 'approvals.question_id', 'approvals.code'])
    .where('approvals.instance_id', '=', instanceId)
    .where('approvals.code', 'is not', null)
    .where((eb) =>
      eb.or([eb('approvals.code', '=', code ?? ''), eb('approvals.question_id', '=', quoted ?? '')]),
    )
    .limit(MAX_ASKED)
    .execute()
  return rows.flatMap((row) =>
    row.question_id === null || row.code === null
      ? []
      : [{ messageId: row.message_id, questionId: row.question_id, code: row.code }],
  )
}
