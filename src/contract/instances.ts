// Instances: their records, and the endpoints that create, connect, monitor and delete them.
import { z } from 'zod'
import {
  InstanceNames,
  InstanceReference,
  instanceName,
  keyInQuery,
  number,
  PICTURE_TYPES,
  pictureVersion,
  plainText,
  success,
  timestamp,
} from './fields.ts'
import { PasskeyState } from './passkey.ts'
import { endpoint } from './route.ts'

export const CONNECTION_STATES = ['connecting', 'open', 'close'] as const
export type ConnectionState = (typeof CONNECTION_STATES)[number]

export const STATE_REASONS = [
  'awaiting_scan',
  'qr_expired',
  'awaiting_passkey',
  'passkey_sent',
  'awaiting_passkey_confirmation',
  'passkey_disabled',
  'passkey_expired',
  'passkey_refused',
  'passkey_unanswered',
  'passkey_lost',
  'passkey_cancelled',
  'logged_out',
  'replaced',
  'bad_session',
  'temporarily_banned',
  'client_outdated',
  'restricted',
  'network_lost',
  'proxy_unreachable',
  'proxy_refused',
  'stopped',
  'held',
] as const
export type StateReason = (typeof STATE_REASONS)[number]

const stateReason = z
  .enum(STATE_REASONS)
  .nullable()
  .meta({ description: 'Why the instance is in this state; null if there is no particular reason' })

const stateReasonUntil = timestamp.nullable().meta({
  description:
    'When the reason ends, if known: the end of a ban or restriction, the next attempt to connect after `replaced`, or the time ' +
    'left for a passkey',
})

const profile = {
  profileName: z.string().nullable(),
  profilePictureUrl: z.string().nullable().meta({
    description: 'URL of the profile picture on this gateway; null if none is known',
  }),
  profilePicUrl: z.string().nullable().meta({ description: 'Alias of profilePictureUrl' }),
  number: z
    .string()
    .nullable()
    .meta({ description: 'Number of the connected account: digits with country code' }),
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
    stateReasonUntil,
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
        stateReasonUntil: null,
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
    stateReasonUntil,
    ...profile,
  })
  .meta({ id: 'InstanceState', description: 'Normalized state of an instance' })

const passkey = PasskeyState.nullable().meta({
  description:
    'The passkey step, while the network demands one; null otherwise, and for a key without the scope `instances:manage`',
})

const byName = z.strictObject({ instanceName })
const InstanceShort = z.object({ id: z.int(), instanceName: z.string(), displayName: z.string() })

const common = { tag: 'Instances' } as const

export const instanceState = endpoint({
  ...common,
  summary: 'Get the connection state of an instance',
  query: byName,
  answer: z.object({
    success,
    data: z.object({ instance: z.object({ instanceName: z.string(), state: z.enum(CONNECTION_STATES) }) }),
    instance: InstanceState,
    passkey,
  }),
  reasons: ['instance_not_found'],
})

export const listInstances = endpoint({
  ...common,
  summary: 'List all instances of the account',
  openWithoutSubscription: true,
  answer: z.object({ success, count: z.int(), instances: z.array(Instance) }),
  reasons: [],
})

export const createInstance = endpoint({
  ...common,
  live: true,
  summary: 'Create an instance and start pairing',
  body: z
    .strictObject({
      instanceName: plainText(1, 64)
        .refine((name) => name.trim() !== '', { error: 'must not be blank' })
        .meta({ description: 'Display name' }),
      integration: plainText(1, 64).optional().meta({ description: 'Name of the integration' }),
    })
    .meta({ id: 'CreateInstance', examples: [{ instanceName: 'Support' }] }),
  answer: z.object({ success, instance: Instance }),
  reasons: ['limit_reached'],
})

