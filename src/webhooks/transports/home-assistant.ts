// Discovery of Home Assistant: a retained message that describes each instance as a device, published before its first event on a
// connection. Home Assistant then reads the topics of the events themselves.
import type { EventToPublish } from '../../context.ts'
import { topicOf } from '../rules-destination-options.ts'

/** The prefix of discovery topics that Home Assistant uses by default. */
const PREFIX = 'homeassistant'
/** Instances that were announced on one connection. Beyond it they are announced again. */
const MAX_ANNOUNCED = 10_000

export type SendRetained = (
  topic: string,
  payload: string,
  options: { retain?: boolean; properties?: object },
) => Promise<unknown>

/** Only what people see of a message: its text is shortened, because Home Assistant stores states. */
const MESSAGE_TEMPLATE =
  "{{ {'event_type': value_json.data.direction, 'chat': value_json.data.chat, 'type': value_json.data.type, " +
  "'text': (value_json.data.text or '')[:250]} | to_json }}"

export function createDiscovery(template: string, send: SendRetained) {
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
