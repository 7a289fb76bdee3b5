// Payloads of the events about labels.
import { z } from 'zod'
import { chatName, eventChatIds } from './chat-fields.ts'

export const LabelUpdate = z
  .object({
    labelId: z.string(),
    name: z.string(),
    color: z.int(),
    deleted: z.boolean(),
  })
  .meta({ id: 'LabelsUpdateEvent', description: 'A label was created, changed or deleted' })

export const LabelAssociation = z
  .object({
    chat: chatName,
    ...eventChatIds,
    labelId: z.string(),
    name: z.string().nullable().meta({ description: 'Name of the label; null if it is not known yet' }),
    labeled: z.boolean().meta({ description: 'False: the label was taken from the chat' }),
  })
  .meta({ id: 'LabelsAssociationEvent', description: 'A label was given to a chat, or taken from it' })
