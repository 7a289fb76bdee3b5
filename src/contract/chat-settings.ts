// The settings of a chat: fields that the list of chats and the event of a chat share.
import { z } from 'zod'
import { timestamp } from './fields.ts'

export const chatSettingFields = {
  archived: z.boolean(),
  mutedUntil: timestamp
    .nullable()
    .meta({ description: 'Until when the chat is muted; null: it is not. A past time: it was' }),
  pinned: z.boolean().meta({ description: 'Pinned to the top of the list of chats on the phone' }),
  unread: z.boolean().meta({ description: 'Has unread messages, or was marked as unread' }),
  disappearingSeconds: z.int().meta({ description: 'How long new messages stay; 0: they do not disappear' }),
  assignedTo: z.int().nullable().meta({
    description: 'Id of the user of the account who answers the chat (`GET /users`); null: none',
  }),
}

/** A filter by user: the id, or `none`, which is parsed into null. */
export const assigneeFilter = z
  .string()
  .regex(/^([1-9]\d{0,14}|none)$/, { error: 'expected the id of a user, or none' })
  .transform((text) => (text === 'none' ? null : Number(text)))
  .pipe(z.int().nullable())
  .optional()
  .meta({ description: 'Only chats that are assigned to the user of this id; `none`: to no user' })
