// Every refusal in one form, whoever raised it: a rule, the framework, the store or the network (decisions 3).
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Reason } from '../contract/reasons.ts'
import { GatewayError } from '../errors.ts'
import { NetworkError, type NetworkErrorKind } from '../network/network.ts'
import { isStoreError } from '../store/store-error.ts'

const FRAMEWORK_CODES: Record<string, Reason> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}
const NETWORK_KINDS: Record<NetworkErrorKind, Reason> = {
  unavailable: 'unavailable',
  timeout: 'network_timeout',
  no_longer_owner: 'unavailable',
}
const RETRY_SECONDS = 1

export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof NetworkError) {
    return new GatewayError(NETWORK_KINDS[error.kind], {}, { cause: error, retryAfterSeconds: RETRY_SECONDS })
  }
  if (isStoreError(error, 'unavailable')) {
    return new GatewayError('unavailable', {}, { cause: error, retryAfterSeconds: RETRY_SECONDS })
  }
  const { code, statusCode } = error as FastifyError
  const reason = FRAMEWORK_CODES[code]
  if (reason) return new GatewayError(reason, {}, { cause: error })
  // What else the framework refuses with a 4xx is an address or a body that it could not read.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const message = code === 'FST_ERR_BAD_URL' ? 'the address cannot be read' : 'cannot be read as JSON'
    return new GatewayError('invalid_request', { details: [{ path: '', message }] }, { cause: error })
  }
  return new GatewayError('internal', {}, { cause: error })
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toGatewayError(error)
  if (refusal.status >= 500) logRefusal(request, refusal)
  if (refusal.reason === 'unauthorized') reply.header('WWW-Authenticate', 'Bearer')
  if (refusal.retryAfterSeconds !== undefined) reply.header('Retry-After', String(refusal.retryAfterSeconds))
  return reply.code(refusal.status).send({
    success: false,
    error: refusal.message,
    reason: refusal.reason,
    requestId: request.id,
    ...refusal.extra,
  })
}

/** Bytes that are not HTTP never become a request: answered on the bare socket, then closed (attack list 15). */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const status = timedOut ? 408 : 400
  const body = JSON.stringify({
    success: false,
    error: timedOut ? 'The request took too long to arrive.' : 'The request is not valid HTTP.',
    reason: 'invalid_request',
    requestId: 'none',
  })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** One without a cause is a decision of ours, made under load a thousand times a second: no fault, and no place for a stack. */
function logRefusal(request: FastifyRequest, refusal: GatewayError): void {
  const { reason, cause } = refusal
  if (cause === undefined && reason !== 'internal') request.log.warn({ reason }, 'refused')
  else request.log.error({ err: cause ?? refusal, reason }, 'refused')
}
