// Sends and changes of messages: each request becomes one outgoing message, and all messages are accepted in the same way.

import type { CheckUrl, Deps } from '../context.ts'
import type { Routes } from '../contract/routes.ts'
import type { ContextOf, Handlers } from '../request-handler.ts'
import type { OutgoingMessage, Sending } from './accept.ts'
import { sendAlbum } from './album.ts'
import * as actions from './changes.ts'
import * as outgoing from './outgoing.ts'

export interface SendingDeps extends Pick<Deps, 'store' | 'clock'> {
  sending: Sending
  checkUrl: CheckUrl
}

export const sendingHandlers = ({ sending, checkUrl, ...deps }: SendingDeps) =>
  ({
    sendText: async (context, { body }) => send(sending, context, outgoing.textMessage(body)),
    async sendMedia(context, { body }) {
      const type = await outgoing.kindOfFile(deps, context.caller, body)
      return send(sending, context, outgoing.mediaMessage({ ...body, type }, checkUrl))
    },
    async sendAlbum({ caller, idempotencyKey, setHeader }, { body }) {
      const parts = { ...deps, sending, checkUrl }
      const { answer, replayed } = await sendAlbum(parts, caller, body, idempotencyKey)
      if (replayed) setHeader('Idempotency-Replayed', 'true')
      return answer
    },
    sendButton: async (context, { body }) => send(sending, context, outgoing.buttonMessage(body, checkUrl)),
    sendList: async (context, { body }) => send(sending, context, outgoing.listMessage(body)),
    sendCta: async (context, { body }) => send(sending, context, outgoing.ctaMessage(body, checkUrl)),
    sendCarousel: async (context, { body }) =>
      send(sending, context, outgoing.carouselMessage(body, checkUrl)),
    sendPix: async (context, { body }) => send(sending, context, outgoing.pixMessage(body)),
    sendLocation: async (context, { body }) => send(sending, context, outgoing.locationMessage(body)),
    sendPoll: async (context, { body }) => send(sending, context, outgoing.pollMessage(body)),
    sendSticker: async (context, { body }) => send(sending, context, outgoing.stickerMessage(body, checkUrl)),
    sendContact: async (context, { body }) => send(sending, context, outgoing.contactMessage(body)),
    sendEvent: async (context, { body }) => send(sending, context, outgoing.eventMessage(body)),
    sendStatus: async (context, { body }) => send(sending, context, outgoing.statusMessage(body, checkUrl)),
    sendGroup: async (context, { body }) => send(sending, context, outgoing.groupMessage(body)),
    reactToMessage: async (context, { params, body }) =>
      send(sending, context, await actions.reaction(deps, context, { ...params, ...body }, body)),
    editMessage: async (context, { params, body }) =>
      send(sending, context, await actions.edit(deps, context, { ...params, ...body }, body)),
    deleteMessage: async (context, { params, query }) =>
      send(sending, context, await actions.deletion(deps, context, { ...params, ...query })),
    forwardMessage: async (context, { params, body }) =>
      send(sending, context, await actions.forward(deps, context, { ...params, ...body }, body)),
    pinMessage: async (context, { params, body }) =>
      send(sending, context, await actions.pin(deps, context, { ...params, ...body }, body)),
  }) satisfies Partial<Handlers>

async function send(sending: Sending, context: ContextOf<Routes['sendText']>, message: OutgoingMessage) {
  const { caller, idempotencyKey, waitSeconds, setHeader } = context
  const { instanceId, answer, replayed } = await sending.send(caller, message, {
    idempotencyKey,
    waitSeconds,
  })
  if (replayed) setHeader('Idempotency-Replayed', 'true')
  else context.traceMessage?.({ instanceId, messageId: answer.messageId })
  if (waitSeconds !== undefined) setHeader('Preference-Applied', `wait=${waitSeconds}`)
  return answer
}
