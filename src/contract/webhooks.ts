// Webhooks: where events are delivered (spec 2.4, 4.5, decisions 8).
import { z } from 'zod'
import { EVENT_NAMES } from './events.ts'
import { InstanceNames, instanceName, pathId, plainText, success, timestamp } from './fields.ts'
import { route } from './route.ts'

export const WEBHOOK_EVENTS = ['*', ...EVENT_NAMES] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** Why a webhook was disabled by the gateway itself. */
export const DISABLED_REASONS = ['gone', 'failing'] as const

export const Webhook = z
  .object({
    id: z.int(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    enabled: z.boolean(),
    secret: z
      .string()
      .meta({ description: 'Whole on create and update; elsewhere masked but for the last 4' }),
    previousSecretExpiresAt: timestamp.nullable().meta({
      description: 'Until then deliveries are signed with the secret before, too',
    }),
    failingSince: timestamp.nullable().meta({
      description: 'The first of nothing but failures; null: the last try arrived, or none was made',
    }),
    disabledReason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .meta({
        description:
          'Why the gateway disabled it: `gone`, the receiver answered 410 · `failing`, nothing arrived for 120 hours. ' +
          'Null: it did not. Enable it again to clear this',
      }),
    disabledAt: timestamp.nullable(),
    instance: InstanceNames.nullable().meta({ description: 'Null: all instances of the account' }),
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

const common = { area: 'api', tag: 'Webhooks', scopes: ['webhooks'] } as const
const OneWebhook = z.object({ success, webhook: Webhook })
const byId = z.strictObject({ id: pathId })

export const saveWebhook = route({
  ...common,
  id: 'saveWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Create a webhook, or update one by its id',
  description: 'On update, what is omitted stays. At most 50 webhooks an account.',
  body: z
    .strictObject({
      id: z.int().positive().optional().meta({ description: 'Update this webhook; omit to create' }),
      url: z.string().max(2048).optional().meta({ description: 'HTTPS URL; required to create' }),
      name: plainText(1, 128).optional(),
      events: z
        .array(z.enum(WEBHOOK_EVENTS))
        .min(1)
        .max(WEBHOOK_EVENTS.length)
        .refine((events) => new Set(events).size === events.length, { error: 'events must be distinct' })
        .optional()
        .meta({ description: 'Default: `["*"]`' }),
      instanceName: instanceName
        .optional()
        .meta({ description: 'Only events of this instance; omit for all' }),
      enabled: z.boolean().optional().meta({ description: 'Default: true' }),
      secret: z
        .string()
        .regex(/^[\x20-\x7e]{16,256}$/, { error: 'expected 16 to 256 printable ASCII characters' })
        .optional()
        .meta({ description: 'Your own signing secret; omitted: one is made' }),
    })
    .refine((body) => body.id !== undefined || body.url !== undefined, {
      path: ['url'],
      error: 'required to create',
    })
    .meta({
      id: 'SaveWebhook',
      examples: [
        { url: 'https://example.com/hooks/switchboard', events: ['messages.upsert', 'messages.update'] },
      ],
    }),
  answer: OneWebhook,
  reasons: ['url_not_allowed', 'instance_not_found', 'webhook_not_found', 'webhook_exists', 'limit_reached'],
})

export const listWebhooks = route({
  ...common,
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhooks, secrets masked',
  openWithoutSubscription: true,
  query: z.strictObject({
    instanceName: instanceName.optional().meta({ description: 'Only those of this instance' }),
  }),
  answer: z.object({ success, count: z.int(), webhooks: z.array(Webhook) }),
  reasons: ['instance_not_found'],
})

export const getWebhook = route({
  ...common,
  id: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{id}',
  summary: 'Read a webhook, its secret masked',
  params: byId,
  answer: OneWebhook,
  reasons: ['webhook_not_found'],
})

export const rotateWebhookSecret = route({
  ...common,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{id}/rotate-secret',
  summary: 'Replace the secret of a webhook, and show the new one',
  description:
    'For `overlapHours` deliveries are signed with both: `X-Service-Signature-Previous` has the old signature, and ' +
    '`webhook-signature` has two values.',
  params: byId,
  body: z
    .strictObject({
      overlapHours: z
        .int()
        .min(0)
        .max(168)
        .default(24)
        .meta({ description: 'How long the old secret signs on' }),
    })
    .default({ overlapHours: 24 })
    .meta({ id: 'RotateWebhookSecret', examples: [{ overlapHours: 24 }] }),
  answer: OneWebhook,
  reasons: ['webhook_not_found'],
})

export const deleteWebhook = route({
  ...common,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{id}',
  summary: 'Delete a webhook',
  params: byId,
  answer: z.object({ success, id: z.int() }),
  reasons: ['webhook_not_found'],
})
