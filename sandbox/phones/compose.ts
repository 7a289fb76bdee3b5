// Composes messages on a phone: turns the API's request into the content to be encrypted.
import { Readable } from 'node:stream'
import { proto } from 'baileys'
import type { z } from 'zod'
import type { sendMessage } from '../../src/contract/sandbox-requests.ts'
import { jidOf, pnJid, STATUS_JID } from '../model/address.ts'
import { Refusal } from '../model/refusal.ts'
import type { Account, World } from '../model/world.ts'
import type { SandboxState } from '../network/sandbox-state.ts'
import { readChatSettings } from '../store/chat-settings.ts'
import type { Database } from '../store/database.ts'
import type { MediaStore } from '../store/media-store.ts'
import { findMessage, type StoredPhoneMessage } from '../store/messages.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { uploadMedia } from './media.ts'
import type { Phone } from './phone.ts'

export type Draft = z.output<typeof sendMessage>
/** A file on a phone, before it is uploaded. */
export type DraftFile = Omit<NonNullable<Draft['media']>, 'base64'>

const MIMETYPES = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/ogg; codecs=opus',
  document: 'application/octet-stream',
  sticker: 'image/webp',
}

export async function compose(
  state: StoredWorld & Pick<SandboxState, 'media'>,
  phone: Phone,
  draft: Draft,
  host: string,
) {
  const context = contextOf(state, phone, draft)
  if (draft.media) {
    const bytes = Readable.from([Buffer.from(draft.media.base64, 'base64')])
    const message = await composeMedia(state.media, draft.media, bytes, host, context)
    return draft.albumId === undefined ? message : { ...message, ...inAlbum(draft.albumId) }
  }
  if (draft.album) {
    const { images: expectedImageCount, videos: expectedVideoCount } = draft.album
    return { albumMessage: { expectedImageCount, expectedVideoCount, ...context } }
  }
  if (draft.location) return { locationMessage: composeLocation(draft.location, context) }
  if (draft.contact) return { contactMessage: composeContact(draft.contact, context) }
  if (draft.poll) return composePoll(draft.poll, context)
  if (draft.event) return composeEvent(draft.event, context)
  if (draft.order) return composeOrder(draft.order, sellerOf(state, draft.to), context)
  if (draft.product) return composeProduct(draft.product, sellerOf(state, draft.to), context)
  const text = draft.text ?? ''
  return context ? { extendedTextMessage: { text, ...context } } : { conversation: text }
}

const inAlbum = (id: string): proto.IMessage => ({
  messageContextInfo: {
    messageAssociation: {
      associationType: proto.MessageAssociation.AssociationType.MEDIA_ALBUM,
      parentMessageKey: { fromMe: true, id },
    },
  },
})

/** As `compose`, for a file that is still being uploaded. */
export async function composeFile(
  state: StoredWorld & Pick<SandboxState, 'media'>,
  phone: Phone,
  file: DraftFile & Pick<Draft, 'to' | 'quoted'>,
  bytes: Readable,
  host: string,
): Promise<proto.IMessage> {
  return composeMedia(state.media, file, bytes, host, contextOf(state, phone, file))
}

/** The message of that id on this phone. */
export function messageOn(database: Database, phone: Phone, id: string): StoredPhoneMessage {
  const message = findMessage(database, phone.account.number, id)
  if (!message) throw new Refusal('message_not_found', 'This phone has no such message.')
  return message
}

export function authorOf(world: World, message: StoredPhoneMessage): Account {
  const author = world.accounts.get(message.from)
  if (!author) throw new Refusal('message_not_found', 'The author of that message no longer exists.')
  return author
}

export function quote(state: StoredWorld, phone: Phone, id: string): proto.IContextInfo {
  const quoted = messageOn(state.database, phone, id)
  const addressing = state.world.groups.get(quoted.chat)?.addressing ?? state.world.addressing
  return {
    stanzaId: id,
    participant: jidOf(authorOf(state.world, quoted), addressing),
    quotedMessage: proto.Message.decode(quoted.content),
    // The answer to a status is in a different chat than the status.
    ...(quoted.chat === STATUS_JID && { remoteJid: STATUS_JID }),
  }
}

type Context = { contextInfo: proto.IContextInfo } | undefined

/** The quoted message, how long the chat keeps messages, and the advertisement. Undefined when there is none of them. */
function contextOf(state: StoredWorld, phone: Phone, draft: Pick<Draft, 'to' | 'quoted' | 'ad'>): Context {
  const expiration = expirationIn(state, phone, draft.to)
  const quoted = draft.quoted === undefined ? undefined : quote(state, phone, draft.quoted)
  const ad = draft.ad && referral(draft.ad)
  if (!quoted && !expiration && !ad) return undefined
  return { contextInfo: { ...quoted, ...expiration, ...ad } }
}

