// Converts every kind of received message into the one shape that the rest of the gateway uses.
import { proto } from 'baileys'
import { cutText, fitJson, fitText } from '../../contract/bounded-json.ts'
import type { Json, JsonObject, PersonIds, QuotedMessage, ReceivedMessage } from '../../network/message.ts'
import { readAudio } from './audio.ts'
import { readButtonReply } from './button-reply.ts'
import { readButtons, readPix } from './buttons.ts'
import { readDocument } from './document.ts'
import { readEdit, readSecretEdit } from './edit.ts'
import type { Envelope } from './envelope.ts'
import { readEvent, readEventAnswer } from './event.ts'
import { readImage } from './image.ts'
import { readLocation } from './location.ts'
import { readOrder, readProduct } from './order.ts'
import { openWithSecret, secretOf } from './originals.ts'
import { isBetweenOwnDevices } from './own-devices.ts'
import { chatAndSenderOf, idsOf, type Resolve, resolveJid } from './people.ts'
import { readPoll } from './poll.ts'
import { readPollVote } from './poll-vote.ts'
import { type FindOriginal, markCut, type Reading, type ReadingFacts, type ReadKind } from './reading.ts'
import { referralIn } from './referral.ts'
import { readSticker } from './sticker.ts'
import { claimedTarget } from './target.ts'
import { textOf } from './text-of.ts'
import { readUnsupported } from './unsupported.ts'
import { onlyDistributesKeys, unwrap } from './unwrap.ts'
import { parseCard } from './vcard.ts'
import { readVideo } from './video.ts'
import { countOf, momentMs, present, storable, textOrNull } from './wire-values.ts'

// A reaction from the network, or its withdrawal. In announcement groups it is encrypted with the secret of the message.

const readReaction: ReadKind = ({ reactionMessage }, { resolve }) =>
  reactionMessage
    ? reactionReading(reactionMessage, claimedTarget(reactionMessage.key, resolve, 'ours'))
    : null

/** Null, also for a reaction that cannot be decrypted: it is then reported as unsupported content. */
const readSecretReaction: ReadKind = ({ encReactionMessage }, facts) => {
  const key = encReactionMessage?.targetMessageKey
  const type = proto.Message.ReactionMessage
  const sealed = {
    use: 'Enc Reaction',
    type,
    encrypted: encReactionMessage,
    key,
    name: 'reactionMessage',
  } as const
  const opened = openWithSecret<proto.Message.IReactionMessage>(sealed, facts)
  if (!opened) return null
  const target = claimedTarget(key, facts.resolve, 'senders')
  return markCut(reactionReading({ ...opened.content, key: key ?? null }, target), opened)
}

function reactionReading(
  { text, key }: proto.Message.IReactionMessage,
  target: NonNullable<Reading['target']> | null,
): Reading {
  const emoji = textOrNull(text)
  return {
    type: 'reaction',
    text: emoji,
    target,
    content: { targetMessageId: key?.id ?? '', emoji, removed: emoji === null },
  }
}

// Contact cards from the network, one or several.

interface WireCard {
  displayName?: string | null
  vcard?: string | null
}

const readContact: ReadKind = ({ contactMessage, contactsArrayMessage }) => {
  const cards = contactMessage ? [contactMessage] : contactsArrayMessage?.contacts
  if (!cards) return null
  const read = cards.map(contactOf)
  return {
    type: 'contact',
    text: null,
    content: {
      contacts: read.map(({ contact }) => contact),
      ...(read.some(({ truncated }) => truncated) && { truncated: true }),
    },
    contextInfo: (contactMessage ?? contactsArrayMessage)?.contextInfo,
  }
}

function contactOf({ displayName, vcard }: WireCard): { contact: Json; truncated: boolean } {
  const { name, organization, phones, truncated } = parseCard(vcard ?? '')
  const numbers = phones.map(({ number, phone }) => ({ number, phone }))
  return { contact: { name: name ?? textOrNull(displayName), organization, phones: numbers }, truncated }
}

// An album from the network: the message that announces it, and the reference of an image or a video to that message.

/** Longer ids come from no client. */
const MAX_ID = 128

export const readAlbum: ReadKind = ({ albumMessage }) =>
  albumMessage
    ? {
        type: 'album',
        text: null,
        content: {
          images: countOf(albumMessage.expectedImageCount) ?? 0,
          videos: countOf(albumMessage.expectedVideoCount) ?? 0,
        },
        contextInfo: albumMessage.contextInfo,
      }
    : null

/** Empty for a message that belongs to no album. */
export function albumOf({ messageContextInfo }: proto.IMessage): JsonObject {
  const { associationType, parentMessageKey } = messageContextInfo?.messageAssociation ?? {}
  if (associationType !== proto.MessageAssociation.AssociationType.MEDIA_ALBUM) return {}
  const messageId = textOrNull(parentMessageKey?.id)
  return messageId === null || messageId.length > MAX_ID ? {} : { album: { messageId } }
}

