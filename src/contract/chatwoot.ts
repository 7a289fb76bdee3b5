// The bridge of an instance to an inbox of Chatwoot (docs/chatwoot.md).
import { z } from 'zod'
import { addressFields, withAddressFilter } from './chat-address.ts'
import { InstanceNames, instanceName, plainText, success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'

const MEANINGS = {
  signAgentNames: 'Put the name of the agent, in bold, before each text to the customer',
  ignoreGroups: 'Leave groups out',
  reopenConversation:
    'Continue the conversation of a person when it was resolved. False: the next message begins a new one',
  conversationPending: 'New conversations are `pending` instead of `open`, for a bot to answer first',
  gatewayUrl: 'How Chatwoot reaches this gateway',
} as const

const whole = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

export const SaveChatwootBody = z
  .strictObject({
    url: z
      .string()
      .max(2048)
      .meta({ description: 'HTTPS URL of Chatwoot', examples: ['https://chatwoot.example.com'] }),
    accountId: whole.meta({
      description: 'Id of the account in Chatwoot: the number in the URL of its dashboard',
    }),
    token: z
      .string()
      .regex(/^[\x21-\x7e]{8,256}$/, { error: 'expected 8 to 256 printable ASCII characters' })
      .optional()
      .meta({
        description:
          'Access token of an administrator in Chatwoot. It is stored encrypted and never shown. Omitted: unchanged. ' +
          'To change scheme, host or port of the URL, give it again',
      }),
    inboxName: plainText(1, 128).optional().meta({
      description: 'Name of the API inbox; created if there is none. Default: the name of the instance',
    }),
    inboxId: whole.optional().meta({ description: 'An existing API inbox, in place of its name' }),
    gatewayUrl: z
      .string()
      .max(1024)
      .optional()
      .meta({ description: `${MEANINGS.gatewayUrl}. Default: \`PUBLIC_URL\`` }),
    enabled: z.boolean().default(true),
    signAgentNames: z.boolean().default(false).meta({ description: MEANINGS.signAgentNames }),
    ignoreGroups: z.boolean().default(false).meta({ description: MEANINGS.ignoreGroups }),
    reopenConversation: z.boolean().default(true).meta({ description: MEANINGS.reopenConversation }),
    conversationPending: z.boolean().default(false).meta({ description: MEANINGS.conversationPending }),
  })
  .meta({
    id: 'SaveChatwoot',
    examples: [{ url: 'https://chatwoot.example.com', accountId: 1, token: 'h3Yk9mPqZ1' }],
  })

export const ChatwootBridge = z
  .object({
    instance: InstanceNames,
    webhookId: z.int().meta({ description: 'The webhook with the deliveries of this bridge' }),
    url: z.string(),
    accountId: z.int(),
    inboxId: z.int(),
    inboxName: z.string(),
    enabled: z.boolean(),
    isSigned: z.boolean().meta({
      description: 'Whether what Chatwoot posts is checked by its signature. False: by the secret path alone',
    }),
    gatewayUrl: z.string().meta({ description: MEANINGS.gatewayUrl }),
    signAgentNames: z.boolean(),
    ignoreGroups: z.boolean(),
    reopenConversation: z.boolean(),
    conversationPending: z.boolean(),
    failingSince: timestamp.nullable().meta({ description: 'As of every webhook' }),
    updatedAt: timestamp,
  })
  .meta({ id: 'ChatwootBridge' })

export const HistoryBody = withAddressFilter(
  z.strictObject({
    ...addressFields,
    days: z.int().min(1).max(365).default(30).meta({ description: 'Only messages of the last days' }),
    cursor: z
      .string()
      .regex(/^\d{1,15}:\d{1,15}$/, { error: 'expected `next` of an earlier answer' })
      .optional()
      .meta({ description: '`next` of the answer before' }),
    limit: z.int().min(1).max(200).default(50).meta({ description: 'Messages of this call at most' }),
  }),
).meta({ id: 'ChatwootHistoryBody', examples: [{ number: '5511912345678', days: 30 }] })

export const ChatwootHistory = z
  .object({
    pushed: z
      .int()
      .meta({ description: 'Messages that are in Chatwoot now, including those that were there before' }),
    next: z.string().nullable().meta({ description: 'Pass it as `cursor` to go on; null: this was all' }),
    failure: z
      .string()
      .nullable()
      .meta({ description: 'Why the call ended early: the message at `next` was not taken' }),
  })
  .meta({ id: 'ChatwootHistory' })

const common = { tag: 'Chatwoot', params: z.strictObject({ instanceName }) } as const
const OneBridge = z.object({ success, bridge: ChatwootBridge })

export const saveChatwoot = endpoint({
  ...common,
  summary: 'Connect an instance with an inbox of Chatwoot, or change the connection',
  description:
    'Chatwoot is called at once: it shows whether URL, account and token are right, and creates the inbox if there is none. Omitted ' +
    'settings get their defaults; an omitted `token` stays.',
  body: SaveChatwootBody,
  answer: OneBridge,
  live: true,
  reasons: ['instance_not_found', 'url_not_allowed', 'limit_reached', 'chatwoot_failed'],
})

export const getChatwoot = endpoint({
  ...common,
  summary: 'Get the connection of an instance with Chatwoot',
  answer: OneBridge,
  reasons: ['instance_not_found', 'chatwoot_not_set'],
})

export const deleteChatwoot = endpoint({
  ...common,
  summary: 'Remove the connection of an instance with Chatwoot',
  description: 'Inbox, contacts and conversations stay in Chatwoot.',
  answer: z.object({ success }),
  reasons: ['instance_not_found', 'chatwoot_not_set'],
})

export const pushChatwootHistory = endpoint({
  ...common,
  summary: 'Hand stored messages over to Chatwoot, oldest first',
  description:
    'Messages that are there already are not created again, so that a call can be repeated. Chatwoot shows them below later messages, ' +
    'because it orders messages by the time at which it got them.',
  body: HistoryBody,
  answer: z.object({ success, ...ChatwootHistory.shape }),
  live: true,
  reasons: ['instance_not_found', 'chatwoot_not_set'],
})
