// The one error that the gateway raises on purpose: a reason of the catalogue, and what a caller may know besides.
import { type Reason, sentenceOf, statusOf } from './contract/reasons.ts'

/** Fields beside `error` and `reason` in the answer, for instance `details` or `limit`. */
export type ErrorExtra = Record<string, unknown>

export interface ErrorOptions {
  /** Replaces the catalogue's sentence where a better one is known. Callers read it: no address, key or inside. */
  message?: string
  /** Becomes the `Retry-After` header. */
  retryAfterSeconds?: number
  /** Goes to the log only. */
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

/** A refusal of one field, in the form that validation gives for many. */
export const invalidField = (path: string, message: string): GatewayError =>
  new GatewayError(
    'invalid_request',
    { details: [{ path, message }] },
    { message: `The request is not valid: ${path}: ${message}` },
  )
