// NATS JetStream: the acknowledgement of the stream is the confirmation. The message id is that of the event, so that the stream drops
// repeated ones within its window.
import { topicOf } from '../rules-destination-options.ts'
import {
  BrokerError,
  CONNECT_MS,
  createLoss,
  HEARTBEAT_S,
  headersOf,
  LOGIN_REFUSED,
  type OpenParts,
  type OpenPublisher,
} from './publisher.ts'

/** A stream that does not answer is tried again by the retry schedule. */
const ACK_MS = 10_000

export const openNats: OpenPublisher = async (parts) => {
  const { topic } = parts.destination.options
  const loss = createLoss()
  const { jetstream } = await import('@nats-io/jetstream')
  const { headers } = await import('@nats-io/nats-core')
  const connection = await connectTo(parts).catch((error: unknown) => {
    throw classified(error)
  })
  void connection.closed().then((error) => loss.lose(error ?? undefined))
  const client = jetstream(connection)
  return {
    async publish(event) {
      const given = headers()
      for (const [name, value] of Object.entries(headersOf(event))) given.set(name, value)
      const options = { msgID: event.id, headers: given, timeout: ACK_MS, retries: 0 }
      try {
        const ack = await loss.unlessLost(client.publish(topicOf(topic ?? '', event), event.body, options))
        const note = ack.duplicate ? ', which had it already' : ''
        return { answer: `Message ${ack.seq} of the stream${note}.` }
      } catch (error) {
        throw classified(error)
      }
    },
    isOpen: () => !loss.isLost() && !connection.isClosed(),
    close: () => connection.close().catch(() => undefined),
  }
}

/** What the transport below gets with the options of its connection. */
interface Guarded {
  dialGuarded: () => ReturnType<OpenParts['brokers']['open']>
  tlsName: string
  guard: OpenParts['guard']
}

async function connectTo({ destination, target, brokers, guard }: OpenParts) {
  const { NatsConnectionImpl, setTransportFactory } = await import('@nats-io/nats-core/internal')
  const { NodeTransport } = await import('@nats-io/transport-node/lib/node_transport.js')
  /** Opens its socket through the guard. Servers that the broker names are not used, because no caller has chosen them. */
  class GuardedTransport extends NodeTransport {
    override connect(server: Parameters<InstanceType<typeof NodeTransport>['connect']>[0], options: object) {
      return super.connect({ ...server, tlsName: (options as Guarded).tlsName }, options)
    }
    override dial() {
      return (this.options as unknown as Guarded).dialGuarded()
    }
    // TLS begins after the first line of the server, on a socket of its own.
    override async startTLS() {
      return (this.options as unknown as Guarded).guard.watch(await super.startTLS())
    }
  }
  setTransportFactory({ factory: () => new GuardedTransport() })
  const { username, password } = destination.options
  const login =
    username === null ? { token: password ?? undefined } : { user: username, pass: password ?? '' }
  const guarded: Guarded = {
    dialGuarded: () => brokers.open(target, guard, true),
    tlsName: target.host,
    guard,
  }
  const options = {
    servers: [`${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`],
    ...login,
    name: `switchboard destination ${destination.id}`,
    // Null: never, also if the server offers it.
    tls: target.isSecure ? brokers.tls(target) : null,
    timeout: CONNECT_MS,
    pingInterval: HEARTBEAT_S * 1000,
    reconnect: false,
    resolve: false,
    ignoreClusterUpdates: true,
    noAsyncTraces: true,
    ...guarded,
  }
  return NatsConnectionImpl.connect(options as Parameters<typeof NatsConnectionImpl.connect>[0])
}

const NO_STREAM = 'No stream takes the subject of the message, or the server has no JetStream.'
/** By the name of the library's error. */
const REFUSALS: Record<string, string> = {
  AuthorizationError: LOGIN_REFUSED,
  UserAuthenticationExpiredError: LOGIN_REFUSED,
  PermissionViolationError: 'The login may not publish to the subject.',
  NoRespondersError: NO_STREAM,
  JetStreamNotEnabled: NO_STREAM,
  TimeoutError: 'No stream has confirmed the message in time.',
}
/** The stream has answered, and the message is not in it: its limits refuse the message. */
const API_ERROR = 'JetStreamApiError'
/** Codes of it: no memory, no storage, and a stream that drops nothing for a new message (`discard: new`). */
const FULL = new Set([10028, 10047, 10077])

function classified(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name } = error
  const code = (error as { code?: unknown }).code
  if (name === API_ERROR && FULL.has(Number(code)))
    return new BrokerError(`The stream is full (${Number(code)}).`)
  if (name === API_ERROR) return new BrokerError(`The stream refused the message (${Number(code)}).`)
  const sentence = REFUSALS[name]
  if (sentence) return new BrokerError(sentence, { cause: error })
  return error.cause instanceof Error && error.cause.name in REFUSALS ? classified(error.cause) : error
}
