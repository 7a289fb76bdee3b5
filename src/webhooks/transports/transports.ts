// The transport of each type of destination. Each one loads its library, so that a gateway without destinations loads none.
import type { DestinationType } from '../../contract/destination-types.ts'
import type { OpenPublisher } from './publisher.ts'

export const TRANSPORTS: Readonly<Record<DestinationType, () => Promise<OpenPublisher>>> = {
  rabbitmq: async () => (await import('./rabbitmq.ts')).openRabbitmq,
  nats: async () => (await import('./nats.ts')).openNats,
  mqtt: async () => (await import('./mqtt.ts')).openMqtt,
  redis: async () => (await import('./redis.ts')).openRedis,
  sqs: async () => (await import('./sqs.ts')).openSqs,
}
