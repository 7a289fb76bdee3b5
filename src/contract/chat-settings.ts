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
}
