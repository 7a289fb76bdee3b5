// Every kind of message that can be sent, and how it becomes a message of the network.

import { type BinaryNode, prepareDisappearingMessageSettingContent, proto } from 'baileys'
import type { OutgoingKind } from '../../contract/sending.ts'
import type { AlbumMember, ContentOf, MessageReference, OutgoingOf } from '../../network/message.ts'
import { decodePayload } from '../sending/payload.ts'
import { withContext } from './context.ts'
import { documentToNetwork } from './document.ts'
import { forwardToNetwork } from './forward.ts'
import { imageToNetwork } from './image.ts'
import {
  fileAbove,
  flowButton,
  flowNodes,
  frame,
  nativeFlow,
  quickReply,
  replyButton,
} from './native-flow.ts'
import {
  type NetworkMessage,
  networkMessage,
  onlyMedia,
  requireTarget,
  type SendFacts,
} from './network-message.ts'
import { pixToNetwork } from './pix.ts'
import { textToNetwork } from './text.ts'
import { fileFields, pictureFields, type UploadedMedia } from './uploaded-media.ts'
import { videoToNetwork } from './video.ts'
import { innerMessage } from './view-once.ts'

// Buttons of several types to the network: open an address, call a number, copy a code, or reply.

type CtaButton = ContentOf<'cta'>['interactive']['buttons'][number]

function ctaToNetwork({ interactive }: ContentOf<'cta'>, facts: SendFacts): NetworkMessage {
  const interactiveMessage = {
    ...frame(interactive, fileAbove(interactive.header, facts)),
    nativeFlowMessage: nativeFlow(sorted(interactive.buttons).map(ctaButton)),
  }
  return networkMessage({ interactiveMessage }, facts, flowNodes(facts.nowMs))
}

/** By `index` if it is given, else by position. */
const sorted = (buttons: readonly CtaButton[]): CtaButton[] =>
  buttons
    .map((button, position) => ({ button, rank: button.index ?? position }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ button }) => button)

function ctaButton({ urlButton, callButton, copyButton, replyButton }: CtaButton) {
  if (urlButton) {
    const { displayText, url } = urlButton
    return flowButton('cta_url', { display_text: displayText, url, merchant_url: url })
  }
  if (callButton) {
    const { displayText, phoneNumber } = callButton
    return flowButton('cta_call', { display_text: displayText, phone_number: international(phoneNumber) })
  }
  if (copyButton) {
    const { displayText, copyCode } = copyButton
    return flowButton('cta_copy', { display_text: displayText, copy_code: copyCode })
  }
  if (replyButton) return quickReply(replyButton.displayText, replyButton.buttonId)
  throw new Error('a button has an address, a number, a code or an id')
}

/** Phones dial the number unchanged. */
const international = (phoneNumber: string): string => `+${phoneNumber.replace(/\D/g, '')}`

// An edit to the network: the new text of a sent text, or the new caption of a sent file.

const EDIT_ATTRIBUTE = '1'

