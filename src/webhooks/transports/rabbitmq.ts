// RabbitMQ: one channel with publisher confirms. A message that no queue takes is returned, and counts as refused.
import type { ChannelModel, ConfirmChannel } from 'amqplib'
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

const FULL = 'The broker accepts no messages now, because its memory or disk is full.'
/** Its `nack` has no reason. */
const NOT_TAKEN = 'The broker did not take the message: a queue is full, or cannot store it.'
const NOT_ROUTED = 'No queue is bound for the routing key of the message.'

export const openRabbitmq: OpenPublisher = async (parts) => {
  const { exchange, topic } = parts.destination.options
  const loss = createLoss()
  const connection = await connectTo(parts)
  connection.on('error', loss.lose)
  connection.on('close', () => loss.lose())
  const channel = await openChannel(connection, loss.lose)
  let isBlocked = false
  connection.on('blocked', () => (isBlocked = true))
  connection.on('unblocked', () => (isBlocked = false))
  /** Ids of messages that the broker has returned; their confirmation follows. */
  const returned = new Set<string>()
  channel.on('return', ({ properties }) => void returned.add(String(properties.messageId)))
  return {
    async publish(event) {
      if (isBlocked) throw new BrokerError(FULL)
      const key = topicOf(topic ?? '', event)
      await loss.unlessLost(
        new Promise<void>((done, fail) => {
          channel.publish(exchange ?? '', key, Buffer.from(event.body), propertiesOf(event), (error) =>
            error ? fail(new BrokerError(NOT_TAKEN)) : done(),
          )
        }),
      )
      if (returned.delete(event.id)) throw new BrokerError(NOT_ROUTED)
      return { answer: 'Confirmed by the broker.' }
    },
    isOpen: () => !loss.isLost(),
    close: () => connection.close().catch(() => undefined),
  }
}

async function connectTo({ destination, target, brokers, guard }: OpenParts): Promise<ChannelModel> {
  const { default: amqp } = await import('amqplib')
  const { username, password } = destination.options
  const login = username === null ? {} : { username, password: password ?? '' }
  const socket = await brokers.reach(target, guard.signal)
  const address = {
    protocol: target.isSecure ? 'amqps' : 'amqp',
    hostname: target.host,
    port: target.port,
    // The library decodes it, and takes `/` for an empty one.
    vhost: target.path.slice(1),
    heartbeat: HEARTBEAT_S,
    ...login,
  }
  const options = {
    ...socket,
    ...(target.isSecure ? brokers.tls(target) : {}),
    timeout: CONNECT_MS,
    noDelay: true,
    clientProperties: { connection_name: `switchboard destination ${destination.id}` },
  }
  try {
    return await guard.watchOpened(() => amqp.connect(address, options))
  } catch (error) {
    throw classified(error)
  }
}

async function openChannel(
  connection: ChannelModel,
  lose: (cause?: unknown) => void,
): Promise<ConfirmChannel> {
  const channel = await connection.createConfirmChannel()
  // The broker closes the channel for an exchange that does not exist.
  channel.on('error', (error) => lose(classified(error)))
  channel.on('close', () => {
    lose()
    void connection.close().catch(() => undefined)
  })
  return channel
}

const propertiesOf = (event: Parameters<typeof headersOf>[0]) => ({
  persistent: true,
  mandatory: true,
  messageId: event.id,
  type: event.event,
  contentType: 'application/json',
  timestamp: Math.floor(event.at / 1000),
  appId: 'switchboard',
  headers: headersOf(event),
})

const REFUSALS: Record<number, string> = {
  402: 'The virtual host of the broker does not exist, or its limit is reached.',
  403: LOGIN_REFUSED,
  404: 'The broker does not have the exchange.',
  530: 'The virtual host does not exist, or the login may not use it.',
}

function classified(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const known = typeof code === 'number' ? REFUSALS[code] : undefined
  if (known) return new BrokerError(known, { isRefusal: false, cause: error })
  // A server of RabbitMQ that refuses a login may close the socket instead of the connection.
  if (String(message).includes('ACCESS-REFUSED'))
    return new BrokerError(LOGIN_REFUSED, { isRefusal: false, cause: error })
  return error
}
