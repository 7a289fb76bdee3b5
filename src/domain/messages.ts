// Messages: listing, reading and cancelling them.
import type { z } from 'zod'
import type { Direction, Message, MessageType } from '../contract/messages.ts'
import type { FailureReason, MessageStatus } from '../contract/sending.ts'
import { GatewayError } from '../errors.ts'
import { personJid } from '../network/jid.ts'
import { type Page, type PageQuery, page, rowsToRead } from '../rules/page.ts'
import { iso, isoOrNull } from '../rules/time.ts'
import { findInstance } from '../store/queries/instances.ts'
import { findJidsOfNumber } from '../store/queries/known-numbers.ts'
import * as rows from '../store/queries/messages.ts'
import type { Db } from '../store/tables.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { requireInstance } from './instances.ts'

export interface MessageQuery extends PageQuery {
  instanceName?: string | undefined
  number?: string | undefined
  chat?: string | undefined
  status?: MessageStatus | undefined
  direction?: Direction | undefined
}

export async function listMessages(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  query: MessageQuery,
): Promise<Page<z.output<typeof Message>>> {
  const instance =
    query.instanceName === undefined
      ? undefined
      : await requireInstance({ store }, caller.account.id, query.instanceName)
  const found = await rows.listMessages(store.db, {
    accountId: caller.account.id,
    instanceId: instance?.id,
    person: query.number === undefined ? undefined : await personOf(store.db, caller, query.number),
    chat: query.chat,
    status: query.status,
    direction: query.direction,
    ...rowsToRead(query),
  })
  return page(found.map(toMessage), query)
}

/** Sent messages have the number of the request, received ones that of the network. A search by either finds both (decision 0031). */
async function personOf(db: Db, caller: Caller, number: string) {
  const known = await findJidsOfNumber(db, caller.account.id, number)
  return { number, chats: [personJid(number), ...known] }
}

/** A message by its id; `instanceName` selects where several instances store that id (decision 0075). */
export interface MessageName {
  messageId: string
  instanceName?: string | undefined
}

/** All stored copies of a message, the sent one first. Never empty. */
export async function requireMessages(
  db: Db,
  caller: Caller,
  { messageId, instanceName }: MessageName,
): Promise<[rows.MessageRow, ...rows.MessageRow[]]> {
  const [first, ...others] = await rows.findMessages(db, caller.account.id, messageId, instanceName)
  if (first) return [first, ...others]
  const isKnown = instanceName === undefined || (await findInstance(db, caller.account.id, instanceName))
  throw new GatewayError(isKnown ? 'message_not_found' : 'instance_not_found')
}

export async function getMessage({ store }: Pick<Deps, 'store'>, caller: Caller, name: MessageName) {
  const [row] = await requireMessages(store.db, caller, name)
  return toMessage(row)
}

/** Cancels the copy that still waits. */
export async function cancelMessage(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  caller: Caller,
  name: MessageName,
) {
  const { api_name: instanceName } = await store.transaction(async (tx) => {
    const copies = await requireMessages(tx, caller, name)
    const row = copies.find(({ status }) => rows.isCancellable(status)) ?? copies[0]
    const canceled = await rows.cancelMessage(tx, row, 'Cancelled by request.', clock())
    if (!canceled) throw new GatewayError('message_not_cancellable', { status: row.status })
    await store.appendEvents(tx, [canceled])
    return row
  })
  return getMessage({ store }, caller, { ...name, instanceName })
}

export const toMessage = (row: rows.MessageRow): z.output<typeof Message> => ({
  messageId: row.id,
  instanceName: row.api_name,
  direction: row.direction as Direction,
  chat: row.chat,
  number: row.number,
  groupJid: row.group_jid,
  type: row.kind as MessageType,
  status: row.status as MessageStatus,
  content: JSON.parse(row.content) as z.output<typeof Message>['content'],
  failure:
    row.failure_reason === null
      ? null
      : {
          reason: row.failure_reason as FailureReason,
          error: row.failure_error ?? '',
          code: row.failure_code,
        },
  sendAt: isoOrNull(row.send_at),
  expiresAt: isoOrNull(row.expires_at),
  late: row.late === 1,
  starred: row.starred === 1,
  historical: row.historical === 1,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
  sentAt: isoOrNull(row.sent_at),
  deliveredAt: isoOrNull(row.delivered_at),
  readAt: isoOrNull(row.read_at),
})