function editToNetwork({ message: text }: ContentOf<'edit'>, facts: SendFacts): NetworkMessage {
  const target = requireTarget(facts)
  const { MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
  const sent = target.payload ? decodePayload(target.payload).message : {}
  const protocolMessage = {
    key: keyOf(target, facts.chat),
    type: MESSAGE_EDIT,
    editedMessage: edited(sent, text),
    timestampMs: facts.nowMs,
  }
  return {
    // Not encrypted with the secret of the message, because phones read this form of every message (decision 0131).
    message: { editedMessage: { message: { protocolMessage } } },
    additionalNodes: [],
    attributes: { edit: EDIT_ATTRIBUTE },
  }
}

/** A file is named again with its new caption, so that phones which did not get the message can show it. */
function edited(sent: proto.IMessage, text: string): proto.IMessage {
  const { imageMessage, videoMessage, documentMessage } = innerMessage(sent)
  if (imageMessage) return { imageMessage: { ...imageMessage, caption: text } }
  if (videoMessage) return { videoMessage: { ...videoMessage, caption: text } }
  if (documentMessage) return { documentMessage: { ...documentMessage, caption: text } }
  return { conversation: text }
}

// A carousel to the network: cards, each with its own picture and reply buttons.

type Card = ContentOf<'carousel'>['interactive']['cards'][number]

function carouselToNetwork({ interactive }: ContentOf<'carousel'>, facts: SendFacts): NetworkMessage {
  const { cards, body } = interactive
  if (facts.media.length > cards.length) throw new Error('a carousel needs one uploaded picture a card')
  const interactiveMessage = {
    ...frame({ body }),
    carouselMessage: {
      messageVersion: 1,
      cards: cards.map((each, position) => card(each, facts.media[position])),
    },
  }
  return networkMessage({ interactiveMessage }, facts, flowNodes(facts.nowMs))
}

function card({ body, buttons }: Card, media: UploadedMedia | undefined) {
  if (!media) throw new Error('a carousel needs one uploaded picture a card')
  return {
    ...frame({ body }),
    header: {
      hasMediaAttachment: true,
      imageMessage: { ...fileFields(media), ...pictureFields(media), mimetype: media.mimetype },
    },
    nativeFlowMessage: nativeFlow(buttons.map(replyButton)),
  }
}

// Audio to the network: a voice message where the file can be one, a file to play otherwise.

/** Phones play a voice message only with exactly this type. */
const VOICE = 'audio/ogg; codecs=opus'

function audioToNetwork(content: ContentOf<'audio'>, facts: SendFacts): NetworkMessage {
  const media = onlyMedia(facts)
  const isVoice = mayBeVoice(content.mimetype ?? media.mimetype, media.mimetype)
  const audioMessage = {
    ...fileFields(media),
    mimetype: isVoice ? VOICE : (content.mimetype ?? media.mimetype),
    ptt: isVoice,
    ...(media.seconds !== undefined && { seconds: Math.round(media.seconds) }),
    ...(isVoice && media.waveform !== undefined && { waveform: media.waveform }),
  }
  return networkMessage({ audioMessage }, facts)
}

/** Ogg may contain other codecs: then the detected type decides. */
function mayBeVoice(mimetype: string, found: string): boolean {
  return isOpus(mimetype) || (baseType(mimetype) === 'audio/ogg' && isOpus(found))
}

const isOpus = (mimetype: string): boolean =>
  baseType(mimetype) === 'audio/opus' ||
  (baseType(mimetype) === 'audio/ogg' && /;\s*codecs="?opus"?\s*(;|$)/i.test(mimetype))

const baseType = (mimetype: string): string => (mimetype.split(';')[0] ?? '').trim().toLowerCase()

// A list menu to the network, in the older form that all phones show; some phones do not show it as a native flow.

function listToNetwork({ interactive }: ContentOf<'list'>, facts: SendFacts): NetworkMessage {
  const listMessage = {
    ...(interactive.title !== undefined && { title: interactive.title }),
    description: interactive.text,
    buttonText: interactive.buttonText,
    ...(interactive.footerText !== undefined && { footerText: interactive.footerText }),
    listType: proto.Message.ListMessage.ListType.SINGLE_SELECT,
    sections: interactive.sections.map(section),
  }
  return networkMessage({ listMessage }, facts, listNodes())
}

const section = ({ title, rows }: ContentOf<'list'>['interactive']['sections'][number]) => ({
  ...(title !== undefined && { title }),
  rows: rows.map((row) => ({
    title: row.title,
    ...(row.description !== undefined && { description: row.description }),
    rowId: row.rowId,
  })),
})

const listNodes = (): BinaryNode[] => [
  { tag: 'biz', attrs: {}, content: [{ tag: 'list', attrs: { type: 'product_list', v: '2' } }] },
]

// An event to the network. Answers of guests come back encrypted with the message's secret.

const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000)

function eventToNetwork(content: ContentOf<'event'>, facts: SendFacts): NetworkMessage {
  const { name, description, startsAt, endsAt } = content
  const eventMessage = {
    name,
    startTime: seconds(startsAt),
    isCanceled: false,
    ...(description !== undefined && { description }),
    ...(endsAt !== undefined && { endTime: seconds(endsAt) }),
    ...placeFields(content),
    ...(facts.callLink !== undefined && { joinLink: facts.callLink, isScheduleCall: true }),
  }
  return networkMessage({ eventMessage }, facts, [{ tag: 'meta', attrs: { event_type: 'creation' } }])
}