/** What a phone adds to the first message after a tap on an advertisement. */
function referral({
  sourceId,
  sourceApp = 'facebook',
  ...shown
}: NonNullable<Draft['ad']>): proto.IContextInfo {
  return {
    externalAdReply: {
      ...Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)),
      sourceType: 'ad',
      sourceId,
      sourceApp,
      mediaType: proto.ContextInfo.ExternalAdReplyInfo.MediaType.IMAGE,
      showAdAttribution: true,
    },
    conversionSource: 'FB_Ads',
    conversionData: Buffer.from(sourceId),
    entryPointConversionSource: 'ctwa_ad',
    entryPointConversionApp: sourceApp,
  }
}

/** What a message carries in a chat whose messages disappear. */
export function expirationIn(
  { world, database }: StoredWorld,
  { account }: Phone,
  chat: string,
): { expiration: number } | undefined {
  const seconds =
    world.groups.get(chat)?.ephemeralSeconds ??
    readChatSettings(database, account.number, chat).disappearingSeconds
  return seconds > 0 ? { expiration: seconds } : undefined
}

async function composeMedia(
  store: MediaStore,
  media: DraftFile,
  bytes: Readable,
  host: string,
  context: Context,
): Promise<proto.IMessage> {
  const reference = await uploadMedia(store, host, bytes, media.type)
  const mimetype = media.mimetype ?? MIMETYPES[media.type]
  const common = { ...reference, mimetype, ...context }
  const caption = media.caption === undefined ? {} : { caption: media.caption }
  const seconds = media.seconds === undefined ? {} : { seconds: media.seconds }
  const once = media.viewOnce ? { viewOnce: true } : {}
  switch (media.type) {
    case 'image':
      return onceIf(media, { imageMessage: { ...common, ...caption, ...once } })
    case 'video':
      if (media.videoNote) return { ptvMessage: { ...common, ...seconds } }
      return onceIf(media, { videoMessage: { ...common, ...caption, ...seconds, ...once } })
    case 'audio':
      return onceIf(media, {
        audioMessage: { ...common, ...seconds, ...once, ptt: media.voiceNote ?? false },
      })
    case 'sticker':
      return { stickerMessage: common }
    case 'document': {
      const fileName = media.fileName ?? 'document'
      return { documentMessage: { ...common, ...caption, fileName, title: fileName } }
    }
  }
}

function onceIf({ viewOnce }: DraftFile, message: proto.IMessage): proto.IMessage {
  return viewOnce ? { viewOnceMessageV2: { message } } : message
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

function composePoll(poll: NonNullable<Draft['poll']>, context: Context): proto.IMessage {
  return {
    pollCreationMessageV3: {
      name: poll.name,
      options: poll.options.map((optionName) => ({ optionName })),
      selectableOptionsCount: poll.selectableCount,
      ...context,
    },
  }
}

function composeEvent(event: NonNullable<Draft['event']>, context: Context): proto.IMessage {
  const { name, description, startsAt, endsAt, place, canceled } = event
  return {
    eventMessage: {
      name,
      startTime: unixSeconds(startsAt),
      isCanceled: canceled ?? false,
      ...(description !== undefined && { description }),
      ...(endsAt !== undefined && { endTime: unixSeconds(endsAt) }),
      ...(place !== undefined && { location: { name: place } }),
      ...context,
    },
  }
}

/** The catalogue of a shop belongs to the number that the message goes to; a group has none. */
function sellerOf({ world }: StoredWorld, to: string): string | undefined {
  const account = world.accounts.get(to)
  return account && pnJid(account)
}

const toThousandths = (amount: string): number => {
  const [whole = '0', fraction = ''] = amount.split('.')
  return Number(whole + fraction.padEnd(3, '0'))
}

function composeOrder(
  { total, currency, message, title, ...order }: NonNullable<Draft['order']>,
  sellerJid: string | undefined,
  context: Context,
): proto.IMessage {
  const { OrderStatus, OrderSurface } = proto.Message.OrderMessage
  return {
    orderMessage: {
      ...defined(order),
      totalAmount1000: toThousandths(total),
      totalCurrencyCode: currency,
      status: OrderStatus.INQUIRY,
      surface: OrderSurface.CATALOG,
      ...defined({ message, orderTitle: title, sellerJid }),
      ...context,
    },
  }
}

function composeProduct(
  { price, currency, message, ...product }: NonNullable<Draft['product']>,
  businessOwnerJid: string | undefined,
  context: Context,
): proto.IMessage {
  return {
    productMessage: {
      product: { ...defined(product), priceAmount1000: toThousandths(price), currencyCode: currency },
      ...defined({ body: message, businessOwnerJid }),
      ...context,
    },
  }
}

const defined = (fields: Record<string, string | number | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

function unixSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000)
}