export const connectInstance = endpoint({
  ...common,
  live: true,
  summary: 'Start or restart pairing, by QR code or pairing code',
  query: byName,
  body: z
    .strictObject({
      number: number
        .optional()
        .meta({ description: 'Request a pairing code for this number instead of a QR code' }),
    })
    .default({})
    .meta({ examples: [{ number: '5511912345678' }] }),
  answer: z.object({
    success,
    instance: Instance,
    qr: z.object({ code: z.string(), expiresAt: timestamp }).nullable(),
    pairingCode: z.string().nullable().meta({ description: '8 characters to enter on the phone' }),
    passkey,
  }),
  reasons: [
    'instance_not_found',
    'instance_already_connected',
    'refused_by_network',
    'network_timeout',
    'outcome_unknown',
  ],
})

export const restartInstance = endpoint({
  ...common,
  live: true,
  summary: 'Reconnect without logging out',
  query: byName,
  answer: z.object({ success, instance: Instance }),
  reasons: ['instance_not_found', 'instance_not_connected'],
})

export const logoutInstance = endpoint({
  ...common,
  live: true,
  summary: 'Log out and delete the session data',
  query: byName,
  answer: z.object({
    success,
    message: z.string(),
    instance: InstanceShort,
    connectionState: z.enum(CONNECTION_STATES),
  }),
  reasons: ['instance_not_found'],
})

export const deleteInstance = endpoint({
  ...common,
  summary: 'Delete an instance that is logged out',
  query: byName,
  answer: z.object({
    success,
    message: z.string(),
    instance: InstanceShort,
    connectionState: z.enum(CONNECTION_STATES).meta({ description: 'Last state before the deletion' }),
    instanceDeleted: z.boolean(),
    instanceMissing: z.boolean().meta({ description: 'True if the instance no longer existed' }),
  }),
  reasons: ['instance_not_found', 'instance_still_connected'],
})

const HourOfMessages = z
  .object({
    hour: timestamp.meta({ description: 'Start of the hour' }),
    sent: z.int().meta({ description: 'Outgoing messages that did not fail' }),
    received: z.int(),
    failed: z.int().meta({ description: 'Without messages that were canceled or rejected' }),
  })
  .meta({ id: 'HourOfMessages' })

export const instanceActivity = endpoint({
  ...common,
  summary:
    'Get the activity of an instance: queued messages, last failure, messages per hour of the last 24 hours',
  query: byName,
  answer: z.object({
    success,
    instance: InstanceReference,
    queued: z.int().meta({ description: 'Number of messages in the queue' }),
    lastFailure: z
      .object({
        messageId: z.string(),
        reason: z.string(),
        error: z.string(),
        code: z.int().nullable(),
        failedAt: timestamp,
      })
      .nullable()
      .meta({ description: 'The last failure among the counted messages' }),
    hours: z
      .array(HourOfMessages)
      .length(24)
      .meta({ description: 'Oldest first; the last one is the current hour' }),
    isPartial: z
      .boolean()
      .meta({ description: 'True if there were too many messages: only the latest are counted' }),
  }),
  reasons: ['instance_not_found'],
})

const image = { tag: 'Images', keyInQuery: true } as const
const imageQuery = z.strictObject({ instanceName, apiKey: keyInQuery })

export const qrImage = endpoint({
  ...image,
  live: true,
  summary: 'Get the login QR code as an image',
  query: imageQuery,
  answer: { file: true, contentTypes: ['image/png'], description: 'QR code' },
  reasons: ['instance_not_found', 'instance_already_connected', 'passkey_pending', 'qr_not_ready'],
})

export const profilePicture = endpoint({
  ...image,
  summary: 'Get the profile picture of the connected account',
  query: imageQuery.extend({ v: pictureVersion }),
  answer: { file: true, contentTypes: PICTURE_TYPES, description: 'Profile picture' },
  reasons: [
    'instance_not_found',
    'profile_picture_not_found',
    'refused_by_network',
    'network_timeout',
    'gateway_held',
  ],
})
