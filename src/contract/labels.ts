// Labels, which the owner of a business account gives to chats on the phone. The chats with a label are in the list of chats.
import { z } from 'zod'
import { addressFields, withAddress } from './chat-address.ts'
import { LABEL_COLORS, labelFields, labelId, MAX_LABELS } from './chat-fields.ts'
import { CHANGING } from './chats.ts'
import { Chat } from './contacts.ts'
import { InstanceReference, instanceName, plainText, success } from './fields.ts'
import { endpoint } from './route.ts'

const common = { tag: 'Labels' } as const

export const Label = z
  .object({
    ...labelFields,
    chats: z.int().meta({ description: 'How many chats have the label' }),
  })
  .meta({ id: 'Label', examples: [{ id: '6', name: 'Follow up', color: 5, chats: 12 }] })

const OneLabel = z.object({ success, label: Label })
const OneChat = z.object({ success, chat: Chat })
const byId = z.strictObject({ labelId })
const name = plainText(1, 100).meta({ examples: ['Follow up'] })
const color = z
  .int()
  .min(0)
  .max(LABEL_COLORS - 1)

export const listLabels = endpoint({
  ...common,
  summary: 'List the labels of an instance, in the order of their creation',
  description:
    'They are those of the phone: labels exist in the business app, and lists of chats in the other one. `GET /chats` has the labels of each chat, ' +
    'and filters by `label`.',
  openWithoutSubscription: true,
  query: z.strictObject({ instanceName }),
  answer: z.object({ success, count: z.int(), instance: InstanceReference, labels: z.array(Label) }),
  reasons: ['instance_not_found'],
})

export const createLabel = endpoint({
  ...common,
  summary: 'Create a label on all devices of the owner',
  description: `An instance has at most ${MAX_LABELS} labels, as the app.`,
  live: true,
  body: z
    .strictObject({
      instanceName,
      name,
      color: color.optional().meta({ description: 'By default one that no other label has' }),
    })
    .meta({
      id: 'CreateLabel',
      examples: [{ instanceName: 'support-k3v9x2ma', name: 'Follow up', color: 5 }],
    }),
  answer: OneLabel,
  reasons: [...CHANGING, 'labels_full'],
})

export const updateLabel = endpoint({
  ...common,
  summary: 'Change the name or the colour of a label; omitted fields stay unchanged',
  live: true,
  params: byId,
  body: z
    .strictObject({ instanceName, name: name.optional(), color: color.optional() })
    .refine((body) => body.name !== undefined || body.color !== undefined, {
      error: 'expected at least one of name, color',
    })
    .meta({ id: 'UpdateLabel', examples: [{ instanceName: 'support-k3v9x2ma', name: 'Call back' }] }),
  answer: OneLabel,
  reasons: [...CHANGING, 'label_not_found'],
})

export const deleteLabel = endpoint({
  ...common,
  summary: 'Delete a label on all devices of the owner; its chats are kept',
  live: true,
  params: byId,
  query: z.strictObject({ instanceName }),
  answer: z.object({ success, id: z.string() }),
  reasons: [...CHANGING, 'label_not_found'],
})

export const labelChat = endpoint({
  ...common,
  summary: 'Give a label to a chat',
  description: 'Changes nothing if the chat has the label already.',
  live: true,
  params: byId,
  body: withAddress(z.strictObject({ instanceName, ...addressFields })).meta({
    id: 'LabelChat',
    examples: [{ instanceName: 'support-k3v9x2ma', chat: '5511912345678@s.whatsapp.net' }],
  }),
  answer: OneChat,
  reasons: [...CHANGING, 'label_not_found', 'chat_not_found'],
})

export const unlabelChat = endpoint({
  ...common,
  summary: 'Take a label from a chat',
  description: 'Changes nothing if the chat does not have the label.',
  live: true,
  params: byId,
  query: withAddress(z.strictObject({ instanceName, ...addressFields })),
  answer: OneChat,
  reasons: [...CHANGING, 'label_not_found', 'chat_not_found'],
})
