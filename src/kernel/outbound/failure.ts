// Why an outgoing request failed: a kind for programs, and a sentence for people that contains no address.

import { realTimers } from '../async/timers.ts'
import { onAbort } from '../async/waiting.ts'
import { TargetRefused } from './target.ts'
import { ProxyError } from './tunnel.ts'

export type FailureKind =
  | 'not_allowed'
  | 'dns'
  | 'connect'
  | 'proxy'
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
  not_allowed: 'The URL points to a host that is not allowed.',
  dns: 'The host name could not be resolved.',
  connect: 'The host could not be reached.',
  proxy: 'The proxy of the gateway did not open a connection to the host.',
  tls: 'The host has no trusted TLS certificate.',
  timeout: 'The host did not answer in time.',
  reset: 'The host closed the connection unexpectedly.',
  protocol: 'The host did not send a valid HTTP response.',
  stopped: 'The request was stopped.',
}

export const sentenceOfFailure = (kind: FailureKind): string => SENTENCES[kind]

/** The cause is for the log only. */
export class OutboundError extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, cause?: unknown) {
    super(SENTENCES[kind], { cause })
    this.name = 'OutboundError'
    this.kind = kind
  }
}

/** After an abort, the abort reason counts: the socket's own error is only its consequence. */
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
  return isConnectionReset(error) ? 'reset' : 'protocol'
}

/** The client was closed during the request. */
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'])
const TIMED_OUT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const CONNECTION_RESET = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_ABORTED',
])

export const isConnectionReset = (error: unknown): boolean => CONNECTION_RESET.has(codeOf(error))

/** Adds the code of a certificate error, such as `CERT_HAS_EXPIRED`, or what the proxy answered. */
function detailOf(kind: FailureKind, error: unknown): string {
  if (kind === 'proxy' && error instanceof OutboundError && error.cause instanceof ProxyError)
    return ` (${error.cause.message})`
  const code = kind === 'tls' && error instanceof OutboundError ? codeOf(error.cause) : ''
  return code === '' ? '' : ` (${code})`
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}

// A time limit on a whole exchange. An idle timeout is not enough: a host that sends a byte now and then would never hit it.

interface Deadline {
  signal: AbortSignal
  clear(): void
}

/** Aborts after `limitMs` or when `stop` aborts, whichever comes first. */
export function startDeadline(limitMs: number, stop?: AbortSignal, timers = realTimers): Deadline {
  const controller = new AbortController()
  const timer = timers.setTimeout(() => controller.abort(new OutboundError('timeout')), limitMs)
  const removeListener = stop && onAbort(stop, () => controller.abort(new OutboundError('stopped')))
  return {
    signal: controller.signal,
    clear() {
      timers.clearTimeout(timer)
      removeListener?.()
    },
  }
}
