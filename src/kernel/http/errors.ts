// Turns every error of a request into the one error response, whether it comes from a rule, the framework, the store or the
// network.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Reason } from '../../contract/reasons.ts'
import { GatewayError } from '../../errors.ts'
import { NetworkError, type NetworkErrorKind } from '../../network/network.ts'
import { isStoreError } from '../store-error.ts'

const FRAMEWORK_CODES: Record<string, Reason> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}
const NETWORK_KINDS: Record<NetworkErrorKind, Reason> = {
  unavailable: 'unavailable',
  timeout: 'network_timeout',
  refused: 'refused_by_network',
  not_a_group_member: 'not_a_group_member',
  not_a_group_admin: 'not_a_group_admin',
  unknown_invite: 'invite_not_found',
  stale: 'refused_by_network',
  no_longer_owner: 'unavailable',
  held: 'gateway_held',
  outcome_unknown: 'outcome_unknown',
  keys_missing: 'phone_keys_missing',
}
const RETRY_SECONDS = 1

/** Resources of the operating system that may be available again a moment later: descriptors, disk, memory. */
const EXHAUSTED = new Set(['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'ENOMEM', 'ENOBUFS'])

/** `bodyLimit` is the limit of the route, for the message of `body_too_large`. */
export function toGatewayError(error: unknown, bodyLimit?: number): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof NetworkError) {
    const reason = NETWORK_KINDS[error.kind]
    // A retry does not help after a refusal, a held gateway waits for its operator, and what was perhaps done is not simply repeated.
    if (reason === 'refused_by_network')
      return new GatewayError(reason, { networkCode: error.code }, { cause: error })
    if (reason === 'gateway_held' || reason === 'outcome_unknown')
      return new GatewayError(reason, {}, { cause: error })
    return new GatewayError(reason, {}, { cause: error, retryAfterSeconds: RETRY_SECONDS })
  }
  if (isStoreError(error, 'unavailable')) {
    return new GatewayError('unavailable', {}, { cause: error })
  }
  const { code, statusCode } = error as FastifyError
  if (EXHAUSTED.has(code)) return new GatewayError('unavailable', {}, { cause: error })
  const reason = FRAMEWORK_CODES[code]
  if (reason === 'body_too_large' && bodyLimit !== undefined) {
    return new GatewayError(reason, {}, { cause: error, message: bodyTooLarge(bodyLimit) })
  }
  if (reason) return new GatewayError(reason, {}, { cause: error })
  // The framework's other 4xx errors mean a URL or body that cannot be parsed.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const message = code === 'FST_ERR_BAD_URL' ? 'the URL is not valid' : 'the body is not valid JSON'
    return new GatewayError('invalid_request', { details: [{ path: '', message }] }, { cause: error })
  }
  return new GatewayError('internal', {}, { cause: error })
}

/** Limits are whole KiB below 1 MB, and whole MB above. */
export const bodyTooLarge = (limitBytes: number): string => {
  const kib = limitBytes / 1024
  return `The request body is larger than ${kib < 1024 ? `${kib} KiB` : `${kib / 1024} MB`}.`
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toGatewayError(error, request.routeOptions.bodyLimit)
  request.refusedAs = refusal.reason
  if (refusal.status >= 500) logRefusal(request, refusal)
  if (refusal.reason === 'unauthorized' && !reply.hasHeader('WWW-Authenticate'))
    reply.header('WWW-Authenticate', 'Bearer')
  // A held gateway waits for its operator, so there is no useful time for a retry.
  const isTemporary = refusal.status === 503 && refusal.reason !== 'gateway_held'
  const retryAfterSeconds = refusal.retryAfterSeconds ?? (isTemporary ? RETRY_SECONDS : undefined)
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds))
  return reply.code(refusal.status).send({
    success: false,
    error: refusal.message,
    reason: refusal.reason,
    requestId: request.id,
    ...refusal.extra,
  })
}

/** A refusal without a cause is deliberate and can happen a thousand times a second under load: it is logged without a stack. */
function logRefusal(request: FastifyRequest, refusal: GatewayError): void {
  const { reason, cause } = refusal
  if (cause === undefined && reason !== 'internal') request.log.warn({ reason }, 'refused')
  else request.log.error({ err: cause ?? refusal, reason }, 'refused')
}
