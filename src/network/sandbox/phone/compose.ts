/** Composing messages on a phone: from what a person writes to the content that is encrypted. */
import { randomBytes } from 'node:crypto'
import { proto } from 'baileys'
import type { z } from 'zod'
import type { sendMessage } from '../../../contract/sandbox-requests.ts'
import { jidOf } from '../address.ts'
import type { Exchange } from '../exchange.ts'
import { Refusal } from '../refusal.ts'
import { findMessage, type StoredMessage } from '../store/messages.ts'
import type { Account } from '../world.ts'
import { uploadMedia } from './media.ts'
import type { Phone } from './phone.ts'

export type Draft = z.output<typeof sendMessage>
type DraftMedia = NonNullable<Draft['media']>

const MIMETYPES = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/ogg; codecs=opus',
  document: 'application/octet-stream',
}

export async function compose(exchange: Exchange, phone: Phone, draft: Draft, host: string) {
  const contextInfo = draft.quoted === undefined ? undefined : quote(exchange, phone, draft.quoted)
  const context = contextInfo && { contextInfo }
  if (draft.media) return composeMedia(exchange, draft.media, host, context)
  if (draft.location) return { locationMessage: composeLocation(draft.location, context) }
  if (draft.contact) return { contactMessage: composeContact(draft.contact, context) }
  if (draft.poll) return composePoll(draft.poll)
  const text = draft.text ?? ''
  return context ? { extendedTextMessage: { text, ...context } } : { conversation: text }
}

/** The message as someone on this phone points at it. */
export function messageOn(exchange: Exchange, phone: Phone, id: string): StoredMessage {
  const message = findMessage(exchange.database, phone.account.number, id)
  if (!message) throw new Refusal('message_not_found', 'This phone shows no such message.')
  return message
}

export function authorOf(exchange: Exchange, message: StoredMessage): Account {
  const author = exchange.world.accounts.get(message.from)
  if (!author) throw new Refusal('message_not_found', 'The author of that message is gone.')
  return author
}

export function quote(exchange: Exchange, phone: Phone, id: string): proto.IContextInfo {
  const quoted = messageOn(exchange, phone, id)
  const addressing = exchange.world.groups.get(quoted.chat)?.addressing ?? exchange.world.addressing
  return {
    stanzaId: id,
    participant: jidOf(authorOf(exchange, quoted), addressing),
    quotedMessage: proto.Message.decode(quoted.content),
  }
}

type Context = { contextInfo: proto.IContextInfo } | undefined

async function composeMedia(
  exchange: Exchange,
  media: DraftMedia,
  host: string,
  context: Context,
): Promise<proto.IMessage> {
  const bytes = Buffer.from(media.base64, 'base64')
  const reference = await uploadMedia(exchange.media, host, bytes, media.type)
  const mimetype = media.mimetype ?? MIMETYPES[media.type]
  const common = { ...reference, mimetype, ...context }
  const caption = media.caption === undefined ? {} : { caption: media.caption }
  const seconds = media.seconds === undefined ? {} : { seconds: media.seconds }
  switch (media.type) {
    case 'image':
      return { imageMessage: { ...common, ...caption } }
    case 'video':
      return { videoMessage: { ...common, ...caption, ...seconds } }
    case 'audio':
      return { audioMessage: { ...common, ...seconds, ptt: media.voiceNote ?? false } }
    case 'document': {
      const fileName = media.fileName ?? 'document'
      return { documentMessage: { ...common, ...caption, fileName, title: fileName } }
    }
  }
}

function composeLocation(
  location: NonNullable<Draft['location']>,
  context: Context,
): proto.Message.ILocationMessage {
  return {
    degreesLatitude: location.latitude,
    degreesLongitude: location.longitude,
    ...(location.name !== undefined && { name: location.name }),
    ...(location.address !== undefined && { address: location.address }),
    ...context,
  }
}

function composeContact(
  { name, number }: NonNullable<Draft['contact']>,
  context: Context,
): proto.Message.IContactMessage {
  const telephone = `TEL;type=CELL;waid=${number}:+${number}`
  const vcard = ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name}`, telephone, 'END:VCARD'].join('\n')
  return { displayName: name, vcard, ...context }
}

function composePoll(poll: NonNullable<Draft['poll']>): proto.IMessage {
  return {
    messageContextInfo: { messageSecret: randomBytes(32) },
    pollCreationMessageV3: {
      name: poll.name,
      options: poll.options.map((optionName) => ({ optionName })),
      selectableOptionsCount: poll.selectableCount,
    },
  }
}
