// The nine send endpoints: each body becomes one outgoing message, and all messages are accepted in the same way.
import type { Routes } from '../../contract/routes.ts'
import type { CheckUrl } from '../../domain/deps.ts'
import * as outgoing from '../../domain/outgoing.ts'
import type { OutgoingMessage, Sending } from '../../domain/sending.ts'
import type { ContextOf, Handlers } from '../handler.ts'

export interface SendingDeps {
  sending: Sending
  checkUrl: CheckUrl
}

export const sendingHandlers = ({
  sending,
  checkUrl,
}: SendingDeps): Handlers<
  | 'sendText'
  | 'sendMedia'
  | 'sendButton'
  | 'sendList'
  | 'sendCta'
  | 'sendCarousel'
  | 'sendLocation'
  | 'sendPoll'
  | 'sendGroup'
> => ({
  sendText: async (context, { body }) => send(sending, context, outgoing.textMessage(body)),
  sendMedia: async (context, { body }) => send(sending, context, outgoing.mediaMessage(body, checkUrl)),
  sendButton: async (context, { body }) => send(sending, context, outgoing.buttonMessage(body)),
  sendList: async (context, { body }) => send(sending, context, outgoing.listMessage(body)),
  sendCta: async (context, { body }) => send(sending, context, outgoing.ctaMessage(body)),
  sendCarousel: async (context, { body }) => send(sending, context, outgoing.carouselMessage(body, checkUrl)),
  sendLocation: async (context, { body }) => send(sending, context, outgoing.locationMessage(body)),
  sendPoll: async (context, { body }) => send(sending, context, outgoing.pollMessage(body)),
  sendGroup: async (context, { body }) => send(sending, context, outgoing.groupMessage(body)),
})

async function send(sending: Sending, context: ContextOf<Routes['sendText']>, message: OutgoingMessage) {
  const { caller, idempotencyKey, waitSeconds, setHeader } = context
  const { answer, replayed } = await sending.send(caller, message, { idempotencyKey, waitSeconds })
  if (replayed) setHeader('Idempotency-Replayed', 'true')
  if (waitSeconds !== undefined) setHeader('Preference-Applied', `wait=${waitSeconds}`)
  return answer
}
