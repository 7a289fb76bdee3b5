// Why a message was not confirmed: a sentence for callers that contains no address and no text of the broker.
import {
  type FailureKind,
  failureOf,
  OutboundError,
  sentenceOfFailure,
} from '../../kernel/outbound/failure.ts'
import { TargetRefused } from '../../kernel/outbound/target.ts'
import { BrokerError } from './publisher.ts'

const UNREACHABLE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'])
const RESET = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'])
const CERTIFICATE = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$)/
/** Names and codes of errors, which are words of a library and not of the broker. */
const WORD = /^[A-Za-z][A-Za-z0-9_-]{2,40}$/

export function sentenceOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof BrokerError) return error.message
  if (error instanceof OutboundError && error.kind !== 'protocol') return failureOf(error, NEVER).message
  if (error instanceof TargetRefused) return sentenceOfFailure('not_allowed')
  if (signal.aborted) return 'The broker did not confirm the message in time.'
  const code = codeOf(error)
  const kind = kindOf(code)
  if (kind) return sentenceOfFailure(kind) + (kind === 'tls' ? ` (${code})` : '')
  const word = WORD.test(code) ? code : nameOf(error)
  return `The connection to the broker failed${word === '' ? '' : ` (${word})`}.`
}

const NEVER = new AbortController().signal

function kindOf(code: string): FailureKind | undefined {
  if (UNREACHABLE.has(code)) return 'connect'
  if (RESET.has(code)) return 'reset'
  return CERTIFICATE.test(code) ? 'tls' : undefined
}

/** A connection to several addresses of one host fails with one error for each of them. */
function codeOf(error: unknown): string {
  const { code, errors, cause } = (error ?? {}) as { code?: unknown; errors?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0])
  return cause instanceof Error ? codeOf(cause) : ''
}

const nameOf = (error: unknown): string =>
  error instanceof Error && error.name !== 'Error' && WORD.test(error.name) ? error.name : ''
