// Converts every kind of received message into the one shape that the rest of the gateway uses.
import type { proto } from 'baileys'
import { cutText, fitJson, fitText } from '../../contract/bounded-json.ts'
import type { JsonObject, PersonIds, ReceivedMessage } from '../../network/message.ts'
import { albumOf, readAlbum } from './album.ts'
import { readAudio } from './audio.ts'
import { readButtonReply } from './button-reply.ts'
import { readButtons, readPix } from './buttons.ts'
import { readContact } from './contact.ts'
import { quotedIn, remarksIn } from './context-info.ts'
import { readDelete } from './delete.ts'
import { readDisappearing } from './disappearing.ts'
import { readDocument } from './document.ts'
import { readEdit, readSecretEdit } from './edit.ts'
import type { Envelope } from './envelope.ts'
import { readEvent, readEventAnswer } from './event.ts'
import { readImage } from './image.ts'
import { readListReply } from './list-reply.ts'
import { readLocation } from './location.ts'
import { readOrder, readProduct } from './order.ts'
import { secretOf } from './originals.ts'
import { isBetweenOwnDevices } from './own-devices.ts'
import { chatAndSenderOf, idsOf, type Resolve } from './people.ts'
import { readPin } from './pin.ts'
import { readPoll } from './poll.ts'
import { readPollVote } from './poll-vote.ts'
import { readReaction, readSecretReaction } from './reaction.ts'
import type { FindOriginal, Reading, ReadingFacts, ReadKind } from './reading.ts'
import { readSticker } from './sticker.ts'
import { readText } from './text.ts'
import { readUnsupported } from './unsupported.ts'
import { onlyDistributesKeys, unwrap } from './unwrap.ts'
import { readVideo } from './video.ts'
import { momentMs, storable } from './wire-values.ts'

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
