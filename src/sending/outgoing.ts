// Converts the body of each send endpoint into an outgoing message: one pure function per kind.

import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import { type GivenAddress, recipientOf } from '../chats/rules.ts'
import type { CheckUrl, Deps } from '../context.ts'
import type { ContactBody } from '../contract/contact-body.ts'
import type { EventSendBody } from '../contract/event-send-body.ts'
import type * as sending from '../contract/message-bodies.ts'
import { STATUS_CHAT } from '../contract/message-values.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import type { MessageKind } from '../contract/sending.ts'
import type { StatusBody } from '../contract/status-body.ts'
import type { StickerBody } from '../contract/sticker-body.ts'
import { invalidField } from '../errors.ts'
import { type MediaMessageKind, mediaKind } from '../files/rules.ts'
import { findUpload } from '../files/upload-queries.ts'
import { allowedMediaUrl } from '../files/uploads.ts'
import { randomTypingMs } from '../kernel/names.ts'
import { iso } from '../kernel/time.ts'
import type { OutgoingMessage } from './accept.ts'
import { pixKey } from './rules-pix-key.ts'

type Body<S extends z.ZodType> = z.output<S>

export const textMessage = (body: Body<typeof sending.TextBody>): OutgoingMessage =>
  outgoing(body, 'text', textContent(body), () => randomTypingMs())

type MediaRequest = Body<typeof sending.MediaBody>

type FileFacts = Pick<MediaRequest, 'type' | 'mediaId' | 'mediaUrl' | 'viewOnce' | 'fileName' | 'mimetype'>

/** The kind that the sender names, or that the file shows. */
export async function kindOfFile(
  { store }: Pick<Deps, 'store'>,
  { account }: Pick<Caller, 'account'>,
  { type, mediaId, viewOnce, ...hints }: FileFacts,
  path = 'type',
): Promise<MediaMessageKind> {
  if (type !== undefined) return type
  const upload = mediaId === undefined ? undefined : await findUpload(store.db, account.id, mediaId)
  const kind = mediaKind({
    ...hints,
    uploadedType: upload?.mimetype,
    fileName: hints.fileName ?? upload?.file_name ?? undefined,
  })
  if (kind === undefined)
    throw invalidField(path, 'required: neither the type nor the name of the file shows what it is')
  if (kind === 'document' && viewOnce === true)
    throw invalidField('viewOnce', 'a document cannot be viewed only once')
  return kind
}

export const mediaMessage = (
  body: MediaRequest & { type: MediaMessageKind },
  checkUrl: CheckUrl,
): OutgoingMessage =>
  outgoing(
    body,
    body.type,
    {
      mediaUrl: allowedMediaUrl(checkUrl, body.mediaUrl),
      mediaId: body.mediaId,
      // Voice messages cannot have a caption.
      message: body.type === 'audio' ? undefined : (body.message ?? body.caption),
      fileName: body.fileName,
      mimetype: body.mimetype,
      viewOnce: body.viewOnce,
    },
    () => randomTypingMs(),
  )

export const listMessage = (body: Body<typeof sending.ListBody>) => interactive(body, 'list')

export const buttonMessage = (body: Body<typeof sending.ButtonBody>, checkUrl: CheckUrl) =>
  belowFile(body, 'button', checkUrl)
export const ctaMessage = (body: Body<typeof sending.CtaBody>, checkUrl: CheckUrl) =>
  belowFile(body, 'cta', checkUrl)

function belowFile(
  body: Body<typeof sending.ButtonBody | typeof sending.CtaBody>,
  kind: 'button' | 'cta',
  checkUrl: CheckUrl,
): OutgoingMessage {
  allowedMediaUrl(checkUrl, body.interactive.header?.mediaUrl, 'interactive.header.mediaUrl')
  return interactive(body, kind)
}

export function carouselMessage(
  body: Body<typeof sending.CarouselBody>,
  checkUrl: CheckUrl,
): OutgoingMessage {
  for (const [index, card] of body.interactive.cards.entries())
    allowedMediaUrl(checkUrl, card.header.mediaUrl, `interactive.cards.${index}.header.mediaUrl`)
  return interactive(body, 'carousel')
}

