// The names of a chat, in the same form in every event and list: number, lid, username, groupJid.
import { isGroupJid, isLid, isPersonJid, phoneOf } from '../network/jid.ts'

/** What the store knows of a person beside the identifier of the chat. */
export interface KnownNames {
  lid: string | null
  username: string | null
}

export interface ChatIds {
  chat: string
  number: string | null
  lid: string | null
  username: string | null
  groupJid: string | null
}

/** Of a person by number, the lid is known only if the network has said it. */
export const chatIds = (chat: string, known?: KnownNames): ChatIds => ({
  chat,
  number: phoneOf(chat),
  lid: isLid(chat) ? chat : (known?.lid ?? null),
  username: known?.username ?? null,
  groupJid: isGroupJid(chat) ? chat : null,
})

export const isPersonChat = (chat: string): boolean => isPersonJid(chat) || isLid(chat)

interface NamedPerson {
  jid: string
  lid: string | null
  phone: string | null
  username?: string | null | undefined
}

/** A person in an event or a list, with the names of a chat beside the older ones. */
export const withPersonIds = <P extends NamedPerson>(person: P) => ({
  ...person,
  chat: person.jid,
  number: person.phone,
  username: person.username ?? null,
})

/** A payload before it is appended to the log. */
export interface Payload {
  /** JSON. */
  data: string
  /** The person whose chat the event is about: the store adds the names that it knows, as `chatIds` does. */
  person?: string
}

/** The payload of an event of this chat; null: it belongs to none. */
export function payloadOf(chat: string | null, data: object): Payload {
  if (chat !== null && isPersonChat(chat)) return { data: JSON.stringify({ chat, ...data }), person: chat }
  return { data: JSON.stringify(chat === null ? data : { ...chatIds(chat), ...data }) }
}
