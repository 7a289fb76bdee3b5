// Destinations: queues and streams of a broker that receive events, delivered as webhooks are.
import { z } from 'zod'
import { DELIVERY_STATUSES, Delivery, DeliveryAttempt, DeliveryDetail } from './deliveries.ts'
import { DESTINATION_TYPES } from './destination-types.ts'
import { InstanceNames, instanceName, limit, page, pathId, plainText, success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'
import { WebhookFilter, WebhookFilterBody } from './webhook-filter.ts'
import { DISABLED_REASONS, uniqueEvents, WEBHOOK_EVENTS } from './webhooks.ts'

/** The event name of a test. Destinations cannot subscribe to it, and the event log does not contain it. */
export const DESTINATION_TEST_EVENT = 'destination.test'

const type = z.enum(DESTINATION_TYPES).meta({
  description:
    '`rabbitmq`: an exchange of RabbitMQ · `nats`: a subject of NATS JetStream · `mqtt`: a topic of an MQTT 5 broker · `redis`: a ' +
    'stream of Redis · `sqs`: a queue of Amazon SQS',
})

export const Destination = z
  .object({
    id: z.int(),
    type,
    name: z.string(),
    url: z.string(),
    username: z.string().nullable(),
    hasPassword: z.boolean().meta({ description: 'The password itself is never shown' }),
    topic: z.string().nullable().meta({ description: 'Null with the type `sqs`' }),
    exchange: z.string().nullable().meta({ description: 'Null unless the type is `rabbitmq`' }),
    maxLength: z.int().nullable().meta({ description: 'Null: the stream is not trimmed' }),
    region: z.string().nullable().meta({ description: 'Null unless the type is `sqs`' }),
    homeAssistant: z.boolean(),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    filter: WebhookFilter,
    history: z.boolean().meta({ description: 'Whether messages from the history are delivered' }),
    enabled: z.boolean().meta({ description: 'False: paused, by a request or by the gateway' }),
    failingSince: timestamp.nullable().meta({
      description:
        'Time of the first failure since the last success; null if the last attempt succeeded or there was none',
    }),
    disabledReason: z.enum(DISABLED_REASONS).nullable().meta({
      description:
        'Why the gateway disabled the destination. `failing`: no delivery succeeded for 120 hours. Enabling it clears this field',
    }),
    disabledAt: timestamp.nullable(),
    instance: InstanceNames.nullable().meta({ description: 'Null for all instances of the account' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Destination',
    examples: [
      {
        id: 4,
        type: 'rabbitmq',
        name: 'broker.example.com',
        url: 'amqps://broker.example.com:5671/crm',
        username: 'switchboard',
        hasPassword: true,
        topic: 'switchboard.{instance}.{event}',
        exchange: 'events',
        maxLength: null,
        region: null,
        homeAssistant: false,
        events: ['*'],
        filter: { chats: 'all', from: null, directions: ['outgoing', 'incoming'] },
        history: false,
        enabled: true,
        failingSince: null,
        disabledReason: null,
        disabledAt: null,
        instance: null,
        createdAt: '2026-01-31T12:00:00.000Z',
        updatedAt: '2026-01-31T12:00:00.000Z',
      },
    ],
  })

const common = { tag: 'Destinations' } as const
const OneDestination = z.object({ success, destination: Destination })
const byId = z.strictObject({ id: pathId })
const byDelivery = z.strictObject({ id: pathId, deliveryId: pathId })

export const saveDestination = endpoint({
  ...common,
  summary: 'Create a destination, or update one by its id',
  description:
    'On update, omitted fields stay unchanged; the type cannot be changed. `enabled: false` pauses it: deliveries that were queued ' +
    'before wait. An account can have at most 50 webhooks and destinations together.',
  body: z
    .strictObject({
      id: z
        .int()
        .positive()
        .optional()
        .meta({ description: 'Id of the destination to update; omit it to create one' }),
      type: type.optional(),
      url: z
        .string()
        .max(2048)
        .optional()
        .meta({
          description:
            'Address of the broker, without credentials: `amqps://host/vhost`, `tls://host` for NATS, `mqtts://host`, ' +
            '`rediss://host/0`, or the URL of the queue in SQS. `amqp`, `nats`, `mqtt`, `redis` and `http` only to a host in ' +
            '`ALLOW_TARGETS`. Required to create a destination',
        }),
      username: plainText(1, 128).nullable().optional().meta({
        description: 'Login at the broker; the access key id with the type `sqs`. Null: none',
      }),
      password: z
        .string()
        .min(1)
        .max(512)
        .nullable()
        .optional()
        .meta({
          description:
            'Stored encrypted and never shown; the secret access key with the type `sqs`, a token with the type `nats` if there is ' +
            'no username. To change scheme, host or port of the URL, give it again. Null: none',
        }),
      topic: z
        .string()
        .max(150)
        .optional()
        .meta({
          description:
            'Where messages go: routing key, subject, topic or name of the stream. `{instance}` and `{event}` stand for the API ' +
            'name of the instance and the name of the event. Not with the type `sqs`. Default: docs/destinations.md',
        }),
      exchange: z
        .string()
        .regex(/^[\x21-\x7e]{0,127}$/, {
          error: 'expected up to 127 printable ASCII characters without spaces',
        })
        .optional()
        .meta({
          description:
            'Only with the type `rabbitmq`. Default: the default exchange, where `topic` names a queue',
        }),
      maxLength: z.int().min(100).max(100_000_000).nullable().optional().meta({
        description:
          'Only with the type `redis`: the stream is trimmed to about this many entries, also those that were not read yet',
      }),
      region: z
        .string()
        .regex(/^[a-z0-9-]{1,32}$/, { error: 'expected a region such as eu-central-1' })
        .optional()
        .meta({ description: 'Only with the type `sqs`. Default: the one in the URL' }),
      homeAssistant: z
        .boolean()
        .optional()
        .meta({
          description:
            'Only with the type `mqtt`: announces each instance to Home Assistant as a device. `topic` must contain `{instance}` and ' +
            '`{event}`. Default: false',
        }),
      name: plainText(1, 128).optional(),
      events: uniqueEvents.optional().meta({ description: 'Default: `["*"]`' }),
      instanceName: instanceName.nullable().optional().meta({
        description: 'Only events of this instance; null for all instances. Default on create: all instances',
      }),
      filter: WebhookFilterBody.nullable().optional().meta({
        description:
          'As for webhooks. It replaces the whole filter; null removes it. Default on create: no filter',
      }),
      history: z.boolean().optional().meta({
        description: 'Deliver messages from the history. Default on create: false',
      }),
      enabled: z.boolean().optional().meta({ description: 'Default: true' }),
    })
    .refine((body) => body.id !== undefined || body.type !== undefined, {
      path: ['type'],
      error: 'required to create a destination',
    })
    .refine((body) => body.id !== undefined || body.url !== undefined, {
      path: ['url'],
      error: 'required to create a destination',
    })
    .meta({
      id: 'SaveDestination',
      examples: [
        {
          type: 'rabbitmq',
          url: 'amqps://broker.example.com/crm',
          username: 'switchboard',
          password: 'correct horse battery staple',
          exchange: 'events',
          events: ['messages.upsert'],
        },
      ],
    }),
  answer: OneDestination,
  reasons: [
    'url_not_allowed',
    'instance_not_found',
    'destination_not_found',
    'destination_exists',
    'limit_reached',
  ],
})

export const listDestinations = endpoint({
  ...common,
  summary: 'List destinations',
  openWithoutSubscription: true,
  query: z.strictObject({
    instanceName: instanceName.optional().meta({ description: 'Only destinations of this instance' }),
  }),
  answer: z.object({ success, count: z.int(), destinations: z.array(Destination) }),
  reasons: ['instance_not_found'],
})

export const getDestination = endpoint({
  ...common,
  summary: 'Get a destination',
  params: byId,
  answer: OneDestination,
  reasons: ['destination_not_found'],
})

export const deleteDestination = endpoint({
  ...common,
  summary: 'Delete a destination',
  params: byId,
  answer: z.object({ success, id: z.int() }),
  reasons: ['destination_not_found'],
})

const headersSent = z
  .record(z.string(), z.string())
  .meta({ description: 'The headers, properties or fields of the message beside its body' })

export const testDestination = endpoint({
  ...common,
  live: true,
  summary: 'Send a test message and return what the broker confirmed',
  description:
    'The event `destination.test` is published like any other event, also to a disabled destination. It is sent once, and does not ' +
    'appear in the event log or among the deliveries. A second test at the same time gets 429.',
  params: byId,
  answer: z.object({
    success,
    delivered: z.boolean().meta({ description: 'Whether the broker confirmed it' }),
    attempt: DeliveryAttempt,
    request: z.object({ headers: headersSent, body: z.string() }),
  }),
  reasons: ['destination_not_found'],
})

export const listDestinationDeliveries = endpoint({
  ...common,
  summary: 'List the deliveries of a destination with all attempts, newest event first',
  description: 'Deliveries are kept for 14 days, or longer until their last attempt.',
  openWithoutSubscription: true,
  params: byId,
  query: z.strictObject({ status: z.enum(DELIVERY_STATUSES).optional(), page, limit }),
  answer: z.object({
    success,
    count: z.int(),
    page: z.int(),
    limit: z.int(),
    hasMore: z.boolean(),
    deliveries: z.array(Delivery),
  }),
  reasons: ['destination_not_found'],
})

export const getDestinationDelivery = endpoint({
  ...common,
  summary: 'Get a delivery with its messages and confirmations',
  params: byDelivery,
  answer: z.object({ success, delivery: DeliveryDetail }),
  reasons: ['destination_not_found', 'delivery_not_found'],
})

export const replayDestinationDelivery = endpoint({
  ...common,
  live: true,
  summary: 'Send a delivery again',
  description:
    'The delivery is queued again with the same id, and its retry schedule starts over. While the destination is disabled, it waits.',
  params: byDelivery,
  answer: z.object({ success, delivery: Delivery }),
  reasons: ['destination_not_found', 'delivery_not_found'],
})

export const replayDestination = endpoint({
  ...common,
  live: true,
  summary: 'Send all events since a given time again, in order',
  description:
    'As for webhooks: every event in the log that the destination subscribes to, each with its id. One call replays at most 10,000 ' +
    'events: if `complete` is false, call again with `until` as `since`.',
  params: byId,
  body: z
    .strictObject({ since: timestamp })
    .meta({ id: 'ReplayDestination', examples: [{ since: '2026-01-31T12:00:00.000Z' }] }),
  answer: z.object({
    success,
    queued: z.int().meta({ description: 'Number of events queued' }),
    complete: z.boolean(),
    until: timestamp.nullable().meta({ description: 'Time of the last queued event' }),
  }),
  reasons: ['destination_not_found'],
})
