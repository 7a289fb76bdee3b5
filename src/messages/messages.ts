// Messages: listing, reading and cancelling them.
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import { insideOf, rowWallsOf, type WalledKey } from '../accounts/walls.ts'
import { chatIds, type GivenAddress } from '../chats/rules.ts'
import { findNames, type NamesOf } from '../contacts/name-queries.ts'
import { findJidsOfNumber } from '../contacts/number-queries.ts'
import { findPhonesOfLid } from '../contacts/reported-queries.ts'
import type { Deps } from '../context.ts'
import { type Direction, MAX_CANCELED, type Message, type MessageType } from '../contract/messages.ts'
import type { FailureReason, MessageStatus } from '../contract/sending.ts'
import { GatewayError } from '../errors.ts'
import { requireInstance } from '../instances/instances.ts'
import { type Page, type PageQuery, page, rowsToRead } from '../kernel/page.ts'
import { iso, isoOrNull } from '../kernel/time.ts'
import { isLid, personJid } from '../network/jid.ts'
import type { Db } from '../store/tables.ts'
import type { ListPosition } from './message-queries.ts'
import * as rows from './message-queries.ts'
import { accountMark, instanceMark, searchTerms } from './rules-search-words.ts'
import { findByWords } from './search-queries.ts'

export interface MessageQuery extends PageQuery, GivenAddress {
  instanceName?: string | undefined
  status?: MessageStatus | undefined
  direction?: Direction | undefined
  /** Types of messages. */
  kinds?: string[] | undefined
  reference?: string | undefined
  /** Milliseconds. */
  since?: number | undefined
  until?: number | undefined
  /** Only messages that contain these words. */
  search?: string | undefined
}

export async function listMessages(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  query: MessageQuery,
): Promise<Page<z.output<typeof Message>>> {
  const filter = await filterOf({ store }, caller, query)
  const toRead = { ...filter, ...rowsToRead(query) }
  const found =
    query.search === undefined
      ? await rows.listMessages(store.db, toRead)
      : await findMessages(store, query.search, toRead)
  return page(await toMessages(store.db, found), query)
}

/** A search of signs alone has no words, and finds nothing. */
async function findMessages(
  { db, messageSearch }: Pick<Deps['store'], 'db' | 'messageSearch'>,
  search: string,
  filter: rows.MessageFilter,
): Promise<rows.MessageRow[]> {
  const terms = searchTerms(search)
  if (terms.length === 0) return []
  const { accountId, instanceId } = filter
  const mark = instanceId === undefined ? accountMark(accountId) : instanceMark(instanceId)
  return findByWords(db, messageSearch.matches(mark, terms), filter)
}

/** How many messages all pages of the list have. */
export const countMessages = async (
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  query: Omit<MessageQuery, keyof PageQuery>,
): Promise<number> => rows.countMessages(store.db, await filterOf({ store }, caller, query))

async function filterOf(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  query: Omit<MessageQuery, keyof PageQuery>,
): Promise<Omit<rows.MessageFilter, 'limit' | 'offset'>> {
  const instance =
    query.instanceName === undefined
      ? undefined
      : await requireInstance({ store }, caller.account.id, query.instanceName)
  return {
    accountId: caller.account.id,
    instanceId: instance?.id,
    person: query.number === undefined ? undefined : await personOf(store.db, caller, query.number),
    chats: await chatsOf(store.db, caller, query.chat ?? query.groupJid),
    status: query.status,
    direction: query.direction,
    kinds: query.kinds,
    reference: query.reference,
    since: query.since,
    until: query.until,
    walls: await rowWallsOf(store.db, caller),
  }
}

/** Sent messages have the number of the request, received ones that of the network. A search by either finds both (decision 0031). */
async function personOf(db: Db, caller: Caller, number: string) {
  const known = await findJidsOfNumber(db, caller.account.id, number)
  return { number, chats: [personJid(number), ...known] }
}

/** A lid stands for the chat of the number as well, once an instance of the account knows it. */
async function chatsOf(db: Db, caller: Caller, chat: string | undefined): Promise<string[] | undefined> {
  if (chat === undefined || !isLid(chat)) return chat === undefined ? undefined : [chat]
  const phones = await findPhonesOfLid(db, caller.account.id, chat)
  return [chat, ...phones.map(personJid)]
}

/** A message by its id; `instanceName` selects where several instances store that id (decision 0075). */
export interface MessageName {
  messageId: string
  instanceName?: string | undefined
}

