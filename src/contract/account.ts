// The caller's own account: plan, subscription, limits and API keys.
import { z } from 'zod'
import { pathId, plainText, rotationBody, success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'
import { SCOPES } from './scopes.ts'
import { wallFields } from './walls.ts'

export const UNLIMITED = 'Unlimited'
export const INTERVALS = ['day', 'week', 'month', 'year'] as const
export type Interval = (typeof INTERVALS)[number]

export const SUBSCRIPTION_STATUSES = [
  'active',
  'trialing',
  'past_due',
  'canceled',
  'expired',
  'pending',
] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

export const RESOURCES = ['users', 'contacts', 'instances', 'messages'] as const
export type Resource = (typeof RESOURCES)[number]

export const Features = z
  .object({
    ai: z.boolean(),
    flowBuilder: z.boolean(),
    campaigns: z.boolean(),
    templates: z.boolean(),
    voiceCalls: z.boolean(),
  })
  .meta({ id: 'Features' })

const amountOrUnlimited = z.union([z.int(), z.literal(UNLIMITED)])

export const ResourceLimit = z
  .object({
    limit: amountOrUnlimited,
    used: z.int(),
    remaining: amountOrUnlimited,
    isLimitReached: z.boolean(),
  })
  .meta({ id: 'ResourceLimit' })

export const Subscription = z
  .object({
    status: z.enum(SUBSCRIPTION_STATUSES),
    hasAccess: z.boolean(),
    isExpired: z.boolean(),
    isTrial: z.boolean(),
    isCancelled: z.boolean(),
    isPending: z.boolean(),
    isPastDue: z.boolean(),
    effectiveExpiry: timestamp.nullable(),
    currentPeriodEnd: timestamp.nullable(),
    trialEndsAt: timestamp.nullable(),
    expiresAt: timestamp.nullable(),
  })
  .meta({ id: 'Subscription' })

export const accountLimits = endpoint({
  tag: 'Account',
  summary: 'Get plan, subscription, usage and limits',
  openWithoutSubscription: true,
  answer: z
    .object({
      success,
      account: z.object({ teamId: z.int(), teamName: z.string() }),
      plan: z.object({
        id: z.int(),
        name: z.string(),
        interval: z.enum(INTERVALS),
        currency: z.string().meta({ description: 'Currency code in lower case' }),
        amount: z.int().meta({ description: 'Price in the smallest unit of the currency' }),
      }),
      subscription: Subscription,
      limits: z.object({
        users: ResourceLimit.nullable(),
        contacts: ResourceLimit.nullable(),
        instances: ResourceLimit.nullable(),
        messages: ResourceLimit.nullable().meta({
          description: 'Null if the plan does not meter messages',
        }),
      }),
      features: Features,
    })
    .meta({ id: 'AccountLimits' }),
  reasons: [],
})

export const ApiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    hint: z.string().meta({ description: 'The first and last characters of the key' }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'Empty means all scopes' }),
    ...wallFields,
    createdAt: timestamp,
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' })

const shownOnce = z.string().meta({
  description: 'The API key. It is shown only once and cannot be retrieved later.',
})
export const NewApiKeyBody = z
  .strictObject({
    name: plainText(1, 64),
    scopes: z
      .array(z.enum(SCOPES))
      .max(SCOPES.length)
      .default([])
      .meta({ description: 'Empty means all scopes' }),
    ...wallFields,
    expiresAt: timestamp
      .nullable()
      .default(null)
      .meta({ description: 'A time in the future; null if the key does not expire' }),
  })
  .meta({
    id: 'CreateApiKey',
    examples: [
      { name: 'Shop back end', scopes: ['send'] },
      {
        name: 'Agent',
        scopes: ['read', 'send'],
        instances: ['support-k3v9x2ma'],
        chats: ['5511912345678@s.whatsapp.net'],
        messagesPerDay: 100,
        approval: true,
      },
    ],
  })
export const RotateApiKeyBody = rotationBody('RotateApiKey', 'How many hours the old key stays valid')

export const ApiKeyList = z.object({ success, count: z.int(), apiKeys: z.array(ApiKey) })
export const ApiKeyCreated = z.object({ success, apiKey: ApiKey, key: shownOnce })
export const ApiKeyRevoked = z.object({ success, apiKey: ApiKey })

const keys = { tag: 'API keys' } as const
const byId = z.strictObject({ id: pathId })

export const listApiKeys = endpoint({
  ...keys,
  summary: 'List the API keys of the account',
  openWithoutSubscription: true,
  answer: ApiKeyList,
  reasons: [],
})

export const currentApiKey = endpoint({
  ...keys,
  summary: 'Get the API key of this request: its scopes, walls and instances',
  description: 'Every valid key can call this. The answer never contains the key itself.',
  openWithoutSubscription: true,
  answer: z.object({
    success,
    apiKey: ApiKey,
    instances: z.array(z.object({ apiInstanceName: z.string(), displayName: z.string() })).meta({
      description: 'The instances that the key can name in requests; empty if its scopes need none',
    }),
  }),
  reasons: [],
})

export const createApiKey = endpoint({
  ...keys,
  summary: 'Create an API key',
  body: NewApiKeyBody,
  answer: ApiKeyCreated,
  reasons: [],
})

export const revokeApiKey = endpoint({
  ...keys,
  summary: 'Revoke an API key; takes effect within a second',
  params: byId,
  answer: ApiKeyRevoked,
  reasons: ['api_key_not_found', 'last_key'],
})

export const rotateApiKey = endpoint({
  ...keys,
  summary: 'Replace an API key; the old one stays valid for `overlapHours`',
  params: byId,
  body: RotateApiKeyBody,
  answer: ApiKeyCreated,
  reasons: ['api_key_not_found', 'rotated_meanwhile'],
})