// A text from the network.
const readText: ReadKind = ({ conversation, extendedTextMessage }): Reading | null => {
  if (!extendedTextMessage) {
    return typeof conversation === 'string' ? { type: 'text', text: textOrNull(conversation) } : null
  }
  const { text, matchedText, title, description, contextInfo } = extendedTextMessage
  const linkPreview = present({
    url: textOrNull(matchedText),
    title: textOrNull(title),
    description: textOrNull(description),
  })
  return {
    type: 'text',
    text: textOrNull(conversation) ?? textOrNull(text),
    content: Object.keys(linkPreview).length > 0 ? { linkPreview } : {},
    contextInfo,
  }
}

// A message pinned in its chat, or the removal of the pin.
const readPin: ReadKind = ({ pinInChatMessage, messageContextInfo }, { resolve }) => {
  if (!pinInChatMessage) return null
  const target = claimedTarget(pinInChatMessage.key, resolve, 'senders')
  if (!target) return null
  const isPinned = pinInChatMessage.type === proto.Message.PinInChatMessage.Type.PIN_FOR_ALL
  return {
    type: 'pin',
    text: null,
    target,
    content: {
      targetMessageId: target.messageId,
      seconds: isPinned ? countOf(messageContextInfo?.messageAddOnDurationInSecs) : null,
    },
  }
}

// A message taken back for everyone, by its author or by an admin of the group.

const { REVOKE } = proto.Message.ProtocolMessage.Type

const readDelete: ReadKind = ({ protocolMessage }, { resolve }) => {
  // REVOKE is the first enum value, which the wire format may omit.
  if (!protocolMessage || (protocolMessage.type ?? REVOKE) !== REVOKE) return null
  const target = claimedTarget(protocolMessage.key, resolve, 'senders')
  if (!target) return null
  return {
    type: 'delete',
    text: null,
    target,
    content: { targetMessageId: target.messageId, targetAuthor: target.author },
  }
}

// A new timer for the messages of a chat. Both sides of a chat can set it.

const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type

const readDisappearing: ReadKind = ({ protocolMessage }) => {
  if (protocolMessage?.type !== EPHEMERAL_SETTING) return null
  return {
    type: 'disappearing',
    text: null,
    content: { seconds: countOf(protocolMessage.ephemeralExpiration) ?? 0 },
  }
}

// A row chosen from a list menu.
const readListReply: ReadKind = ({ listResponseMessage }) =>
  listResponseMessage
    ? {
        type: 'list_reply',
        text: textOrNull(listResponseMessage.title),
        interactiveReplyId: textOrNull(listResponseMessage.singleSelectReply?.selectedRowId),
        content: present({ description: textOrNull(listResponseMessage.description) }),
        contextInfo: listResponseMessage.contextInfo,
      }
    : null

/** The first match wins: changes to other messages come before messages. */
const FROM_NETWORK: readonly ReadKind[] = [
  readEdit,
  readSecretEdit,
  readDelete,
  readDisappearing,
  readReaction,
  readSecretReaction,
  readPin,
  readPollVote,
  readEventAnswer,
  readButtonReply,
  readListReply,
  readPoll,
  readImage,
  readVideo,
  readDocument,
  readAudio,
  readSticker,
  readLocation,
  readContact,
  readEvent,
  readOrder,
  readProduct,
  readPix,
  readButtons,
  readAlbum,
  readText,
]

export interface ReceiveFacts {
  /** Our own account. */
  me: PersonIds
  /** The time for messages that carry none. */
  nowMs: number
  /** Both identifiers of a person. Called with plain identifiers of people only. */
  resolve: Resolve
  /** The message with this id; null if it is not known. */
  findOriginal: FindOriginal
}

/** Null for content that is not a message: key distribution, and traffic between devices of the account. */
export function fromNetwork(
  envelope: Envelope,
  message: proto.IMessage,
  facts: ReceiveFacts,
): ReceivedMessage | null {
  const { content, viewOnce } = unwrap(message)
  if (onlyDistributesKeys(content) || isBetweenOwnDevices(content)) return null
  const { resolve, findOriginal, me } = facts
  const { chat, from } = chatAndSenderOf(envelope, me, resolve)
  const reading = readContent(content, { me, from, chat, resolve, findOriginal })
  const received = receivedMessage(envelope, viewOnce ? withViewOnce(reading) : reading, facts)
  const secret = secretOf(content)
  return secret ? { ...received, secret: secret.toString('base64') } : received
}

/** A message that can be opened only once, and only on the phone of the account. */
export const fromPlaceholder = (
  envelope: Envelope,
  facts: Omit<ReceiveFacts, 'findOriginal'>,
): ReceivedMessage =>
  receivedMessage(envelope, withViewOnce({ type: 'view_once_unavailable', text: null }), facts)

