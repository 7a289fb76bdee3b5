// What differs between the types of destinations: schemes and ports of their URLs, and the fields that only some of them have.

export const DESTINATION_TYPES = ['rabbitmq', 'nats', 'mqtt', 'redis', 'sqs'] as const
export type DestinationType = (typeof DESTINATION_TYPES)[number]

/** Fields that not every type has. */
export const TYPE_FIELDS = ['topic', 'exchange', 'maxLength', 'region', 'homeAssistant'] as const
export type TypeField = (typeof TYPE_FIELDS)[number]

export interface DestinationTraits {
  /** Over TLS. */
  secure: { scheme: string; port: number }
  /** Only to hosts that the operator has named. */
  plain: { scheme: string; port: number }
  fields: readonly TypeField[]
  /** Null: the type has no topic. */
  usualTopic: string | null
}

export const DESTINATIONS: Readonly<Record<DestinationType, DestinationTraits>> = {
  rabbitmq: {
    secure: { scheme: 'amqps', port: 5671 },
    plain: { scheme: 'amqp', port: 5672 },
    fields: ['topic', 'exchange'],
    usualTopic: 'switchboard.{instance}.{event}',
  },
  nats: {
    secure: { scheme: 'tls', port: 4222 },
    plain: { scheme: 'nats', port: 4222 },
    fields: ['topic'],
    usualTopic: 'switchboard.{instance}.{event}',
  },
  mqtt: {
    secure: { scheme: 'mqtts', port: 8883 },
    plain: { scheme: 'mqtt', port: 1883 },
    fields: ['topic', 'homeAssistant'],
    usualTopic: 'switchboard/{instance}/{event}',
  },
  redis: {
    secure: { scheme: 'rediss', port: 6379 },
    plain: { scheme: 'redis', port: 6379 },
    fields: ['topic', 'maxLength'],
    usualTopic: 'switchboard:events',
  },
  sqs: {
    secure: { scheme: 'https', port: 443 },
    plain: { scheme: 'http', port: 80 },
    fields: ['region'],
    usualTopic: null,
  },
}
