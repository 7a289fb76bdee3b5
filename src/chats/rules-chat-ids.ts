// The names of a chat, in the same form in every event and list: number, lid, username, groupJid.
import { fitJson, fitsInto, MAX_EVENT_BYTES } from '../contract/bounded-json.ts'
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

/** Leaves room for the envelope, and for the names that the store adds. */
const MAX_DATA_BYTES = MAX_EVENT_BYTES - 4096

/** The payload of an event of this chat; null: it belongs to none. */
export function payloadOf(chat: string | null, data: object): Payload {
  const isPerson = chat !== null && isPersonChat(chat)
  const named = chat === null ? data : isPerson ? { chat, ...data } : { ...chatIds(chat), ...data }
  const json = fittingJson(named)
  return isPerson ? { data: json, person: chat } : { data: json }
}

/** An event that is too long is cut, and says where the rest is. */
function fittingJson(data: object): string {
  const json = JSON.stringify(data)
  if (fitsInto(json, MAX_DATA_BYTES)) return json
  const { value } = fitJson(data, MAX_DATA_BYTES)
  const rest = pathOf(data)
  return JSON.stringify({ ...value, truncated: true, ...(rest !== undefined && { rest }) })
}

/** Below the base path of the API. Ids that were refused for their length are in no list. */
function pathOf({ messageId, groupJid }: { messageId?: unknown; groupJid?: unknown }): string | undefined {
  if (typeof messageId === 'string') return `/messages/${encodeURIComponent(messageId)}`
  return typeof groupJid === 'string' ? `/groups/${encodeURIComponent(groupJid)}` : undefined
}
