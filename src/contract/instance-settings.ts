// Settings of an instance: automatic behaviour, history, proxy, and the name of the linked device.
import { z } from 'zod'
import { instanceName, plainText, success } from './fields.ts'
import { endpoint } from './route.ts'

export const SYNC_HISTORY = ['none', 'recent', 'full'] as const
export type SyncHistory = (typeof SYNC_HISTORY)[number]

const MEANINGS = {
  rejectCalls: 'Incoming calls are rejected at once',
  rejectCallsText:
    'Sent to the caller of a rejected call, once per call, and counted as a send of the key that has set it; null: nothing is sent',
  readOnReply: 'A message that is sent to a chat marks its received messages as read',
  viewWithoutReceipts:
    'A chat that is only looked at, as on the dashboard, is marked as read without read receipts',
  alwaysOnline: 'The account is shown as online. The phone of its owner then shows no notifications',
  ignoreGroups: 'Messages of groups are neither stored nor reported',
  syncHistory: 'How much history the phone transfers when the instance is paired',
  deviceName: 'Name in the list of linked devices on the phone, from the next pairing on; null: the default',
} as const

const InstanceSettings = z
  .object({
    rejectCalls: z.boolean().meta({ description: MEANINGS.rejectCalls }),
    rejectCallsText: z.string().nullable().meta({ description: MEANINGS.rejectCallsText }),
    readOnReply: z.boolean().meta({ description: MEANINGS.readOnReply }),
    viewWithoutReceipts: z.boolean().meta({ description: MEANINGS.viewWithoutReceipts }),
    alwaysOnline: z.boolean().meta({ description: MEANINGS.alwaysOnline }),
    ignoreGroups: z.boolean().meta({ description: MEANINGS.ignoreGroups }),
    syncHistory: z.enum(SYNC_HISTORY).meta({ description: MEANINGS.syncHistory }),
    proxy: z.string().nullable().meta({
      description: 'The proxy of all connections to the network, with its credentials masked; null: none',
    }),
    deviceName: z.string().nullable().meta({ description: MEANINGS.deviceName }),
  })
  .meta({
    id: 'InstanceSettings',
    examples: [
      {
        rejectCalls: true,
        rejectCallsText: 'Please write to us instead.',
        readOnReply: false,
        viewWithoutReceipts: false,
        alwaysOnline: false,
        ignoreGroups: false,
        syncHistory: 'recent',
        proxy: 'socks5://***@proxy.example.com:1080',
        deviceName: 'Support desk',
      },
    ],
  })

const common = { tag: 'Instances', query: z.strictObject({ instanceName }) } as const
const OneSettings = z.object({ success, settings: InstanceSettings })

export const getSettings = endpoint({
  ...common,
  summary: 'Get the settings of an instance',
  answer: OneSettings,
  reasons: ['instance_not_found'],
})

export const updateSettings = endpoint({
  ...common,
  summary: 'Change the settings of an instance; omitted fields stay unchanged',
  description: 'The instance reconnects by itself if the change needs it, as a new proxy does.',
  body: z
    .strictObject({
      rejectCalls: z.boolean().optional().meta({ description: MEANINGS.rejectCalls }),
      rejectCallsText: z
        .string()
        .min(1)
        .max(4096)
        .nullable()
        .optional()
        .meta({ description: MEANINGS.rejectCallsText }),
      readOnReply: z.boolean().optional().meta({ description: MEANINGS.readOnReply }),
      viewWithoutReceipts: z.boolean().optional().meta({ description: MEANINGS.viewWithoutReceipts }),
      alwaysOnline: z.boolean().optional().meta({ description: MEANINGS.alwaysOnline }),
      ignoreGroups: z.boolean().optional().meta({ description: MEANINGS.ignoreGroups }),
      syncHistory: z.enum(SYNC_HISTORY).optional().meta({ description: MEANINGS.syncHistory }),
      proxy: z
        .string()
        .min(1)
        .max(1024)
        .nullable()
        .optional()
        .meta({
          description:
            'Proxy of all connections of the instance to the network: `http://`, `https://` or `socks5://`, with credentials ' +
            'if it needs them. `***@` as in an answer keeps the stored ones of the same address. Null: a direct connection',
          examples: ['socks5://user:secret@proxy.example.com:1080'],
        }),
      deviceName: plainText(1, 50)
        .refine((name) => name.trim() !== '', { error: 'must not be blank' })
        .nullable()
        .optional()
        .meta({ description: MEANINGS.deviceName }),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), {
      error: 'expected at least one field',
    })
    .meta({
      id: 'UpdateInstanceSettings',
      examples: [{ rejectCalls: true, rejectCallsText: 'Please write to us instead.' }],
    }),
  answer: OneSettings,
  reasons: ['instance_not_found', 'url_not_allowed'],
})
