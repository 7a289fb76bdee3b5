// The conversation of a chat in Chatwoot: one contact and one conversation per person, whether the lid or the number was seen first.
import { setTimeout as pause } from 'node:timers/promises'
import { isGroupJid, phoneOf } from '../../network/jid.ts'
import type { Db } from '../../store/tables.ts'
import { type ChatwootApi, ChatwootError, type DeskContact, isMissing, isRefused } from './api.ts'
import type { Bridge } from './options.ts'
import * as rows from './queries.ts'

/** How long a call whose answer was lost may still be at work in Chatwoot. */
const IN_DOUBT_MS = 5000

export interface DeskAttempt {
  db: Db
  api: ChatwootApi
  bridge: Bridge
  clock(): number
  signal: AbortSignal
}

/** A chat as an event names it. */
export interface NamedChat {
  chat: string
  /** The hidden identifier of a person whose number is known; null: there is none, or the chat has it. */
  lid: string | null
  name: string
}

/** The claim of another attempt that is still at work. The delivery is repeated. */
export const busy = (): ChatwootError =>
  new ChatwootError('Another attempt is creating this in Chatwoot.', {
    status: null,
    retryAfterMs: IN_DOUBT_MS,
  })

/** Waits until an earlier call of this claim has ended in any case: then Chatwoot shows what it has created. */
export async function waitWhileInDoubt(
  { clock, signal }: Pick<DeskAttempt, 'clock' | 'signal'>,
  claimedAt: number,
): Promise<void> {
  const waitMs = Math.min(IN_DOUBT_MS, claimedAt + IN_DOUBT_MS - clock())
  if (waitMs > 0) await pause(waitMs, undefined, { signal })
}

/** Finds or creates it. A crash or a lost answer at any point leads to the same conversation. */
export async function conversationOf(attempt: DeskAttempt, named: NamedChat): Promise<number> {
  const { db, bridge, clock } = attempt
  const { webhookId } = bridge
  if (named.lid !== null) await mergeChats(attempt, named.lid, named.chat)
  const known = await rows.findChat(db, webhookId, named.chat)
  if (known?.conversation_id != null) return known.conversation_id
  const claimed = await rows.claimChat(db, webhookId, named.chat, clock())
  if (claimed) {
    if (claimed.contact_id === null) await waitWhileInDoubt(attempt, claimed.claimed_at)
    if (!(await rows.reclaimChat(db, claimed, clock()))) return completedByOther(attempt, named.chat)
  }
  return createConversation(attempt, named)
}

async function completedByOther({ db, bridge }: DeskAttempt, chat: string): Promise<number> {
  const row = await rows.findChat(db, bridge.webhookId, chat)
  if (row?.conversation_id == null) throw busy()
  return row.conversation_id
}

async function createConversation(attempt: DeskAttempt, named: NamedChat): Promise<number> {
  const { db, api, bridge, clock } = attempt
  const { inboxId, reopenConversation, conversationPending } = bridge.options
  const contact = await contactOf(attempt, named)
  const sourceId = sourceIn(contact, inboxId)
  if (sourceId === undefined) await api.addToInbox(contact.id, inboxId, named.chat)
  const existing = (await api.listConversations(contact.id)).find(
    ({ inbox_id: inbox, status }) => inbox === inboxId && (reopenConversation || status !== 'resolved'),
  )
  const conversationId =
    existing?.id ??
    (await api.createConversation({
      source_id: sourceId ?? named.chat,
      inbox_id: inboxId,
      contact_id: contact.id,
      ...(conversationPending && { status: 'pending' }),
    }))
  await rows.saveChat(db, {
    webhookId: bridge.webhookId,
    chat: named.chat,
    contactId: contact.id,
    conversationId,
    now: clock(),
  })
  return conversationId
}

const sourceIn = (contact: DeskContact, inboxId: number): string | undefined =>
  contact.contact_inboxes?.find(({ inbox }) => inbox.id === inboxId)?.source_id

async function contactOf(attempt: DeskAttempt, named: NamedChat): Promise<DeskContact> {
  const { api, bridge } = attempt
  const found = await findContact(api, named.chat)
  if (found) return found
  const number = phoneOf(named.chat)
  const contact = {
    name: named.name,
    identifier: named.chat,
    inbox_id: bridge.options.inboxId,
    source_id: named.chat,
    ...(number !== null && { phone_number: `+${number}` }),
  }
  try {
    return await api.createContact(contact)
  } catch (error) {
    // Another writer has created it meanwhile.
    const made = isRefused(error) ? await findContact(api, named.chat) : undefined
    if (!made) throw error
    return made
  }
}

/** A contact with the number comes first: agents and other channels know people by it. */
async function findContact(api: ChatwootApi, chat: string): Promise<DeskContact | undefined> {
  const number = phoneOf(chat)
  const found = await api.searchContacts(number ?? chat)
  const byNumber = number === null ? undefined : found.find((one) => one.phone_number === `+${number}`)
  return byNumber ?? found.find((one) => one.identifier === chat)
}

/** A person who was known by lid has shown the number: contact and conversation go on under the number. */
export async function mergeChats(attempt: DeskAttempt, lid: string, chat: string): Promise<void> {
  const { db, api, bridge, clock } = attempt
  const { webhookId } = bridge
  const hidden = await rows.findChat(db, webhookId, lid)
  if (!hidden || isGroupJid(chat)) return
  const shown = await rows.findChat(db, webhookId, chat)
  if (hidden.contact_id !== null) {
    const contactId = await mergeContacts(api, hidden.contact_id, chat)
    if (shown?.conversation_id != null && hidden.conversation_id !== null)
      await endConversation(api, hidden.conversation_id, shown.conversation_id)
    const conversationId = shown?.conversation_id ?? hidden.conversation_id
    if (conversationId !== null)
      await rows.saveChat(db, { webhookId, chat, contactId, conversationId, now: clock() })
  }
  await rows.deleteChat(db, webhookId, lid)
}

/** The contact with the number stays, if there is one. */
async function mergeContacts(api: ChatwootApi, hiddenId: number, chat: string): Promise<number> {
  const other = await findContact(api, chat)
  if (other && other.id !== hiddenId) {
    await ignoreMissing(api.mergeContacts(other.id, hiddenId))
    return other.id
  }
  await ignoreMissing(
    api.updateContact(hiddenId, { phone_number: `+${phoneOf(chat) ?? ''}`, identifier: chat }),
  )
  return hiddenId
}

/** The conversation of the lid. Agents who write there still reach the person. */
async function endConversation(api: ChatwootApi, conversationId: number, goesOnIn: number): Promise<void> {
  if (conversationId === goesOnIn) return
  await ignoreMissing(api.resolve(conversationId))
}

/** An earlier attempt has done it, or an agent has deleted it. */
export async function ignoreMissing(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
}
