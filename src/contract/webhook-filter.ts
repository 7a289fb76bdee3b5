// The filter of a webhook: which of the events that it subscribes to are delivered.
import { z } from 'zod'
import { personName } from './chat-address.ts'
import { DIRECTIONS } from './messages.ts'

export const WEBHOOK_CHATS = ['all', 'people', 'groups'] as const
export type WebhookChats = (typeof WEBHOOK_CHATS)[number]

const isUnique = (values: string[]): boolean => new Set(values).size === values.length

const chats = z.enum(WEBHOOK_CHATS).meta({
  description:
    'Only events of chats with people, or of groups. Status posts belong to neither. Events without a chat, such as ' +
    '`connection.update`, always pass',
})
const FROM =
  'Only events that these people, by number or `chat`, have caused: received messages and their changes, calls, changes of groups, and updates of their ' +
  'chat and contact. Events without a chat always pass'
const DIRECTIONS_OF =
  'Only events about received or about sent messages. Events that have no direction, such as `chats.update`, always pass'

/** Omitted fields filter nothing. */
export const WebhookFilterBody = z
  .strictObject({
    chats: chats.default('all'),
    from: z
      .array(personName)
      .min(1)
      .max(100)
      .refine(isUnique, { error: 'each person must be given only once' })
      .nullable()
      .default(null)
      .meta({ description: `${FROM}. Null: of every person`, examples: [['5511912345678']] }),
    directions: z
      .array(z.enum(DIRECTIONS))
      .min(1)
      .max(DIRECTIONS.length)
      .refine(isUnique, { error: 'each direction must be given only once' })
      .default([...DIRECTIONS])
      .meta({ description: DIRECTIONS_OF, examples: [['incoming']] }),
  })
  .meta({ id: 'WebhookFilterBody' })

export const WebhookFilter = z
  .object({
    chats,
    from: z
      .array(z.string())
      .nullable()
      .meta({ description: `${FROM}. Null: of every person` }),
    directions: z.array(z.enum(DIRECTIONS)).meta({ description: DIRECTIONS_OF }),
  })
  .meta({ id: 'WebhookFilter' })
