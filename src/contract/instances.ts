// Instances: their records and the endpoints that make, connect, watch and remove them (spec 2.1, 2.2, 4.2, decisions 5).
import { z } from 'zod'
import {
  InstanceNames,
  InstanceReference,
  instanceName,
  number,
  plainText,
  success,
  timestamp,
} from './fields.ts'
import { route } from './route.ts'

export const CONNECTION_STATES = ['connecting', 'open', 'close'] as const
export type ConnectionState = (typeof CONNECTION_STATES)[number]

export const STATE_REASONS = [
  'awaiting_scan',
  'qr_expired',
  'logged_out',
  'replaced',
  'restricted',
  'network_lost',
  'stopped',
] as const
export type StateReason = (typeof STATE_REASONS)[number]

const stateReason = z
  .enum(STATE_REASONS)
  .nullable()
  .meta({ description: 'Why the instance is in this state, where there is more to say' })

const profile = {
  profileName: z.string().nullable(),
  profilePictureUrl: z.string().nullable(),
  profilePicUrl: z.string().nullable().meta({ description: 'Alias of profilePictureUrl' }),
  number: z.string().nullable().meta({ description: 'Detected number, digits with country code' }),
  owner: z.string().nullable().meta({ description: 'Network identifier of the connected account' }),
  integration: z.string().nullable(),
}

export const Instance = z
  .object({
    id: z.int(),
    ...InstanceNames.shape,
    state: z.enum(CONNECTION_STATES),
    status: z.enum(CONNECTION_STATES),
    stateReason,
    isConnected: z.boolean(),
    ...profile,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Instance',
    examples: [
      {
        id: 1,
        instanceName: 'Support',
        displayName: 'Support',
        apiInstanceName: 'support-k3v9x2ma',
        internalName: 'support-k3v9x2ma',
        state: 'open',
        status: 'open',
        stateReason: null,
        isConnected: true,
        profileName: 'Support',
        profilePictureUrl: null,
        profilePicUrl: null,
        number: '5511912345678',
        owner: '5511912345678@s.whatsapp.net',
        integration: 'whatsapp',
        createdAt: '2026-01-31T12:00:00.000Z',
        updatedAt: '2026-01-31T12:00:00.000Z',
      },
    ],
  })

export const InstanceState = z
  .object({
    ...InstanceNames.shape,
    state: z.enum(CONNECTION_STATES),
    stateReason,
    ...profile,
  })
  .meta({ id: 'InstanceState', description: 'Normalized state of an instance' })

const byName = z.strictObject({ instanceName })
const InstanceShort = z.object({ id: z.int(), instanceName: z.string(), displayName: z.string() })

const common = { area: 'api', tag: 'Instances', scopes: ['instances'] } as const

export const instanceState = route({
  ...common,
  id: 'instanceState',
  method: 'GET',
  path: '/instance/state',
  summary: 'Read the connection state of an instance',
  query: byName,
  answer: z.object({
    success,
    data: z.object({ instance: z.object({ instanceName: z.string(), state: z.enum(CONNECTION_STATES) }) }),
    instance: InstanceState,
  }),
  reasons: ['instance_not_found'],
})

export const listInstances = route({
  ...common,
  id: 'listInstances',
  method: 'GET',
  path: '/instance/list',
  summary: 'List all instances of the account',
  openWithoutSubscription: true,
  answer: z.object({ success, count: z.int(), instances: z.array(Instance) }),
  reasons: [],
})

export const createInstance = route({
  ...common,
  id: 'createInstance',
  method: 'POST',
  path: '/instance/create',
  summary: 'Create an instance and start pairing',
  body: z
    .strictObject({
      instanceName: plainText(1, 64)
        .refine((name) => name.trim() !== '', { error: 'must not be blank' })
        .meta({ description: 'Display name' }),
      integration: plainText(1, 64).optional().meta({ description: 'Name of the integration kind in use' }),
    })
    .meta({ id: 'CreateInstance', examples: [{ instanceName: 'Support' }] }),
  answer: z.object({ success, instance: Instance }),
  reasons: ['limit_reached'],
})

