// The port of the transports: a connection to a broker that publishes events and waits for each confirmation.
import type { DestinationToUse, EventToPublish } from '../../context.ts'
import type { BrokerTarget } from '../../kernel/outbound/brokers.ts'
import type { Outbound } from '../../kernel/outbound/client.ts'
import type { SocketGuard } from '../../kernel/outbound/socket-guard.ts'

/** What the broker said, as a sentence; `status` only over HTTP. */
export interface Published {
  answer: string
  status?: number | undefined
}

export interface Publisher {
  /** Resolves when the broker has confirmed the message. Rejects with a `BrokerError`, or with an error of the library. */
  publish(event: EventToPublish, signal: AbortSignal): Promise<Published>
  /** False: a new connection is needed. */
  isOpen(): boolean
  /** Never throws or rejects. Its sockets are destroyed soon after, also if the broker does not answer. */
  close(): void | Promise<unknown>
}

export interface OpenParts {
  destination: DestinationToUse
  target: BrokerTarget
  brokers: Outbound['brokers']
  post: Outbound['post']
  /** The best known time, for signatures. */
  forSignatures: () => number
  /** Watches every socket of the connection. */
  guard: SocketGuard
}

export type OpenPublisher = (parts: OpenParts) => Promise<Publisher>

/** How long a broker may take to accept a connection and a login. */
export const CONNECT_MS = 5000
/** In seconds: how often an idle connection is checked. */
export const HEARTBEAT_S = 20

/** The sentence is shown to callers: it contains no text of the broker. */
export class BrokerError extends Error {
  /** The broker answered: the connection can be used again. */
  readonly isRefusal: boolean
  readonly status: number | null
  readonly retryAfterMs: number | undefined

  constructor(
    sentence: string,
    { isRefusal = true, status = null, retryAfterMs, cause }: BrokerErrorDetails = {},
  ) {
    super(sentence, { cause })
    this.name = 'BrokerError'
    this.isRefusal = isRefusal
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

interface BrokerErrorDetails {
  isRefusal?: boolean
  status?: number | null
  retryAfterMs?: number | undefined
  cause?: unknown
}

export const LOGIN_REFUSED = 'The broker refused the login.'

/** What a message has beside its body, in headers, properties or fields. Consumers drop repeated ids. */
export const headersOf = ({ id, event, instance, at }: EventToPublish): Record<string, string> => ({
  id,
  event,
  instance,
  timestamp: new Date(at).toISOString(),
})

/** Rejects when the connection is lost: a library may leave what it has not confirmed unanswered. */
export function createLoss() {
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => undefined)
  let isLost = false
  return {
    isLost: () => isLost,
    lose(cause?: unknown): void {
      isLost = true
      lost.reject(
        cause instanceof BrokerError
          ? cause
          : new BrokerError('The broker closed the connection.', { isRefusal: false, cause }),
      )
    },
    unlessLost: <T>(work: Promise<T>): Promise<T> => Promise.race([work, lost.promise]),
  }
}
