// POST /{id}/messages: a message of any kind, a read receipt, or both a receipt and "typing…".
import { z } from 'zod'
import { invalidField } from '../../errors.ts'
import { invalidInput } from '../lenient-input.ts'
import { renamed } from '../renamed-fields.ts'
import { addressOf, oneIdOf } from './addresses.ts'
import { type CloudContext, call, optionalText, PRODUCT, product } from './call.ts'
import { CloudError, FAILURES } from './errors.ts'
import { interactiveKind } from './interactive.ts'
import type { Kind, SendAnswer, SharedFields } from './kind.ts'
import {
  contactsKind,
  locationKind,
  mediaKind,
  reactionKind,
  stickerKind,
  textKind,
} from './message-kinds.ts'
import { templateKind } from './template-kind.ts'

export const KINDS: Readonly<Record<string, Kind>> = {
  text: textKind,
  image: mediaKind('image'),
  video: mediaKind('video'),
  audio: mediaKind('audio'),
  document: mediaKind('document'),
  sticker: stickerKind,
  location: locationKind,
  contacts: contactsKind,
  reaction: reactionKind,
  interactive: interactiveKind,
  template: templateKind,
}

const body = z.object({
  messaging_product: product,
  recipient_type: optionalText,
  to: optionalText,
  recipient: optionalText,
  type: optionalText,
  context: z.object({ message_id: optionalText }).nullish(),
  status: optionalText,
  message_id: optionalText,
  typing_indicator: z.object({ type: optionalText }).nullish(),
  // The content of each kind is read by its own schema.
  ...Object.fromEntries(Object.keys(KINDS).map((name) => [name, z.unknown().optional()])),
})
type Body = z.output<typeof body>

export const postMessage = call({
  admission: 'sendText',
  body,
  handle: (context, { body: given }) =>
    given.status ? reportRead(context, given) : sendMessage(context, given),
})

async function sendMessage(context: CloudContext, given: Body) {
  const name = given.type || 'text'
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
  if (!kind) throw new CloudError(400, 131051, `type: expected one of ${Object.keys(KINDS).join(', ')}`)
  const to = given.to || given.recipient
  const content = kind.content.safeParse((given as Record<string, unknown>)[name])
  if (!to) throw invalidField('to', 'required')
  if (content.error) throw invalidInput(content.error.issues, [name])
  try {
    const answer = await kind.send(context, commonOf(context, given, to), content.data)
    return shownAnswer(to, answer)
  } catch (error) {
    throw renamed(error, namesBelow(name, kind))
  }
}

const commonOf = ({ id }: CloudContext, { recipient_type, context }: Body, to: string): SharedFields => ({
  instanceName: id,
  ...(recipient_type === 'group' ? { groupJid: to } : addressOf(to)),
  delay: 0,
  ...(context?.message_id && { quotedMessageId: context.message_id }),
})

const COMMON_NAMES = {
  number: 'to',
  chat: 'to',
  groupJid: 'to',
  instanceName: 'id',
  quotedMessageId: 'context.message_id',
}

const namesBelow = (name: string, { fields }: Kind): Record<string, string> => ({
  ...COMMON_NAMES,
  ...Object.fromEntries(
    Object.entries(fields).map(([own, shown]) => [own, shown === '' ? name : `${name}.${shown}`]),
  ),
})

/** With `Prefer: wait`, a failure may be known by now. */
function shownAnswer(input: string, { messageId, number, groupJid, chat, failure }: SendAnswer) {
  if (failure) throw new CloudError(400, FAILURES[failure.reason], failure.error)
  return {
    messaging_product: PRODUCT,
    contacts: [contactOf(input, { number, groupJid, chat })],
    messages: [{ id: messageId, message_status: 'accepted' }],
  }
}

/** A person whose number is hidden has another id. */
function contactOf(
  input: string,
  { number, groupJid, chat }: Pick<SendAnswer, 'number' | 'groupJid' | 'chat'>,
) {
  const waId = number ?? groupJid
  return { input, ...(waId ? { wa_id: waId } : { user_id: oneIdOf(chat) }) }
}

/** The original shows "typing…" for 25 seconds, or until the next message. */
const TYPING_SECONDS = 25
const PRESENCES: Readonly<Record<string, 'typing' | 'recording'>> = { text: 'typing', audio: 'recording' }

/** This API marks the whole chat as read. */
async function reportRead({ use, id }: CloudContext, given: Body) {
  if (given.status !== 'read') throw new CloudError(400, 131009, 'status: expected "read"')
  const messageId = given.message_id
  if (!messageId) throw new CloudError(400, 131008, 'message_id: required')
  const { message } = await use('getMessage', { params: { messageId }, query: { instanceName: id } })
  if (message.direction !== 'incoming')
    throw new CloudError(400, 131009, 'message_id: expected a message that was received')
  const { chat } = message
  await use('readChat', { query: { instanceName: id }, body: { chat } })
  if (given.typing_indicator) {
    const presence = PRESENCES[given.typing_indicator.type ?? 'text']
    if (!presence) throw new CloudError(400, 131009, 'typing_indicator.type: expected "text"')
    await use('showPresence', { body: { instanceName: id, chat, presence, seconds: TYPING_SECONDS } })
  }
  return { success: true }
}
