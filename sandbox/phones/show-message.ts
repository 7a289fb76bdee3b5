// Turns the content of a message into what a phone shows.
import { proto } from 'baileys'
import type {
  ShownContent,
  ShownEvent,
  ShownLocation,
  ShownMedia,
  ShownOrder,
  ShownProduct,
} from '../model/shown-message.ts'
import { showGroupInvite } from './group-invitations.ts'
import { fileAbove } from './media.ts'
import { showInteractive, showTap } from './show-interactive.ts'

type Content = Pick<ShownContent, 'kind' | 'text'> & Partial<ShownContent>
type Message = proto.IMessage

/** One reader per kind. The first that recognizes the message decides. */
const READERS: ((message: Message) => Content | undefined)[] = [
  ({ conversation }) => (conversation ? { kind: 'text', text: conversation } : undefined),
  ({ extendedTextMessage }) => (extendedTextMessage ? showText(extendedTextMessage) : undefined),
  showMediaKinds,
  ({ locationMessage }) => (locationMessage ? showLocation(locationMessage) : undefined),
  showContacts,
  showPoll,
  showEvent,
  showOrder,
  showProduct,
  showAlbum,
  showTap,
  showBelowFile,
  showGroupInvite,
]

/** Undefined for content that no chat shows, such as a sender key. */
export function showContent(message: Message, hasBizNode: boolean): ShownContent | undefined {
  for (const read of READERS) {
    const content = read(message)
    if (!content) continue
    const context = contextOf(message)
    return {
      visible: content.interactive === undefined || hasBizNode,
      ...content,
      ...(context?.stanzaId && {
        quoted: { id: context.stanzaId, text: context.quotedMessage ? textOf(context.quotedMessage) : null },
      }),
      ...(context?.mentionedJid?.length && { mentions: context.mentionedJid }),
      ...(context?.isForwarded && { forwarded: true }),
      ...albumIdOf(message),
      ...(context?.expiration && { expiresAfterSeconds: context.expiration }),
    }
  }
  return undefined
}

export function textOf(message: Message): string | null {
  for (const read of READERS) {
    const content = read(message)
    if (content) return content.text
  }
  return null
}

function showAlbum({ albumMessage }: Message): Content | undefined {
  if (!albumMessage) return undefined
  const { expectedImageCount: images, expectedVideoCount: videos } = albumMessage
  return { kind: 'album', text: null, album: { images: images ?? 0, videos: videos ?? 0 } }
}

function albumIdOf({ messageContextInfo }: Message): { albumId?: string } {
  const { associationType, parentMessageKey } = messageContextInfo?.messageAssociation ?? {}
  return associationType === proto.MessageAssociation.AssociationType.MEDIA_ALBUM && parentMessageKey?.id
    ? { albumId: parentMessageKey.id }
    : {}
}

function contextOf(message: Message): proto.IContextInfo | undefined {
  for (const part of Object.values(message))
    if (part && typeof part === 'object' && 'contextInfo' in part && part.contextInfo)
      return part.contextInfo as proto.IContextInfo
  return undefined
}

/** A preview needs the link that it belongs to, and a title. A status has a background. */
function showText({
  text,
  matchedText,
  title,
  description,
  jpegThumbnail,
  backgroundArgb,
}: proto.Message.IExtendedTextMessage): Content {
  const preview = matchedText &&
    title && {
      preview: {
        url: matchedText,
        title,
        description: description || null,
        thumbnailBytes: jpegThumbnail?.length ?? 0,
      },
    }
  const color = backgroundArgb ? backgroundArgb.toString(16).slice(-6) : undefined
  return {
    kind: 'text',
    text: text ?? '',
    ...(preview ? preview : undefined),
    ...(color && { backgroundColor: `#${color}` }),
  }
}

function showMediaKinds(message: Message): Content | undefined {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = message
  if (imageMessage) return mediaContent('image', imageMessage, { caption: imageMessage.caption })
  if (videoMessage) return mediaContent('video', videoMessage, { caption: videoMessage.caption })
  if (ptvMessage) return mediaContent('video', ptvMessage, { videoNote: true, seconds: ptvMessage.seconds })
  if (stickerMessage) return mediaContent('sticker', stickerMessage, {})
  if (audioMessage)
    return mediaContent('audio', audioMessage, {
      voiceNote: audioMessage.ptt,
      seconds: audioMessage.seconds,
      waveformBars: audioMessage.waveform?.length || undefined,
    })
  if (documentMessage)
    return mediaContent('document', documentMessage, {
      caption: documentMessage.caption,
      fileName: documentMessage.fileName,
    })
  return undefined
}