/** All stored copies of a message, the sent one first. Never empty. */
export async function requireMessages(
  db: Db,
  caller: WalledKey,
  { messageId, instanceName }: MessageName,
): Promise<[rows.MessageRow, ...rows.MessageRow[]]> {
  const found = await rows.findMessages(db, caller.account.id, messageId, instanceName)
  const located = found.map((row) => ({
    row,
    instanceId: row.instance_id,
    apiName: row.api_name,
    chat: row.chat,
  }))
  const [first, ...others] = (await insideOf(db, caller, located)).map(({ row }) => row)
  if (first) return [first, ...others]
  if (instanceName !== undefined) await requireInstance({ store: { db } }, caller.account.id, instanceName)
  throw new GatewayError('message_not_found')
}

export async function getMessage({ store }: Pick<Deps, 'store'>, caller: Caller, name: MessageName) {
  const [row] = await requireMessages(store.db, caller, name)
  return toMessage(row, await namesOfMessages(store.db, [row]))
}

const CANCELED = 'Cancelled by request.'

/** Cancels the copy that still waits. */
export async function cancelMessage(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  caller: Caller,
  name: MessageName,
) {
  const { api_name: instanceName } = await store.transaction(async (tx) => {
    const copies = await requireMessages(tx, caller, name)
    const row = copies.find(({ status }) => rows.isCancellable(status)) ?? copies[0]
    const canceled = await rows.cancelMessage(tx, row, CANCELED, clock())
    if (!canceled) throw new GatewayError('message_not_cancellable', { status: row.status })
    await store.appendEvents(tx, [canceled])
    return row
  })
  return getMessage({ store }, caller, { ...name, instanceName })
}

/** Messages that are cancelled in one transaction: short enough for the sends and arrivals that wait for it. */
const CANCELED_AT_ONCE = 250
const SENT: readonly MessageStatus[] = ['sent', 'delivered', 'read', 'played']

/**
 * Cancels everything with this reference that still waits, each message together with its event. What a transaction has cancelled stays
 * cancelled if the process ends before the next one (decision 0196).
 */
export async function cancelMessages(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  caller: Caller,
  { reference, instanceName }: { reference: string; instanceName?: string | undefined },
) {
  const { accountId, instanceId, walls } = await filterOf({ store }, caller, { instanceName })
  const filter = { accountId, instanceId, walls, reference }
  const listFrom = (after: ListPosition | undefined, most: number) =>
    rows.listCancellable(store.db, filter, after, most)
  let canceled = 0
  let after: ListPosition | undefined
  while (canceled < MAX_CANCELED) {
    const waiting = await listFrom(after, Math.min(CANCELED_AT_ONCE, MAX_CANCELED - canceled))
    for (const [id, ofInstance] of Map.groupBy(waiting, (message) => message.instanceId)) {
      const chosen = { instanceId: id, rowIds: ofInstance.map(({ rowId }) => rowId) }
      canceled += await store.instanceTransaction(id, async (tx) => {
        const events = await rows.cancelMessages(tx, chosen, CANCELED, clock())
        await store.appendEvents(tx, events)
        return events.length
      })
    }
    after = waiting.at(-1)
    if (after === undefined) break
  }
  const more = after !== undefined && (await listFrom(after, 1)).length > 0
  const counts = await rows.countStatuses(store.db, filter)
  const sent = SENT.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0)
  return { reference, canceled, sending: counts.get('sending') ?? 0, sent, more }
}

const namesOfMessages = (db: Db, found: readonly rows.MessageRow[]): Promise<NamesOf> =>
  findNames(
    db,
    found.map((row) => ({ instanceId: row.instance_id, chat: row.chat })),
  )

/** As the API shows them, in their order. */
export async function toMessages(db: Db, found: readonly rows.MessageRow[]) {
  const namesOf = await namesOfMessages(db, found)
  return found.map((row) => toMessage(row, namesOf))
}

/** `number` is that of the request, which may be another form of the one that the network uses. */
const toMessage = (row: rows.MessageRow, namesOf: NamesOf): z.output<typeof Message> => ({
  messageId: row.id,
  instanceName: row.api_name,
  direction: row.direction as Direction,
  ...chatIds(row.chat, namesOf({ instanceId: row.instance_id, chat: row.chat })),
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
  reference: row.reference,
  starred: row.starred === 1,
  historical: row.historical === 1,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
  sentAt: isoOrNull(row.sent_at),
  deliveredAt: isoOrNull(row.delivered_at),
  readAt: isoOrNull(row.read_at),
})
