// What Chatwoot posts for an API inbox: the fields that the bridge reads, whether the post is authentic, and what it asks for.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { isGroupJid, PERSON_JID, personJid, userOf } from '../../network/jid.ts'
import { isFromHere } from './messages.ts'

const TOLERATED_SECONDS = 300
/** Chatwoot takes no more attachments of one message. */
const MAX_ATTACHMENTS = 15
const MAX_CONTENT = 150_000

const id = z.int().positive()
const optionalText = z.string().max(MAX_CONTENT).nullish()

const Conversation = z.object({
  id,
  status: optionalText,
  contact_inbox: z.object({ source_id: optionalText }).nullish(),
  meta: z
    .object({
      sender: z.object({ id: id.nullish(), phone_number: optionalText, identifier: optionalText }).nullish(),
    })
    .nullish(),
})

const Attachment = z.object({ file_type: optionalText, data_url: z.string().max(4096).nullish() })

export const PostedMessage = z.object({
  id,
  content: optionalText,
  message_type: z.string().max(64),
  private: z.boolean().nullish(),
  source_id: optionalText,
  content_attributes: z.object({ in_reply_to: id.nullish(), deleted: z.boolean().nullish() }).nullish(),
  sender: z.object({ name: optionalText, available_name: optionalText, type: optionalText }).nullish(),
  inbox: z.object({ id }).nullish(),
  conversation: Conversation,
  attachments: z.array(Attachment).max(MAX_ATTACHMENTS).nullish(),
})
export type PostedMessage = z.output<typeof PostedMessage>

const Posted = z.object({ event: z.string().max(128) })

export type HookDemand =
  | { kind: 'send' | 'delete'; message: PostedMessage }
  | { kind: 'resolved'; conversationId: number }
  | { kind: 'nothing' }

const NOTHING: HookDemand = { kind: 'nothing' }

/** Messages to the customer. Greetings and surveys of Chatwoot itself are templates. */
const TO_CUSTOMER = new Set(['outgoing', 'template'])

/** What a post asks for. Undefined: it has not the form of Chatwoot. */
export function demandOf(body: unknown, inboxId: number): HookDemand | undefined {
  const posted = Posted.safeParse(body)
  if (!posted.success) return undefined
  switch (posted.data.event) {
    case 'message_created':
    case 'message_updated':
      return ofMessage(body, posted.data.event, inboxId)
    case 'conversation_status_changed': {
      const changed = Conversation.safeParse(body)
      if (!changed.success) return undefined
      return changed.data.status === 'resolved'
        ? { kind: 'resolved', conversationId: changed.data.id }
        : NOTHING
    }
    default:
      return NOTHING
  }
}

function ofMessage(body: unknown, event: string, inboxId: number): HookDemand | undefined {
  const parsed = PostedMessage.safeParse(body)
  if (!parsed.success) return undefined
  const message = parsed.data
  const isOfInbox = message.inbox == null || message.inbox.id === inboxId
  if (!isOfInbox || message.private === true || !TO_CUSTOMER.has(message.message_type)) return NOTHING
  if (event === 'message_updated')
    return message.content_attributes?.deleted === true ? { kind: 'delete', message } : NOTHING
  // The bridge has made it: it is on the network already.
  return isFromHere(message.source_id) ? NOTHING : { kind: 'send', message }
}

/** The chat that a conversation belongs to, by the name that the bridge or an agent has given it; undefined: none can be found. */
export function chatOfConversation({
  contact_inbox,
  meta,
}: PostedMessage['conversation']): string | undefined {
  const names = [contact_inbox?.source_id, meta?.sender?.identifier]
  const [source, identifier] = names.map((name) => (name && isChat(name) ? name : undefined))
  const number = /^\+([1-9]\d{6,14})$/.exec(meta?.sender?.phone_number ?? '')?.[1]
  return source ?? (number === undefined ? identifier : personJid(number))
}

const GROUP_USER = /^[\d-]{5,40}$/
const isChat = (name: string): boolean =>
  name.length <= 64 && (PERSON_JID.test(name) || (isGroupJid(name) && GROUP_USER.test(userOf(name))))

export interface Signed {
  timestamp: string | undefined
  signature: string | undefined
  body: Uint8Array
}

/** `X-Chatwoot-Signature`: HMAC-SHA256 of `<timestamp>.<body>`, recent. */
export function isSigned({ timestamp, signature, body }: Signed, secret: string, nowMs: number): boolean {
  if (timestamp === undefined || signature === undefined || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERATED_SECONDS) return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  return isSame(signature, `sha256=${expected}`)
}

/** In a time that does not depend on the content. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
