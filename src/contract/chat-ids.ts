// The names of a chat in events and lists. `chatIds` in chats/rules.ts makes them.
import { z } from 'zod'

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
