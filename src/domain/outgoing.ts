// From the body of each send endpoint to one outgoing message: a pure function a kind (spec 4.1).
import type { z } from 'zod'
import type * as sending from '../contract/message-bodies.ts'
import { GatewayError } from '../errors.ts'
import type { JudgeUrl } from './deps.ts'
import type { OutgoingMessage } from './messages.ts'
import { randomTypingMs } from './names.ts'

type Body<S extends z.ZodType> = z.output<S>

export const textMessage = (body: Body<typeof sending.TextBody>): OutgoingMessage => ({
  ...addressed(body),
  kind: 'text',
  content: { message: body.message },
  ...typing(body.delay, () => randomTypingMs()),
})

export const mediaMessage = (body: Body<typeof sending.MediaBody>, judgeUrl: JudgeUrl): OutgoingMessage => ({
  ...addressed(body),
  kind: body.type,
  content: without({
    mediaUrl: allowedMediaUrl(judgeUrl, body.mediaUrl),
    // A caption has no place on a voice message.
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
  judgeUrl: JudgeUrl,
): OutgoingMessage {
  for (const [index, card] of body.interactive.cards.entries())
    allowedMediaUrl(judgeUrl, card.header.mediaUrl, `interactive.cards.${index}.header.mediaUrl`)
  return interactive(body, 'carousel')
}

export const locationMessage = (body: Body<typeof sending.LocationBody>): OutgoingMessage => ({
  ...addressed(body),
  kind: 'location',
  content: without({
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

const without = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Only the web's own schemes and public hosts, no credentials (attack list 7). Nothing is fetched before the send. */
function allowedMediaUrl(judgeUrl: JudgeUrl, text: string, path = 'mediaUrl'): string {
  const judged = judgeUrl(text, 'media')
  if ('href' in judged) return text
  throw new GatewayError(
    'url_not_allowed',
    { details: [{ path, message: judged.refused }] },
    { message: `mediaUrl is not allowed: ${judged.refused}.` },
  )
}
