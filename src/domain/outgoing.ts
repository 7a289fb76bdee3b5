// Converts the body of each send endpoint into an outgoing message: one pure function per kind.
import type { z } from 'zod'
import type * as sending from '../contract/message-bodies.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { GatewayError } from '../errors.ts'
import { randomTypingMs } from '../rules/names.ts'
import type { CheckUrl } from './deps.ts'
import type { OutgoingMessage } from './sending.ts'

type Body<S extends z.ZodType> = z.output<S>

export const textMessage = (body: Body<typeof sending.TextBody>): OutgoingMessage => ({
  ...addressed(body),
  kind: 'text',
  content: { message: body.message },
  ...typing(body.delay, () => randomTypingMs()),
})

export const mediaMessage = (body: Body<typeof sending.MediaBody>, checkUrl: CheckUrl): OutgoingMessage => ({
  ...addressed(body),
  kind: body.type,
  content: omitUndefined({
    mediaUrl: allowedMediaUrl(checkUrl, body.mediaUrl),
    // Voice messages cannot have a caption.
    message: body.type === 'audio' ? undefined : body.message,
    fileName: body.fileName,
    mimetype: body.mimetype,
  }),
  ...typing(body.delay, () => randomTypingMs()),
})

export const buttonMessage = (body: Body<typeof sending.ButtonBody>) => interactive(body, 'button')
export const listMessage = (body: Body<typeof sending.ListBody>) => interactive(body, 'list')
export const ctaMessage = (body: Body<typeof sending.CtaBody>) => interactive(body, 'cta')

export function carouselMessage(
  body: Body<typeof sending.CarouselBody>,
  checkUrl: CheckUrl,
): OutgoingMessage {
  for (const [index, card] of body.interactive.cards.entries())
    allowedMediaUrl(checkUrl, card.header.mediaUrl, `interactive.cards.${index}.header.mediaUrl`)
  return interactive(body, 'carousel')
}

export const locationMessage = (body: Body<typeof sending.LocationBody>): OutgoingMessage => ({
  ...addressed(body),
  kind: 'location',
  content: omitUndefined({
    latitude: body.latitude,
    longitude: body.longitude,
    name: body.name,
    address: body.address,
  }),
  ...typing(body.delay),
})

export const pollMessage = (body: Body<typeof sending.PollBody>): OutgoingMessage => ({
  ...addressed(body),
  kind: 'poll',
  content: { pollName: body.pollName, options: body.options, selectableCount: body.selectableCount },
  ...typing(body.delay),
})

export const groupMessage = (body: Body<typeof sending.GroupBody>): OutgoingMessage => ({
  instanceName: body.instanceName,
  to: { groupJid: body.groupJid },
  kind: 'text',
  content: { message: body.message },
  ...typing(body.delay),
})

interface InteractiveBody {
  instanceName: string
  number: string
  interactive: object
  delay?: number | undefined
}

const interactive = (body: InteractiveBody, kind: OutgoingMessage['kind']): OutgoingMessage => ({
  ...addressed(body),
  kind,
  content: { interactive: body.interactive },
  ...typing(body.delay),
})

const typing = (askedMs: number | undefined, draw: () => number = () => 0) => ({
  askedDelayMs: askedMs ?? null,
  delayMs: askedMs ?? draw(),
})

const addressed = ({ instanceName, number }: { instanceName: string; number: string }) => ({
  instanceName,
  to: { number },
})

/** Only http and https to public hosts, without credentials. The file is not fetched before the message is sent. */
function allowedMediaUrl(checkUrl: CheckUrl, text: string, path = 'mediaUrl'): string {
  const checked = checkUrl(text, 'media')
  if ('href' in checked) return text
  throw new GatewayError(
    'url_not_allowed',
    { details: [{ path, message: checked.refused }] },
    { message: `mediaUrl is not allowed: ${checked.refused}.` },
  )
}
