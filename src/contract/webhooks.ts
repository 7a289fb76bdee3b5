// Webhooks: the receivers of events.
import { z } from 'zod'
import { EVENT_NAMES } from './events.ts'
import { InstanceNames, instanceName, pathId, plainText, rotationBody, success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'
import { WebhookFilter, WebhookFilterBody } from './webhook-filter.ts'

export const WEBHOOK_EVENTS = ['*', ...EVENT_NAMES] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** The forms of deliveries: that of this API, and that of a dialect (docs/compat). */
export const WEBHOOK_FORMATS = ['switchboard', 'evolution', 'cloud', 'chatwoot'] as const

/** The events that a receiver subscribes to. */
export const uniqueEvents = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .refine((events) => new Set(events).size === events.length, {
    error: 'each event must be given only once',
  })

/** Those that a request can ask for. */
export const CHOSEN_FORMATS = ['switchboard', 'cloud'] as const

/** Why the gateway disabled a webhook. */
export const DISABLED_REASONS = ['gone', 'failing'] as const

export const Webhook = z
  .object({
    id: z.int(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    filter: WebhookFilter,
    history: z.boolean().meta({ description: 'Whether messages from the history are delivered' }),
    batch: z.boolean().meta({ description: 'Whether several events are posted in one request' }),
    format: z.enum(WEBHOOK_FORMATS).meta({
      description:
        'The form of its deliveries. `evolution`: set by a client of the Evolution dialect. `cloud`: the webhook of the Cloud API. ' +
        '`chatwoot`: the bridge of an instance to Chatwoot, which PUT /chatwoot/{instanceName} has set up and changes',
    }),
    enabled: z.boolean(),
    secret: z.string().meta({
      description:
        'The whole secret in responses to create, update and rotate; otherwise only the last 4 characters',
    }),
    previousSecretExpiresAt: timestamp.nullable().meta({
      description: 'Until then deliveries are also signed with the previous secret',
    }),
    failingSince: timestamp.nullable().meta({
      description:
        'Time of the first failure since the last success; null if the last attempt succeeded or there was none',
    }),
    disabledReason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .meta({
        description:
          'Why the gateway disabled the webhook. `gone`: the receiver answered 410 · `failing`: no delivery succeeded for 120 ' +
          'hours. Null if the gateway did not disable it. Enabling the webhook clears this field',
      }),
    disabledAt: timestamp.nullable(),
    instance: InstanceNames.nullable().meta({ description: 'Null for all instances of the account' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Webhook',
    examples: [
      {
        id: 3,
        name: 'example.com',
        url: 'https://example.com/hooks/switchboard',
        events: ['messages.upsert'],
        filter: { chats: 'people', from: null, directions: ['incoming'] },
        history: false,
        batch: false,
        format: 'switchboard',
        enabled: true,
        secret: '********9f3a',
        previousSecretExpiresAt: null,
        failingSince: null,
        disabledReason: null,
        disabledAt: null,
        instance: null,
        createdAt: '2026-01-31T12:00:00.000Z',
        updatedAt: '2026-01-31T12:00:00.000Z',
      },
    ],
  })

const common = { tag: 'Webhooks' } as const
const OneWebhook = z.object({ success, webhook: Webhook })
const byId = z.strictObject({ id: pathId })

export const saveWebhook = endpoint({
  ...common,
  summary: 'Create a webhook, or update one by its id',
  description:
    'On update, omitted fields stay unchanged; `instanceName: null` extends the webhook to all instances. An account can have ' +
    'at most 50 webhooks and destinations together.',
  body: z
    .strictObject({
      id: z
        .int()
        .positive()
        .optional()
        .meta({ description: 'Id of the webhook to update; omit it to create a webhook' }),
      url: z
        .string()
        .max(2048)
        .optional()
        .meta({
          description:
            'HTTPS URL, or HTTP to a host in `ALLOW_TARGETS`; required to create a webhook. Headers and tokens that are stored ' +
            'with the webhook are not sent to another origin',
        }),
      name: plainText(1, 128).optional(),
      events: uniqueEvents.optional().meta({ description: 'Default: `["*"]`' }),
      instanceName: instanceName.nullable().optional().meta({
        description: 'Only events of this instance; null for all instances. Default on create: all instances',
      }),
      filter: WebhookFilterBody.nullable().optional().meta({
        description:
          'Which of these events are delivered. It replaces the whole filter; null removes it. Default on create: no filter',
      }),
      history: z.boolean().optional().meta({
        description:
          'Deliver messages from the history, whose `messages.upsert` has `historical: true`. Default on create: false',
      }),
      batch: z
        .boolean()
        .optional()
        .meta({
          description:
            'Post up to 100 events in one request, as `EventBatch`: the events of 50 ms, of all instances of the webhook, signed as one. ' +
            'Only with the format `switchboard`. Default on create: false',
        }),
      enabled: z.boolean().optional().meta({ description: 'Default: true' }),
      secret: z
        .string()
        .regex(/^[\x20-\x7e]{16,256}$/, { error: 'expected 16 to 256 printable ASCII characters' })
        .optional()
        .meta({ description: 'Your own signing secret; generated if omitted' }),
      format: z
        .enum(CHOSEN_FORMATS)
        .optional()
        .meta({
          description:
            'The form of its deliveries. `cloud`: that of the Cloud API, signed with the secret in `X-Hub-Signature-256` as well. ' +
            'Without `events` and `filter`, such a webhook gets the messages of people. Default on create: `switchboard`',
        }),
      verifyToken: z
        .string()
        .regex(/^[\x21-\x7e]{1,256}$/, {
          error: 'expected 1 to 256 printable ASCII characters without spaces',
        })
        .optional()
        .meta({
          description:
            'With the format `cloud`: the receiver must answer `GET` with `hub.mode=subscribe`, this `hub.verify_token` and a ' +
            '`hub.challenge` with that challenge, before the webhook is stored. Not shown again. ' +
            'To change scheme, host or port of the URL, give it again',
        }),
    })
    .refine((body) => body.id !== undefined || body.url !== undefined, {
      path: ['url'],
      error: 'required to create a webhook',
    })
    .refine((body) => body.format !== 'cloud' || body.id !== undefined || body.verifyToken !== undefined, {
      path: ['verifyToken'],
      error: 'required with the format cloud',
    })
    .refine((body) => body.verifyToken === undefined || body.id !== undefined || body.format === 'cloud', {
      path: ['verifyToken'],
      error: 'only with the format cloud',
    })
    .refine((body) => body.batch !== true || body.format !== 'cloud', {
      path: ['batch'],
      error: 'only with the format switchboard',
    })
    .meta({
      id: 'SaveWebhook',
      examples: [
        {
          url: 'https://example.com/hooks/switchboard',
          events: ['messages.upsert', 'messages.update'],
          filter: { chats: 'people', directions: ['incoming'] },
        },
      ],
    }),
  answer: OneWebhook,
  reasons: [
    'url_not_allowed',
    'webhook_not_verified',
    'instance_not_found',
    'webhook_not_found',
    'webhook_exists',
    'limit_reached',
  ],
})

export const listWebhooks = endpoint({
  ...common,
  summary: 'List webhooks with masked secrets',
  openWithoutSubscription: true,
  query: z.strictObject({
    instanceName: instanceName.optional().meta({ description: 'Only webhooks of this instance' }),
  }),
  answer: z.object({ success, count: z.int(), webhooks: z.array(Webhook) }),
  reasons: ['instance_not_found'],
})

export const getWebhook = endpoint({
  ...common,
  summary: 'Get a webhook with its secret masked',
  params: byId,
  answer: OneWebhook,
  reasons: ['webhook_not_found'],
})

export const rotateWebhookSecret = endpoint({
  ...common,
  summary: 'Replace the secret of a webhook and return the new one',
  description:
    'During `overlapHours`, deliveries are signed with both secrets: `X-Service-Signature-Previous` has the signature with the old ' +
    'secret, and `webhook-signature` has two values.',
  params: byId,
  body: rotationBody('RotateWebhookSecret', 'How many hours deliveries are also signed with the old secret'),
  answer: OneWebhook,
  reasons: ['webhook_not_found', 'rotated_meanwhile'],
})

export const deleteWebhook = endpoint({
  ...common,
  summary: 'Delete a webhook',
  params: byId,
  answer: z.object({ success, id: z.int() }),
  reasons: ['webhook_not_found'],
})