/** Buttons can have a file above their text. */
function showBelowFile(message: Message): Content | undefined {
  const shown = showInteractive(message)
  const media = shown && showMediaKinds(fileAbove(message.interactiveMessage))?.media
  return media ? { ...shown, media } : shown
}

interface MediaPart {
  mimetype?: string | null
  fileLength?: unknown
  fileSha256?: Uint8Array | null
  width?: number | null
  height?: number | null
  jpegThumbnail?: Uint8Array | null
}

function mediaContent(type: ShownMedia['type'], part: MediaPart, more: Record<string, unknown>): Content {
  const present = Object.fromEntries(Object.entries(more).filter(([, value]) => value || value === 0))
  return {
    kind: type,
    text: typeof present['caption'] === 'string' ? present['caption'] : null,
    media: {
      type,
      mimetype: part.mimetype ?? 'application/octet-stream',
      sizeBytes: Number(part.fileLength ?? 0),
      sha256: Buffer.from(part.fileSha256 ?? []).toString('hex'),
      ...(part.width && part.height && { width: part.width, height: part.height }),
      ...(part.jpegThumbnail?.length && { thumbnailBytes: part.jpegThumbnail.length }),
      ...present,
    },
  }
}

function showLocation(part: proto.Message.ILocationMessage): Content {
  const location: ShownLocation = {
    latitude: part.degreesLatitude ?? 0,
    longitude: part.degreesLongitude ?? 0,
    ...(part.name && { name: part.name }),
    ...(part.address && { address: part.address }),
  }
  return { kind: 'location', text: part.name ?? null, location }
}

function showContacts({ contactMessage, contactsArrayMessage }: Message): Content | undefined {
  const parts = contactMessage ? [contactMessage] : contactsArrayMessage?.contacts
  if (!parts) return undefined
  const contacts = parts.map((part) => ({ name: part.displayName ?? '', vcard: part.vcard ?? '' }))
  return { kind: 'contact', text: contacts.map((contact) => contact.name).join(', '), contacts }
}

function showPoll(message: Message): Content | undefined {
  const poll = message.pollCreationMessage ?? message.pollCreationMessageV2 ?? message.pollCreationMessageV3
  if (!poll) return undefined
  return {
    kind: 'poll',
    text: poll.name ?? '',
    poll: {
      name: poll.name ?? '',
      options: (poll.options ?? []).map((option) => option.optionName ?? ''),
      selectableCount: poll.selectableOptionsCount ?? 0,
      votes: {},
    },
  }
}

function showEvent({ eventMessage }: Message): Content | undefined {
  if (!eventMessage) return undefined
  const { name, description, location, startTime, endTime, isCanceled, joinLink } = eventMessage
  const event: ShownEvent = {
    name: name ?? '',
    startsAt: timeOf(startTime),
    canceled: isCanceled ?? false,
    ...(description && { description }),
    ...(endTime && { endsAt: timeOf(endTime) }),
    ...(location?.name && { place: location.name }),
    ...(joinLink && { callLink: joinLink }),
  }
  return { kind: 'event', text: event.name, event }
}

function showOrder({ orderMessage }: Message): Content | undefined {
  if (!orderMessage) return undefined
  const { orderId, itemCount, totalAmount1000, totalCurrencyCode, orderTitle, message } = orderMessage
  const order: ShownOrder = {
    orderId: orderId ?? '',
    itemCount: itemCount ?? 0,
    total: decimal(totalAmount1000),
    currency: totalCurrencyCode ?? '',
    ...(orderTitle && { title: orderTitle }),
  }
  return { kind: 'order', text: message || null, order }
}

function showProduct({ productMessage }: Message): Content | undefined {
  if (!productMessage) return undefined
  const { productId, title, description, priceAmount1000, currencyCode, retailerId, url } =
    productMessage.product ?? {}
  const product: ShownProduct = {
    productId: productId ?? '',
    title: title ?? '',
    price: decimal(priceAmount1000),
    currency: currencyCode ?? '',
    ...(description && { description }),
    ...(retailerId && { retailerId }),
    ...(url && { url }),
  }
  return { kind: 'product', text: productMessage.body || null, product }
}

/** The network counts amounts in thousandths. */
const decimal = (thousandths: unknown): string => (Number(thousandths ?? 0) / 1000).toFixed(2)

function timeOf(seconds: unknown): string {
  return new Date(Number(seconds ?? 0) * 1000).toISOString()
}
