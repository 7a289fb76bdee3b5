// Why an exchange with the outside came to nothing: a kind for the program, a sentence for people that names no address.
import { TargetRefused } from './target.ts'

export type FailureKind =
  | 'not_allowed'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'stopped'

export interface Failure {
  error: FailureKind
  message: string
}

const SENTENCES: Record<FailureKind, string> = {
  not_allowed: 'The URL leads to a host that is not allowed.',
  dns: 'The host name could not be resolved.',
  connect: 'The host could not be reached.',
  tls: 'The host has no TLS certificate that can be trusted.',
  timeout: 'The host did not answer in time.',
  reset: 'The host broke the connection off.',
  protocol: 'The host did not answer in valid HTTP.',
  stopped: 'The exchange was stopped.',
}

export const sentenceOfFailure = (kind: FailureKind): string => SENTENCES[kind]

/** Raised where the kind is known, with the cause for the log. */
export class OutboundError extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, cause?: unknown) {
    super(SENTENCES[kind], { cause })
    this.name = 'OutboundError'
    this.kind = kind
  }
}

/** The deadline ends an exchange by an abort, so what it was aborted with counts before how the socket took it. */
export function failureOf(error: unknown, signal: AbortSignal): Failure {
  const reason: unknown = signal.aborted ? signal.reason : error
  const kind = kindOf(reason)
  return { error: kind, message: SENTENCES[kind] + detailOf(kind, reason) }
}

function kindOf(error: unknown): FailureKind {
  if (error instanceof OutboundError) return error.kind
  if (error instanceof TargetRefused) return 'not_allowed'
  if (CLOSED.has(codeOf(error))) return 'stopped'
  if (TIMED_OUT.has(codeOf(error))) return 'timeout'
  return isBrokenOff(error) ? 'reset' : 'protocol'
}

/** The client itself was closed, with this exchange under way. */
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'])
const TIMED_OUT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const BROKEN_OFF = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_ABORTED',
])

export const isBrokenOff = (error: unknown): boolean => BROKEN_OFF.has(codeOf(error))

/** The code of a certificate error (`CERT_HAS_EXPIRED`) tells an operator what to mend. */
function detailOf(kind: FailureKind, error: unknown): string {
  const code = kind === 'tls' && error instanceof OutboundError ? codeOf(error.cause) : ''
  return code === '' ? '' : ` (${code})`
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}
