// What events and lists say of a chat and of a person: names, labels, settings. `chatIds` in chats/rules.ts makes the names.
import { z } from 'zod'
import { timestamp } from './fields.ts'

const number = z
  .string()
  .nullable()
  .meta({ description: 'Phone number, digits with country code; null if it is hidden, and for a group' })
const lid = z
  .string()
  .nullable()
  .meta({ description: "The network's identifier that hides the phone number; null if it is not known" })
const username = z
  .string()
  .nullable()
  .meta({ description: 'Name that the person has chosen on the network; null if there is none' })

/** Beside `chat`, which requests take as well. */
export const chatIdFields = {
  number,
  lid,
  username,
  groupJid: z.string().nullable().meta({ description: 'The group; null for a person' }),
}

export const chatName = z
  .string()
  .meta({ description: 'Network identifier of the chat. Requests take it in the field `chat`' })

/** In events, of which those from before these fields are kept for some days. */
export const eventChatIds = z.object(chatIdFields).partial().shape

/** The same names of a person. */
export const personIdFields = { chat: chatName, number, lid, username }

// A person as events and answers describe them.
export const Person = z
  .object({
    jid: z.string().meta({ description: 'Network identifier, based on the phone number if it is known' }),
    lid: z.string().nullable().meta({ description: "The network's identifier that hides the phone number" }),
    phone: z.string().nullable().meta({ description: 'Digits with country code' }),
    pushName: z.string().nullable(),
    ...z.object(personIdFields).omit({ lid: true }).partial().shape,
  })
  .meta({ id: 'Person' })

// Labels as chats show them, and their limits.

/** The app has twenty colours, and lets a business make twenty labels. */
export const LABEL_COLORS = 20
export const MAX_LABELS = 20

export const labelId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, { error: 'expected the id of a label, such as 6' })
  .meta({ description: 'Id of a label (`GET /labels`)', examples: ['6'] })

export const labelFields = {
  id: z.string().meta({ description: 'Chosen by the phone or by this gateway; not used again' }),
  name: z.string(),
  color: z.int().meta({ description: `Number of a colour of the app, 0 to ${LABEL_COLORS - 1}` }),
}

export const ChatLabel = z.object(labelFields).meta({
  id: 'ChatLabel',
  examples: [{ id: '6', name: 'Follow up', color: 5 }],
})

// The settings of a chat: fields that the list of chats and the event of a chat share.

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