export const connectInstance = route({
  ...common,
  id: 'connectInstance',
  method: 'POST',
  path: '/instance/connect',
  summary: 'Start or restart pairing, by QR or by code',
  query: byName,
  body: z
    .strictObject({
      number: number.optional().meta({ description: 'Ask for a pairing code for this number' }),
    })
    .default({})
    .meta({ examples: [{ number: '5511912345678' }] }),
  answer: z.object({
    success,
    instance: Instance,
    qr: z.object({ code: z.string(), expiresAt: timestamp }).nullable(),
    pairingCode: z.string().nullable().meta({ description: '8 characters to type on the phone' }),
  }),
  reasons: ['instance_not_found', 'instance_already_connected', 'network_timeout'],
})

export const restartInstance = route({
  ...common,
  id: 'restartInstance',
  method: 'POST',
  path: '/instance/restart',
  summary: 'Drop and reopen the connection, keeping the login',
  query: byName,
  answer: z.object({ success, instance: Instance }),
  reasons: ['instance_not_found', 'instance_not_connected'],
})

export const logoutInstance = route({
  ...common,
  id: 'logoutInstance',
  method: 'DELETE',
  path: '/instance/logout',
  summary: 'Log out and destroy the session data',
  query: byName,
  answer: z.object({
    success,
    message: z.string(),
    instance: InstanceShort,
    connectionState: z.enum(CONNECTION_STATES),
  }),
  reasons: ['instance_not_found'],
})

export const deleteInstance = route({
  ...common,
  id: 'deleteInstance',
  method: 'DELETE',
  path: '/instance/delete',
  summary: 'Delete an instance that is logged out',
  query: byName,
  answer: z.object({
    success,
    message: z.string(),
    instance: InstanceShort,
    connectionState: z.enum(CONNECTION_STATES).meta({ description: 'Last state before deletion' }),
    instanceDeleted: z.boolean(),
    instanceMissing: z.boolean().meta({ description: 'True when it was already gone' }),
  }),
  reasons: ['instance_not_found', 'instance_still_connected'],
})

const HourOfMessages = z
  .object({
    hour: timestamp.meta({ description: 'When the hour began' }),
    sent: z.int().meta({ description: 'Outgoing, but for those that failed' }),
    received: z.int(),
    failed: z.int(),
  })
  .meta({ id: 'HourOfMessages' })

export const instanceActivity = route({
  ...common,
  id: 'instanceActivity',
  method: 'GET',
  path: '/instance/activity',
  summary: 'How busy an instance is: what waits, what failed last, and the messages of the last 24 hours',
  query: byName,
  answer: z.object({
    success,
    instance: InstanceReference,
    queued: z.int().meta({ description: 'Messages that wait to be sent' }),
    lastFailure: z
      .object({
        messageId: z.string(),
        reason: z.string(),
        error: z.string(),
        code: z.int().nullable(),
        failedAt: timestamp,
      })
      .nullable()
      .meta({ description: 'Among the messages that were counted' }),
    hours: z
      .array(HourOfMessages)
      .length(24)
      .meta({ description: 'Oldest first; the last one is under way' }),
    isPartial: z
      .boolean()
      .meta({ description: 'There were too many to count them all: only the latest are in' }),
  }),
  reasons: ['instance_not_found'],
})

const image = {
  ...common,
  tag: 'Images',
  scopes: ['images', 'instances'],
  method: 'GET',
  keyInQuery: true,
} as const
const imageQuery = z.strictObject({
  instanceName,
  apiKey: z.string().optional().meta({ description: 'The key, for image tags; prefer the header' }),
})

export const qrImage = route({
  ...image,
  id: 'qrImage',
  path: '/instance/qr/image',
  summary: 'The login QR code as an image',
  query: imageQuery,
  answer: { file: true, contentTypes: ['image/png'], description: 'QR code' },
  reasons: ['instance_not_found', 'instance_already_connected', 'qr_not_ready'],
})

export const profilePicture = route({
  ...image,
  id: 'profilePicture',
  path: '/instance/profile-picture',
  summary: 'The profile picture of the connected account',
  query: imageQuery,
  answer: {
    file: true,
    contentTypes: ['image/jpeg', 'image/png', 'image/webp'],
    description: 'Profile picture',
  },
  reasons: ['instance_not_found', 'profile_picture_not_found', 'network_timeout'],
})