/** A message whose content this device could not read. The reason says what may help. */
export const fromUnreadable = (
  envelope: Envelope,
  reason: string,
  facts: Omit<ReceiveFacts, 'findOriginal'>,
): ReceivedMessage =>
  receivedMessage(envelope, { type: 'undecryptable', text: null, content: { reason } }, facts)

const withViewOnce = (reading: Reading): Reading => ({
  ...reading,
  content: { ...reading.content, viewOnce: true },
})

function receivedMessage(
  envelope: Envelope,
  reading: Reading,
  { me, nowMs, resolve }: Omit<ReceiveFacts, 'findOriginal'>,
): ReceivedMessage {
  const { chat, from } = chatAndSenderOf(envelope, me, resolve)
  return withinLimits({
    id: envelope.id,
    chat,
    addressedAs: { chat: envelope.chat, participant: envelope.participant },
    from: {
      jid: from.jid,
      lid: from.lid,
      phone: from.phone,
      pushName: envelope.pushName && cutText(envelope.pushName, MAX_PUSH_NAME),
    },
    fromMe: envelope.fromMe,
    sentAtMs: momentMs(envelope.timestamp, nowMs),
    type: reading.type,
    text: reading.text,
    media: reading.media ?? null,
    quoted: quotedIn(reading.contextInfo, resolve),
    interactiveReplyId: reading.interactiveReplyId ?? null,
    ...(reading.target && { target: reading.target }),
    content: { ...reading.content, ...remarksIn(reading.contextInfo, resolve) },
  })
}

/** Bytes of JSON. Together they leave room for the rest of an event (`MAX_EVENT_BYTES`). A text of the largest size has at most the first. */
const MAX_TEXT_BYTES = 192 * 1024
const MAX_CONTENT_BYTES = 32 * 1024
const MAX_QUOTED_BYTES = 16 * 1024
const MAX_REPLY_ID = 1024
/** The network's own limit is 25. */
const MAX_PUSH_NAME = 128

/** What is over its limit is cut, and the content says so: each stored message is within the size of an event. */
function withinLimits(message: ReceivedMessage): ReceivedMessage {
  const clean = storable(message)
  const content = fitJson(clean.content, MAX_CONTENT_BYTES)
  const quoted = fitJson(clean.quoted, MAX_QUOTED_BYTES)
  const text = clean.text && fitText(clean.text, MAX_TEXT_BYTES)
  const replyId = clean.interactiveReplyId && cutText(clean.interactiveReplyId, MAX_REPLY_ID)
  const isWhole =
    !content.truncated && !quoted.truncated && text === clean.text && replyId === clean.interactiveReplyId
  if (isWhole) return clean
  const shown: JsonObject = { ...content.value, truncated: true }
  return { ...clean, text, quoted: quoted.value, interactiveReplyId: replyId, content: shown }
}

function readContent(content: proto.IMessage, facts: ReadingFacts): Reading {
  for (const read of FROM_NETWORK) {
    const reading = read(content, facts)
    if (reading) return { ...reading, content: { ...reading.content, ...albumOf(content) } }
  }
  return readUnsupported(content, facts)
}

export interface LookUps {
  jids: string[]
  /** The message that it refers to and whose secret it needs. */
  originalId: string | null
}

/** Everything that the conversion will look up, so that an asynchronous caller can fetch it before. */
export function lookUpsOf(envelope: Envelope, message: proto.IMessage, me: PersonIds): LookUps {
  const jids = new Set<string>()
  let originalId: string | null = null
  fromNetwork(envelope, message, {
    me,
    nowMs: 0,
    resolve(jid) {
      jids.add(jid)
      return idsOf(jid)
    },
    findOriginal(messageId) {
      originalId = messageId
      return null
    },
  })
  return { jids: [...jids], originalId }
}

// References in a message: the quoted message, the mentioned people, whether it was forwarded, and the advertisement it came from.

type ContextInfo = proto.IContextInfo | null | undefined

function quotedIn(contextInfo: ContextInfo, resolve: Resolve): QuotedMessage | null {
  const { stanzaId, participant, quotedMessage } = contextInfo ?? {}
  if (!stanzaId) return null
  return {
    messageId: stanzaId,
    text: quotedMessage ? textOf(unwrap(quotedMessage).content) : null,
    participant: participant ? resolveJid(participant, resolve) : null,
  }
}

function remarksIn(contextInfo: ContextInfo, resolve: Resolve): JsonObject {
  const mentions = (contextInfo?.mentionedJid ?? []).map((jid) => resolveJid(jid, resolve))
  return present({
    mentions: mentions.length > 0 ? mentions : null,
    forwarded: contextInfo?.isForwarded || null,
    referral: referralIn(contextInfo),
  })
}
