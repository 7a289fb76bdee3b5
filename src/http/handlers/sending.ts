// The nine send endpoints: each body becomes one outgoing message, and all are accepted the same way (spec 4.1). Beside
// them, what became of a message.
import type { Routes } from '../../contract/routes.ts'
import type { Deps } from '../../domain/deps.ts'
import { createInstanceIds } from '../../domain/instance-ids.ts'
import {
  cancelMessage,
  getMessage,
  listMessages,
  type OutgoingMessage,
  type SendReceipt,
  sendMessage,
  withOutcome,
} from '../../domain/messages.ts'
import * as outgoing from '../../domain/outgoing.ts'
import { readReceivedMedia } from '../../domain/received-media.ts'
import { GatewayError } from '../../errors.ts'
import type { ContextOf, Handlers } from '../handler.ts'

type Context = ContextOf<Routes['sendText']>

export function sendingHandlers(
  deps: Deps,
): Handlers<
  | 'sendText'
  | 'sendMedia'
  | 'sendButton'
  | 'sendList'
  | 'sendCta'
  | 'sendCarousel'
  | 'sendLocation'
  | 'sendPoll'
  | 'sendGroup'
> {
  /** Idempotency keys whose first request is still on its way, on this node (decisions 6). */
  const running = new Set<string>()
  const sendDeps = { ...deps, instanceIds: createInstanceIds(deps) }

  async function send(context: Context, message: OutgoingMessage) {
    // Once it is accepted nobody else has to wait: a second request with the same key gets its answer.
    const receipt = await accept(context, message)
    if (receipt.replayed) context.setHeader('Idempotency-Replayed', 'true')
    const { waitSeconds } = context
    if (waitSeconds === undefined) return receipt.answer
    context.setHeader('Preference-Applied', `wait=${waitSeconds}`)
    return withOutcome(deps, receipt, waitSeconds)
  }

  async function accept(context: Context, message: OutgoingMessage): Promise<SendReceipt> {
    const { caller, idempotencyKey } = context
    const mark = idempotencyKey === undefined ? undefined : `${caller.account.id}:${idempotencyKey}`
    if (mark !== undefined && running.has(mark)) {
      throw new GatewayError('idempotency_in_flight', {}, { retryAfterSeconds: 1 })
    }
    if (mark !== undefined) running.add(mark)
    try {
      return await sendMessage(sendDeps, caller, message, idempotencyKey)
    } finally {
      if (mark !== undefined) running.delete(mark)
    }
  }

  return {
    sendText: async (context, { body }) => send(context, outgoing.textMessage(body)),
    sendMedia: async (context, { body }) => send(context, outgoing.mediaMessage(body, deps.judgeUrl)),
    sendButton: async (context, { body }) => send(context, outgoing.buttonMessage(body)),
    sendList: async (context, { body }) => send(context, outgoing.listMessage(body)),
    sendCta: async (context, { body }) => send(context, outgoing.ctaMessage(body)),
    sendCarousel: async (context, { body }) => send(context, outgoing.carouselMessage(body, deps.judgeUrl)),
    sendLocation: async (context, { body }) => send(context, outgoing.locationMessage(body)),
    sendPoll: async (context, { body }) => send(context, outgoing.pollMessage(body)),
    sendGroup: async (context, { body }) => send(context, outgoing.groupMessage(body)),
  }
}

export const messageHandlers = (
  deps: Deps,
): Handlers<'listMessages' | 'getMessage' | 'cancelMessage' | 'getMessageMedia'> => ({
  async listMessages({ caller }, { query }) {
    const { messages, hasMore } = await listMessages(deps, caller, query)
    return {
      success: true,
      count: messages.length,
      page: query.page,
      limit: query.limit,
      hasMore,
      messages,
    }
  },
  async getMessage({ caller }, { params }) {
    return { success: true, message: await getMessage(deps, caller, params.messageId) }
  },
  async getMessageMedia({ caller, setHeader }, { params }) {
    const { fileName, ...file } = await readReceivedMedia(deps, caller, params.messageId)
    for (const [name, value] of FILE_HEADERS) setHeader(name, value)
    setHeader('Content-Disposition', `attachment; filename*=UTF-8''${encodeName(fileName)}`)
    return file
  },
  async cancelMessage({ caller }, { params }) {
    return { success: true, message: await cancelMessage(deps, caller, params.messageId) }
  },
})

/** A stranger's bytes: saved, never shown in a page of ours, kept by nobody in between (attack list 8). */
const FILE_HEADERS: [string, string][] = [
  ['Cache-Control', 'private, no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "sandbox; default-src 'none'"],
]

/** As RFC 5987 has it, which lets fewer characters stand than the language's own function. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
