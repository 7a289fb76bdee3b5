/** The world's API over HTTP: who may call, how errors look, and which calls there are. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BASE_PATHS } from '../../../contract/route.ts'
import type { Exchange } from '../exchange.ts'
import { Refusal, type RefusalReason } from '../refusal.ts'
import { faultCalls } from './faults.ts'
import { groupCalls } from './groups.ts'
import { networkCalls } from './network.ts'
import { phoneCalls } from './phones.ts'

export type WorldApiOptions = {
  apiKey: string
  /** Known only once the server listens. */
  wsUrl: () => string
  /** The host that media references name when a phone sends. */
  mediaHost: () => string
}

export function serveWorldApi(app: FastifyInstance, exchange: Exchange, options: WorldApiOptions): void {
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(exchange, error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    answerError(
      exchange,
      new Refusal('not_found', `There is no ${request.method} ${request.url}.`),
      request,
      reply,
    ),
  )
  void app.register(
    async (scope) => {
      scope.addHook('onRequest', async (request) => authorise(request, options.apiKey))
      phoneCalls(scope, exchange, options.mediaHost)
      groupCalls(scope, exchange)
      faultCalls(scope, exchange)
      networkCalls(scope, exchange, options.wsUrl)
    },
    { prefix: BASE_PATHS.sandbox },
  )
}

function authorise(request: FastifyRequest, apiKey: string): void {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  // Hashes are of equal length, so that the comparison tells nothing about the key.
  if (!timingSafeEqual(digest(given), digest(apiKey)))
    throw new Refusal('unauthorized', 'The API key is missing or wrong.')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Errors of the framework itself, in our words. */
const FRAMEWORK_REASONS: Record<number, RefusalReason> = {
  413: 'body_too_large',
  415: 'unsupported_media_type',
}

function answerError(
  exchange: Exchange,
  error: Error & { statusCode?: number | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = error instanceof Refusal ? error : fromFramework(error)
  if (!refusal) exchange.log.error('call failed', { requestId: request.id, error: error.stack })
  const body = {
    success: false,
    error: refusal?.message ?? 'Something went wrong inside.',
    reason: refusal?.reason ?? 'internal',
    requestId: request.id,
    ...(refusal?.details && { details: refusal.details }),
  }
  if (refusal?.reason === 'unauthorized') void reply.header('www-authenticate', 'Bearer')
  return reply.code(refusal?.status ?? 500).send(body)
}

function fromFramework(error: Error & { statusCode?: number | undefined }): Refusal | undefined {
  const status = error.statusCode ?? 500
  if (status >= 500) return undefined
  return new Refusal(FRAMEWORK_REASONS[status] ?? 'invalid_request', error.message)
}
