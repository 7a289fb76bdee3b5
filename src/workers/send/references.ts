// Loads what an outgoing message refers to: the message it quotes, changes or forwards, and the people it mentions or is shown to.
import type { JsonObject, MessageReference, NetworkAddress, OutgoingContext } from '../../network/message.ts'
import { textOf } from '../../rules/event-payloads.ts'
import { isStatusJid, personJid } from '../../rules/jid.ts'
import { findMessagesOf } from '../../store/queries/messages.ts'
import { findSentPayload } from '../../store/queries/sent-payloads.ts'
import type { Db, Row } from '../../store/tables.ts'
import type { AddressBook } from './address-book.ts'
import { audienceOf } from './audience.ts'

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
 * no_recipients: it is a status, and none of the people who should see it is registered.
 */
export async function contextOf(
  deps: ReferenceDeps,
  { instanceId, chat }: { instanceId: number; chat: string },
  content: Record<string, unknown>,
): Promise<OutgoingContext | 'not_sent' | 'no_recipients'> {
  const { store, addresses } = deps
  const { quoted, target, forwardOf, mentions } = content as Referring
  const find = async (named: { messageId: string; direction?: string | null } | undefined) =>
    named && (await findReference(store.db, instanceId, named))
  const [quote, changed, source] = [await find(quoted), await find(target), await find(forwardOf)]
  if ((target && !changed) || (forwardOf && !source)) return 'not_sent'
  const audience = isStatusJid(chat) && !target ? await audienceOf(deps, instanceId, content) : undefined
  if (audience?.length === 0) return 'no_recipients'
  return {
    audience,
    quoted: quote,
    target: changed,
    forwarded: source?.isOurs && source.payload === null ? 'again' : source,
    mentions: mentions && (await mentioned(addresses, instanceId, mentions)),
  }
}

const NEVER_SENT: ReadonlySet<string> = new Set(['failed', 'scheduled'])

async function findReference(
  db: Db,
  instanceId: number,
  { messageId, direction }: { messageId: string; direction?: string | null },
): Promise<MessageReference | undefined> {
  const found = await findMessagesOf(db, instanceId, messageId)
  const row = found.find((message) => message.direction === direction) ?? found[0]
  if (!row || NEVER_SENT.has(row.status)) return undefined
  const isOurs = row.direction === 'outgoing'
  const content = JSON.parse(row.content) as JsonObject
  return {
    messageId,
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

/** A number that the network does not know is mentioned as it is. */
async function mentioned(
  addresses: ReferenceDeps['addresses'],
  instanceId: number,
  mentions: string[],
): Promise<string[] | 'all'> {
  if (mentions.includes('all')) return 'all'
  return Promise.all(
    mentions.map(async (number) => {
      const jid = personJid(number)
      return (await addresses.addressOf(instanceId, jid)) ?? jid
    }),
  )
}
