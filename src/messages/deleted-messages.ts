// Deleted messages: they are not changed, quoted or forwarded any more, no matter who deleted them (decision 0116).

import { chatForms } from '../chats/rules.ts'
import { GatewayError } from '../errors.ts'
import { hasAnswer } from '../sending/idempotency-queries.ts'
import type { Db, Row } from '../store/tables.ts'
import { findDeletions } from './change-queries.ts'
import { allJids } from './changes.ts'
import { isDeletionOf, type StoredDeletion } from './rules-deletion.ts'

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
