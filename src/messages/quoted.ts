// Replies: finds the message that a send quotes, checks that it is in the same chat, and that it was not deleted.
import { chatForms } from '../chats/rules.ts'
import type { EventData } from '../contract/events.ts'
import type { Direction } from '../contract/messages.ts'
import { GatewayError, invalidField } from '../errors.ts'
import { textOf } from '../events/rules-payloads.ts'
import { findInstanceById } from '../instances/instance-queries.ts'
import { personJid } from '../network/jid.ts'
import { hasAnswer } from '../sending/queue-queries.ts'
import type { Db, Row } from '../store/tables.ts'
import { findDeletions } from './change-queries.ts'
import { allJids } from './changes.ts'
import { findMessagesOf } from './message-queries.ts'
import { isDeletionOf, type StoredDeletion } from './rules.ts'
import { SILENT_TYPES } from './silent-types.ts'

// Replies: finds the message that a send quotes, and checks that it is in the same chat.

type Quoted = EventData<'messages.upsert'>['quoted']

/** Nothing of these has reached the network. */
export const UNSENT: ReadonlySet<string> = new Set(['awaiting_approval', 'scheduled', 'failed'])

/** Null for a send without a quote. */
export async function findQuoted(
  db: Db,
  {
    instanceId,
    chat,
    quotedMessageId,
    insideOf,
  }: {
    instanceId: number
    chat: string
    quotedMessageId?: string | undefined
    /** Those of the chats that a key with walls around chats reaches; undefined: it reaches all. */
    insideOf?: ((chats: string[]) => Promise<string[]>) | undefined
  },
  idempotencyKey: string | undefined,
): Promise<Quoted> {
  if (quotedMessageId === undefined) return null
  const found = await findMessagesOf(db, instanceId, quotedMessageId)
  if (found.length === 0) throw new GatewayError('message_not_found')
  const forms = chatForms(await allJids(db, instanceId, [chat]))
  const chats = insideOf ? await insideOf(forms) : forms
  const row = found.find((message) => chats.includes(message.chat))
  // A key with a wall around the chat is not told what exists outside.
  if (!row && insideOf) throw new GatewayError('message_not_found')
  if (!row) throw invalidField('quotedMessageId', 'the message is in another chat')
  if (SILENT_TYPES.has(row.kind)) throw invalidField('quotedMessageId', `a ${row.kind} cannot be quoted`)
  if (UNSENT.has(row.status)) throw new GatewayError('message_not_sent')
  await refuseDeleted(db, row, idempotencyKey)
  return {
    messageId: quotedMessageId,
    text: textOf(JSON.parse(row.content) as Record<string, unknown>),
    participant: await authorOf(db, row),
  }
}

/** The jid of the author; null where it is not known. */
export async function authorOf(
  db: Db,
  row: Pick<Row<'messages'>, 'instance_id' | 'direction' | 'content' | 'chat'>,
): Promise<string | null> {
  if ((row.direction as Direction) === 'outgoing') {
    const instance = await findInstanceById(db, row.instance_id)
    return instance?.number ? personJid(instance.number) : null
  }
  const { from } = JSON.parse(row.content) as { from?: { jid?: string } }
  return from?.jid ?? row.chat
}

// Deleted messages: they are not changed, quoted or forwarded any more, no matter who deleted them (decision 0116).

type NamedMessage = Pick<Row<'messages'>, 'account_id' | 'instance_id' | 'id' | 'chat' | 'direction'>

/** Whether a deletion of the message was received, or accepted by this gateway. */
export async function isDeleted(db: Db, message: Omit<NamedMessage, 'account_id'>): Promise<boolean> {
  const chats = chatForms(await allJids(db, message.instance_id, [message.chat]))
  const deletions = await findDeletions(db, message.instance_id, chats, message.id)
  return deletions.some(({ status, content }) => {
    const { target } = JSON.parse(content) as Partial<StoredDeletion>
    return target !== undefined && isDeletionOf(message, { status, target })
  })
}

/** A repeated request gets its first answer, even if the message was deleted since. */
export async function refuseDeleted(
  db: Db,
  message: NamedMessage,
  idempotencyKey: string | undefined,
): Promise<void> {
  if (!(await isDeleted(db, message))) return
  if (idempotencyKey !== undefined && (await hasAnswer(db, message.account_id, idempotencyKey))) return
  throw new GatewayError('message_deleted')
}
