// Loads what an outgoing message refers to: the message it quotes, changes or forwards, and the people it mentions or is shown to.
import { isDeleted } from '../domain/deleted-messages.ts'
import { isStatusJid } from '../network/jid.ts'
import type { JsonObject, MessageReference, NetworkAddress, OutgoingContext } from '../network/message.ts'
import { jidOfPerson } from '../rules/chat-address.ts'
import { textOf } from '../rules/event-payloads.ts'
import { findMessagesOf } from '../store/queries/messages.ts'
import { findSentPayload } from '../store/queries/sent-payloads.ts'
import type { Db, Row } from '../store/tables.ts'
import { audienceOf } from './audience.ts'
import type { AddressBook } from './recipient.ts'

/** The stored fields that name other messages and people. */
interface Referring {
  quoted?: { messageId: string }
  target?: { messageId: string; direction: string | null }
  forwardOf?: { messageId: string; direction: string }
  mentions?: string[]
}

export interface ReferenceDeps {
  store: { db: Db }
  addresses: Pick<AddressBook, 'addressOf'>
}

/**
 * not_sent: the message that this one changes or forwards has failed.
 * deleted: it was deleted since. A reply to a deleted message is sent without its quote (decision 0116).
 * no_recipients: it is a status, and none of the people who should see it is registered.
 */
export async function contextOf(
  deps: ReferenceDeps,
  { instanceId, chat, kind }: { instanceId: number; chat: string; kind: string },
  content: Record<string, unknown>,
): Promise<OutgoingContext | 'not_sent' | 'deleted' | 'no_recipients'> {
  const { store, addresses } = deps
  const { quoted, target, forwardOf, mentions } = content as Referring
  const find = async (named: { messageId: string; direction?: string | null } | undefined) =>
    named && (await findReference(store.db, instanceId, named))
  const [quote, changed, source] = [await find(quoted), await find(target), await find(forwardOf)]
  if ((target && !changed) || (forwardOf && !source)) return 'not_sent'
  if (source?.isDeleted || (changed?.isDeleted && kind !== 'delete')) return 'deleted'
  const audience = isStatusJid(chat) && !target ? await audienceOf(deps, instanceId, content) : undefined
  if (audience?.length === 0) return 'no_recipients'
  return {
    audience,
    quoted: quote?.isDeleted ? undefined : quote,
    target: changed,
    forwarded: source?.isOurs && source.payload === null ? 'again' : source,
    mentions: mentions && (await mentioned(addresses, instanceId, mentions)),
  }
}

const NEVER_SENT: ReadonlySet<string> = new Set(['failed', 'scheduled', 'awaiting_approval'])

async function findReference(
  db: Db,
  instanceId: number,
  { messageId, direction }: { messageId: string; direction?: string | null },
): Promise<(MessageReference & { isDeleted: boolean }) | undefined> {
  const found = await findMessagesOf(db, instanceId, messageId)
  const row = found.find((message) => message.direction === direction) ?? found[0]
  if (!row || NEVER_SENT.has(row.status)) return undefined
  const isOurs = row.direction === 'outgoing'
  const content = JSON.parse(row.content) as JsonObject
  return {
    messageId,
    isDeleted: await isDeleted(db, row),
    isOurs,
    addressedAs: addressOf(row),
    type: row.kind,
    text: textOf(content),
    content,
    payload: (isOurs ? await findSentPayload(db, instanceId, messageId) : undefined) ?? null,
    media: row.media_reference === null ? null : (JSON.parse(row.media_reference) as JsonObject),
  }
}

const addressOf = (row: Row<'messages'>): NetworkAddress =>
  row.addressed_as === null
    ? { chat: row.chat, participant: null }
    : (JSON.parse(row.addressed_as) as NetworkAddress)

/** A person by number or lid. A number that the network does not know is mentioned as it is. */
async function mentioned(
  addresses: ReferenceDeps['addresses'],
  instanceId: number,
  mentions: string[],
): Promise<string[] | 'all'> {
  if (mentions.includes('all')) return 'all'
  return Promise.all(
    mentions.map(async (name) => {
      const jid = jidOfPerson(name)
      return (await addresses.addressOf(instanceId, jid)) ?? jid
    }),
  )
}
