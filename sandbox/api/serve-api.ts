// The HTTP API of the sandbox: authentication, the shape of errors, and all calls.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sentenceOf } from '../../src/contract/reasons.ts'
import { BASE_PATHS } from '../../src/contract/route.ts'
import { findTextFault } from '../../src/contract/text-guard.ts'
import type { Log } from '../model/log.ts'
import { Refusal, type RefusalReason } from '../model/refusal.ts'
import type { StateWithPhones } from '../phones/phone.ts'
import { isFullDisk } from '../store/full-disk.ts'
import { actionCalls } from './actions.ts'
import { callCalls } from './calls.ts'
import { faultCalls } from './faults.ts'
import { groupCalls } from './groups.ts'
import { injectionCalls } from './injections.ts'
import { networkCalls } from './network.ts'
import { passkeyCalls } from './passkeys.ts'
import { phoneCalls } from './phones.ts'

export interface ApiOptions {
  apiKey: string
  /** Known after the server has started to listen. */
  wsUrl: () => string
  /** The host in the media URLs of messages that phones send. */
  mediaHost: () => string
}

export function serveApi(app: FastifyInstance, state: StateWithPhones, options: ApiOptions): void {
  parseJsonBodies(app)
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(state.log, error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    answerError(
      state.log,
      new Refusal('not_found', `There is no ${request.method} ${request.url}.`),
      request,
      reply,
    ),
  )
  void app.register(
    async (scope) => {
      scope.addHook('onRequest', async (request) => authorise(request, options.apiKey))
      phoneCalls(scope, state, options.mediaHost)
      passkeyCalls(scope, state)
      actionCalls(scope, state, options.mediaHost)
      callCalls(scope, state)
      groupCalls(scope, state)
      faultCalls(scope, state)
      injectionCalls(scope, state)
      networkCalls(scope, state, options.wsUrl)
    },
    { prefix: BASE_PATHS.sandbox },
  )
}

/** Parses JSON with the same limits as the gateway. */
function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    const fault = findTextFault(text as string)
    if (fault)
      return done(new Refusal('invalid_request', `The request is not valid: ${fault.message}`, [fault]))
    return void parse(request, text as string, done)
  })
}

function authorise(request: FastifyRequest, apiKey: string): void {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  // Hashes have equal length, so the comparison reveals nothing about the key.
  if (!timingSafeEqual(digest(given), digest(apiKey)))
    throw new Refusal('unauthorized', 'The API key is missing or wrong.')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Reasons for the errors that the framework raises. */
const FRAMEWORK_REASONS: Record<number, RefusalReason> = {
  413: 'body_too_large',
  415: 'unsupported_media_type',
}

function answerError(
  log: Log,
  error: Error & { statusCode?: number | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = error instanceof Refusal ? error : (fromDisk(error) ?? fromFramework(error))
  if (!refusal) log.error('call failed', { requestId: request.id, error: error.stack })
  const body = {
    success: false,
    error: refusal?.message ?? 'An internal error occurred.',
    reason: refusal?.reason ?? 'internal',
    requestId: request.id,
    ...(refusal?.details && { details: refusal.details }),
  }
  if (refusal?.reason === 'unauthorized') void reply.header('www-authenticate', 'Bearer')
  return reply.code(refusal?.status ?? 500).send(body)
}

function fromDisk(error: unknown): Refusal | undefined {
  return isFullDisk(error) ? new Refusal('storage_full', sentenceOf('storage_full')) : undefined
}

function fromFramework(error: Error & { statusCode?: number | undefined }): Refusal | undefined {
  const status = error.statusCode ?? 500
  if (status >= 500) return undefined
  return new Refusal(FRAMEWORK_REASONS[status] ?? 'invalid_request', error.message)
}