export function pixMessage(body: Body<typeof sending.PixBody>): OutgoingMessage {
  const { merchantName, keyType } = body
  const key = pixKey(keyType, body.key)
  if (key === undefined) throw invalidField('key', `not a PIX key of the type ${keyType}`)
  return outgoing(body, 'pix', { merchantName, keyType, key })
}

export const locationMessage = (body: Body<typeof sending.LocationBody>): OutgoingMessage =>
  outgoing(body, 'location', {
    latitude: body.latitude,
    longitude: body.longitude,
    name: body.name,
    address: body.address,
  })

export const pollMessage = (body: Body<typeof sending.PollBody>): OutgoingMessage =>
  outgoing(body, 'poll', {
    pollName: body.pollName,
    options: body.options,
    selectableCount: body.selectableCount,
  })

export const stickerMessage = (body: Body<typeof StickerBody>, checkUrl: CheckUrl): OutgoingMessage =>
  outgoing(body, 'sticker', { mediaUrl: allowedMediaUrl(checkUrl, body.mediaUrl), mediaId: body.mediaId })

export const contactMessage = (body: Body<typeof ContactBody>): OutgoingMessage =>
  outgoing(body, 'contact', { contacts: body.contacts })

export const eventMessage = (body: Body<typeof EventSendBody>): OutgoingMessage =>
  outgoing(body, 'event', {
    name: body.name,
    description: body.description,
    startsAt: iso(body.startsAt),
    endsAt: body.endsAt === undefined ? undefined : iso(body.endsAt),
    place: body.place,
    latitude: body.latitude,
    longitude: body.longitude,
    call: body.call,
  })

/** Colours and font of a text without its own. */
const PLAIN_STATUS = { backgroundColor: '#128c7e', textColor: '#ffffff', font: 'system' } as const

export function statusMessage(body: Body<typeof StatusBody>, checkUrl: CheckUrl): OutgoingMessage {
  const { type, caption, message = caption, to, backgroundColor, textColor, font, mediaId } = body
  const style = { ...PLAIN_STATUS, ...omitUndefined({ backgroundColor, textColor, font }) }
  const file = { mediaUrl: allowedMediaUrl(checkUrl, body.mediaUrl), mediaId }
  return {
    instanceName: body.instanceName,
    to: { chat: STATUS_CHAT },
    kind: type,
    content: omitUndefined({ message, to, ...(type === 'text' ? style : file) }),
    sendAt: body.sendAt ?? null,
    expiresAt: body.expiresAt ?? null,
    reference: body.reference,
    requestedDelayMs: null,
    delayMs: 0,
  }
}

export const groupMessage = (body: Body<typeof sending.GroupBody>): OutgoingMessage =>
  outgoing(body, 'text', textContent(body))

const textContent = ({ message, linkPreview }: { message: string; linkPreview?: boolean | undefined }) =>
  linkPreview ? { message, linkPreview } : { message }

/** The fields that the bodies of all sends have in common. */
interface CommonBody extends GivenAddress {
  instanceName: string
  quotedMessageId?: string | undefined
  mentions?: string[] | undefined
  sendAt?: number | undefined
  expiresAt?: number | undefined
  reference?: string | undefined
  delay?: number | undefined
}

const interactive = (body: CommonBody & { interactive: object }, kind: MessageKind): OutgoingMessage =>
  outgoing(body, kind, { interactive: body.interactive })

/** `draw` chooses the typing delay where the body has none. */
const outgoing = (
  body: CommonBody,
  kind: MessageKind,
  content: Record<string, unknown>,
  draw: () => number = () => 0,
): OutgoingMessage => ({
  instanceName: body.instanceName,
  to: recipientOf(body),
  kind,
  content: omitUndefined({ ...content, mentions: body.mentions }),
  quotedMessageId: body.quotedMessageId,
  sendAt: body.sendAt ?? null,
  expiresAt: body.expiresAt ?? null,
  reference: body.reference,
  requestedDelayMs: body.delay ?? null,
  delayMs: body.delay ?? draw(),
})