/** Phones show the name of the place, and a map for coordinates. */
function placeFields({ place, latitude, longitude }: ContentOf<'event'>) {
  if (place === undefined && latitude === undefined) return {}
  const location = {
    ...(place !== undefined && { name: place }),
    ...(latitude !== undefined && { degreesLatitude: latitude, degreesLongitude: longitude ?? 0 }),
  }
  return { location }
}

// Contact cards to the network: one card is a message of its own, several form a list.

type Contact = ContentOf<'contact'>['contacts'][number]

function contactToNetwork({ contacts }: ContentOf<'contact'>, facts: SendFacts): NetworkMessage {
  const cards = contacts.map((contact) => ({ displayName: contact.name, vcard: vcardOf(contact) }))
  const [only, ...others] = cards
  if (only && others.length === 0) return networkMessage({ contactMessage: only }, facts)
  const contactsArrayMessage = { displayName: `${cards.length} contacts`, contacts: cards }
  return networkMessage({ contactsArrayMessage }, facts)
}

/** vCard 3.0. With `waid`, phones offer to write to the number. */
const vcardOf = ({ name, phone, organisation, email }: Contact): string =>
  [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:;${escaped(name)};;;`,
    `FN:${escaped(name)}`,
    ...(organisation === undefined ? [] : [`ORG:${escaped(organisation)};`]),
    `TEL;type=CELL;type=VOICE;waid=${phone}:+${phone}`,
    ...(email === undefined ? [] : [`EMAIL;type=INTERNET:${escaped(email)}`]),
    'END:VCARD',
  ].join('\n')

/** These characters separate values. Names contain no line breaks. */
const escaped = (value: string): string => value.replace(/[\\,;]/g, '\\$&')

// An album to the network: a message that announces its images and videos, and the reference of each of them to it.

const albumToNetwork = ({ images, videos }: ContentOf<'album'>, facts: SendFacts): NetworkMessage =>
  networkMessage({ albumMessage: { expectedImageCount: images, expectedVideoCount: videos } }, facts)

function inAlbum(
  sent: NetworkMessage,
  { album }: AlbumMember,
  { chat }: Pick<SendFacts, 'chat'>,
): NetworkMessage {
  if (!album) return sent
  const { messageContextInfo, ...message } = sent.message
  const messageAssociation = {
    associationType: proto.MessageAssociation.AssociationType.MEDIA_ALBUM,
    parentMessageKey: { remoteJid: chat, fromMe: true, id: album.messageId },
  }
  return {
    ...sent,
    message: { ...message, messageContextInfo: { ...messageContextInfo, messageAssociation } },
  }
}

// A pinned message to the network, or the removal of the pin.

const PIN_ATTRIBUTE = '2'

function pinToNetwork({ seconds }: ContentOf<'pin'>, facts: SendFacts): NetworkMessage {
  const { PIN_FOR_ALL, UNPIN_FOR_ALL } = proto.Message.PinInChatMessage.Type
  return {
    message: {
      pinInChatMessage: {
        key: keyOf(requireTarget(facts), facts.chat),
        type: seconds === null ? UNPIN_FOR_ALL : PIN_FOR_ALL,
        senderTimestampMs: facts.nowMs,
      },
      messageContextInfo: { messageAddOnDurationInSecs: seconds ?? 0 },
    },
    additionalNodes: [],
    attributes: { edit: PIN_ATTRIBUTE },
  }
}

// A message taken back for everyone, to the network.

const BY_AUTHOR = '7'
const BY_ADMIN = '8'

function deleteToNetwork(_content: ContentOf<'delete'>, facts: SendFacts): NetworkMessage {
  const target = requireTarget(facts)
  const { REVOKE } = proto.Message.ProtocolMessage.Type
  return {
    message: { protocolMessage: { key: keyOf(target, facts.chat), type: REVOKE } },
    additionalNodes: [],
    attributes: { edit: target.isOurs ? BY_AUTHOR : BY_ADMIN },
  }
}

// A sticker to the network.
function stickerToNetwork(_content: ContentOf<'sticker'>, facts: SendFacts): NetworkMessage {
  const media = onlyMedia(facts)
  const { width, height } = media
  const stickerMessage = {
    ...fileFields(media),
    ...pictureFields({ width, height }),
    mimetype: media.mimetype,
    isAnimated: media.isAnimated === true,
  }
  return networkMessage({ stickerMessage }, facts)
}

// A reaction to the network, or its withdrawal.

/** An empty text withdraws the reaction. */
const reactionToNetwork = ({ emoji }: ContentOf<'reaction'>, facts: SendFacts): NetworkMessage => ({
  message: {
    reactionMessage: {
      key: keyOf(requireTarget(facts), facts.chat),
      text: emoji ?? '',
      senderTimestampMs: facts.nowMs,
    },
  },
  additionalNodes: [],
})

// A poll to the network. Votes come back encrypted with the message's secret.
function pollToNetwork(content: ContentOf<'poll'>, facts: SendFacts): NetworkMessage {
  const poll = {
    name: content.pollName,
    options: content.options.map((optionName) => ({ optionName })),
    selectableOptionsCount: content.selectableCount,
  }
  // Phones limit a poll to one answer only in its third version.
  const message =
    content.selectableCount === 1 ? { pollCreationMessageV3: poll } : { pollCreationMessage: poll }
  return networkMessage(message, facts, [{ tag: 'meta', attrs: { polltype: 'creation' } }])
}

// A location to the network.
function locationToNetwork(content: ContentOf<'location'>, facts: SendFacts): NetworkMessage {
  const locationMessage = {
    degreesLatitude: content.latitude,
    degreesLongitude: content.longitude,
    ...(content.name !== undefined && { name: content.name }),
    ...(content.address !== undefined && { address: content.address }),
  }
  return networkMessage({ locationMessage }, facts)
}

// Reply buttons to the network.
function buttonToNetwork({ interactive }: ContentOf<'button'>, facts: SendFacts): NetworkMessage {
  // Never inside a view-once wrapper: web and desktop then drop the buttons.
  const interactiveMessage = {
    ...frame(interactive, fileAbove(interactive.header, facts)),
    nativeFlowMessage: nativeFlow(interactive.buttons.map(replyButton)),
  }
  return networkMessage({ interactiveMessage }, facts, flowNodes(facts.nowMs))
}

// A new timer for the messages of a chat to the network.
const disappearingToNetwork = ({ seconds }: ContentOf<'disappearing'>): NetworkMessage => ({
  message: prepareDisappearingMessageSettingContent(seconds),
  additionalNodes: [],
})

type ToNetwork<K extends OutgoingKind> = (content: ContentOf<K>, facts: SendFacts) => NetworkMessage

const TO_NETWORK: { readonly [K in OutgoingKind]: ToNetwork<K> } = {
  text: textToNetwork,
  image: imageToNetwork,
  video: videoToNetwork,
  document: documentToNetwork,
  audio: audioToNetwork,
  button: buttonToNetwork,
  list: listToNetwork,
  cta: ctaToNetwork,
  carousel: carouselToNetwork,
  pix: pixToNetwork,
  location: locationToNetwork,
  poll: pollToNetwork,
  sticker: stickerToNetwork,
  contact: contactToNetwork,
  event: eventToNetwork,
  album: albumToNetwork,
  reaction: reactionToNetwork,
  edit: editToNetwork,
  delete: deleteToNetwork,
  pin: pinToNetwork,
  disappearing: disappearingToNetwork,
}

/** Ready for `relayMessage(jid, message, { messageId, additionalNodes })`. */
export function toNetwork<K extends OutgoingKind>(
  { kind, content }: OutgoingOf<K>,
  facts: SendFacts,
): NetworkMessage {
  const { forwarded } = facts.context
  const isStored = forwarded !== undefined && forwarded !== 'again'
  const sent = isStored ? forwardToNetwork(forwarded, facts) : TO_NETWORK[kind](content, facts)
  return withContext(
    inAlbum(sent, content as AlbumMember, facts),
    facts,
    'viewOnce' in content && content.viewOnce === true,
  )
}

// The key of a message, as the network names messages that another one refers to.

/** `chat` is where the change is sent; a received message is named by the identifiers that it arrived with. */
const keyOf = ({ messageId, isOurs, addressedAs }: MessageReference, chat: string): proto.IMessageKey => ({
  id: messageId,
  fromMe: isOurs,
  remoteJid: isOurs ? chat : addressedAs.chat,
  ...(!isOurs && addressedAs.participant !== null && { participant: addressedAs.participant }),
})
