// The last message of a chat, for lists of chats.
import { z } from 'zod'
import { Person } from './chat-fields.ts'
import { DIRECTIONS, messageType } from './messages.ts'
import { MESSAGE_STATUSES } from './sending.ts'

export const LastMessage = z
  .object({
    messageId: z.string(),
    direction: z.enum(DIRECTIONS),
    type: messageType,
    status: z.enum(MESSAGE_STATUSES),
    text: z.string().nullable().meta({
      description:
        'The same as `lastMessageText`: after edits; null for a message without text and a deleted one',
    }),
    deleted: z.boolean().meta({ description: 'The message was deleted for everyone' }),
    from: Person.nullable().meta({ description: 'Author of a received message; null for one that was sent' }),
    voice: z.boolean().meta({ description: 'A voice message' }),
    seconds: z
      .int()
      .nullable()
      .meta({ description: 'Length of a received voice message, audio file or video' }),
  })
  .meta({
    id: 'LastMessage',
    examples: [
      {
        messageId: '3EB0A1B2C3D4E5F60718',
        direction: 'outgoing',
        type: 'text',
        status: 'read',
        text: 'See you tomorrow',
        deleted: false,
        from: null,
        voice: false,
        seconds: null,
      },
    ],
  })
