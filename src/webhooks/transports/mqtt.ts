// MQTT 5 with QoS 1: the acknowledgement of the broker is the confirmation.
import type { IClientOptions, MqttClient } from 'mqtt'
import type { EventToPublish } from '../../context.ts'
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

/** The gateway subscribes to nothing: packets of the broker are small. */
const MAX_PACKET_BYTES = 64 * 1024

export const openMqtt: OpenPublisher = async (parts) => {
  const { topic, homeAssistant } = parts.destination.options
  const template = topic ?? ''
  const loss = createLoss()
  const client = await connectTo(parts, loss.lose)
  const send: Parameters<typeof createDiscovery>[1] = (name, payload, options) =>
    loss.unlessLost(client.publishAsync(name, payload, { qos: 1, ...options })).catch((error: unknown) => {
      throw classified(error)
    })
  const announce = homeAssistant ? createDiscovery(template, send) : undefined
  return {
    async publish(event) {
      await announce?.(event)
      await send(topicOf(template, event), event.body, {
        properties: { contentType: 'application/json', userProperties: headersOf(event) },
      })
      return { answer: 'Confirmed by the broker.' }
    },
    isOpen: () => !loss.isLost() && client.connected,
    close: () => void client.end(true),
  }
}

async function connectTo(
  { destination, target, brokers, guard }: OpenParts,
  lose: (cause?: unknown) => void,
): Promise<MqttClient> {
  const { MqttClient: Client } = await import('mqtt')
  const socket = await brokers.open(target, guard)
  const { username, password } = destination.options
  const options: IClientOptions = {
    protocolVersion: 5,
    clean: true,
    clientId: `switchboard-${destination.id}-${Math.random().toString(36).slice(2, 10)}`,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    properties: { maximumPacketSize: MAX_PACKET_BYTES },
    keepalive: HEARTBEAT_S,
    connectTimeout: CONNECT_MS,
    reconnectPeriod: 0,
    queueQoSZero: false,
    timerVariant: 'native',
  }
  const client = new Client(() => socket, options)
  const connected = Promise.withResolvers<void>()
  client.on('connect', () => connected.resolve())
  client.on('error', (error) => {
    connected.reject(classified(error))
    lose(classified(error))
  })
  client.on('close', () => {
    connected.reject(new BrokerError('The broker closed the connection.', { isRefusal: false }))
    lose()
  })
  try {
    await connected.promise
    return client
  } catch (error) {
    client.end(true)
    throw error
  }
}

/** By the reason code of MQTT 5. */
const REFUSALS: Record<number, string> = {
  134: LOGIN_REFUSED,
  135: 'The login may not publish to the topic.',
  144: 'The broker does not allow the topic.',
  149: 'The message is longer than the broker allows.',
  151: 'A quota of the broker is used up.',
}

function classified(error: unknown): unknown {
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'number') return error
  return new BrokerError(REFUSALS[code] ?? `The broker refused the message (reason ${code}).`, {
    cause: error,
  })
}

// Discovery of Home Assistant: a retained message that describes each instance as a device, published before its first event on a
// connection. Home Assistant then reads the topics of the events themselves.

/** The prefix of discovery topics that Home Assistant uses by default. */
const PREFIX = 'homeassistant'
/** Instances that were announced on one connection. Beyond it they are announced again. */
const MAX_ANNOUNCED = 10_000

type SendRetained = (
  topic: string,
  payload: string,
  options: { retain?: boolean; properties?: object },
) => Promise<unknown>

/** Only what people see of a message: its text is shortened, because Home Assistant stores states. */
const MESSAGE_TEMPLATE =
  "{{ {'event_type': value_json.data.direction, 'chat': value_json.data.chat, 'type': value_json.data.type, " +
  "'text': (value_json.data.text or '')[:250]} | to_json }}"

function createDiscovery(template: string, send: SendRetained) {
  const announced = new Set<string>()
  return async (event: EventToPublish): Promise<void> => {
    const { instance, displayName } = event
    if (displayName === null || announced.has(instance)) return
    const payload = JSON.stringify(describe(template, instance, displayName))
    await send(`${PREFIX}/device/switchboard_${instance}/config`, payload, { retain: true })
    if (announced.size >= MAX_ANNOUNCED) announced.clear()
    announced.add(instance)
  }
}

const describe = (template: string, instance: string, displayName: string) => {
  const id = (part: string) => `switchboard_${instance}_${part}`
  const topic = (event: string) => topicOf(template, { instance, event })
  return {
    device: { identifiers: [`switchboard_${instance}`], name: displayName, manufacturer: 'Switchboard' },
    origin: { name: 'Switchboard' },
    components: {
      [id('connection')]: {
        platform: 'sensor',
        name: 'Connection',
        unique_id: id('connection'),
        icon: 'mdi:connection',
        entity_category: 'diagnostic',
        state_topic: topic('connection.update'),
        value_template: '{{ value_json.data.state }}',
      },
      [id('message')]: {
        platform: 'event',
        name: 'Message',
        unique_id: id('message'),
        icon: 'mdi:message-text',
        event_types: ['incoming', 'outgoing'],
        state_topic: topic('messages.upsert'),
        value_template: MESSAGE_TEMPLATE,
      },
    },
    qos: 1,
  }
}
