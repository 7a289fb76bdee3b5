// The error for every refused request: a reason of the catalogue, plus what the caller may see.
import { type Reason, sentenceOf, statusOf } from './contract/reasons.ts'

/** Additional fields of the error response, such as `details` or `limit`. */
export type ErrorExtra = Record<string, unknown>

export interface ErrorOptions {
  /** Replaces the sentence of the catalogue. Shown to callers: it must not contain addresses, keys or internals. */
  message?: string
  /** Becomes the `Retry-After` header. */
  retryAfterSeconds?: number
  /** For the log only. */
  cause?: unknown
}

export class GatewayError extends Error {
  readonly reason: Reason
  readonly status: number
  readonly extra: ErrorExtra
  readonly retryAfterSeconds: number | undefined

  constructor(reason: Reason, extra: ErrorExtra = {}, options: ErrorOptions = {}) {
    super(options.message ?? sentenceOf(reason), { cause: options.cause })
    this.name = 'GatewayError'
    this.reason = reason
    this.status = statusOf(reason)
    this.extra = extra
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Refuses one field, in the same form as schema validation. */
export const invalidField = (path: string, message: string): GatewayError =>
  new GatewayError(
    'invalid_request',
    { details: [{ path, message }] },
    { message: `The request is not valid: ${path === '' ? '' : `${path}: `}${message}` },
  )
