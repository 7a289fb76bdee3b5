// Redis: each event becomes an entry of a stream. The answer to XADD is the confirmation.
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

/** More than a destination has in flight. */
const MAX_QUEUED = 100

export const openRedis: OpenPublisher = async (parts) => {
  const { topic, maxLength } = parts.destination.options
  const loss = createLoss()
  const client = await createRedisClient(parts)
  client.on('error', loss.lose)
  client.on('end', () => loss.lose())
  await parts.guard
    .watchOpened(() => client.connect())
    .catch((error: unknown) => {
      client.destroy()
      throw classified(error)
    })
  const limit = maxLength === null ? [] : ['MAXLEN', '~', String(maxLength)]
  return {
    async publish(event) {
      const fields = Object.entries({ ...headersOf(event), body: event.body }).flat()
      const words = ['XADD', topicOf(topic ?? '', event), ...limit, '*', ...fields]
      try {
        const entry = await loss.unlessLost(client.sendCommand<string>(words))
        return { answer: `Entry ${entry.slice(0, 50)} of the stream.` }
      } catch (error) {
        throw classified(error)
      }
    },
    isOpen: () => !loss.isLost() && client.isReady,
    close: () => client.destroy(),
  }
}

async function createRedisClient({ destination, target, brokers, guard }: OpenParts) {
  const { createClient } = await import('@redis/client')
  const { username, password } = destination.options
  const options = await brokers.reach(target, guard.signal)
  const socket = {
    ...options,
    ...(target.isSecure ? { tls: true as const, ...brokers.tls(target) } : {}),
    connectTimeout: CONNECT_MS,
    reconnectStrategy: false as const,
  }
  return createClient({
    socket,
    RESP: 2,
    database: Number(target.path.slice(1)),
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    name: `switchboard-destination-${destination.id}`,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_QUEUED,
    pingInterval: HEARTBEAT_S * 1000,
    maintNotifications: 'disabled',
  })
}

/** By the first word of an error of Redis. */
const REFUSALS: Record<string, string> = {
  WRONGPASS: LOGIN_REFUSED,
  NOAUTH: LOGIN_REFUSED,
  NOPERM: 'The login may not write to the stream.',
  OOM: 'The memory of Redis is full.',
  WRONGTYPE: 'The name of the stream is used for something else in Redis.',
  READONLY: 'The server of Redis is a replica, which accepts no writes.',
  MISCONF: 'Redis cannot write to its disk.',
  LOADING: 'Redis is loading its data.',
}

function classified(error: unknown): unknown {
  const word = error instanceof Error ? (error.message.split(' ', 1)[0] ?? '') : ''
  const sentence = REFUSALS[word]
  return sentence ? new BrokerError(sentence, { cause: error }) : error
}
