// The rules of chats: their names, the chat that a request means, settings, the last message, and calls.

import type { z } from 'zod'
import { numberCandidates } from '../contacts/rules-numbers.ts'
import { fitJson, fitsInto, MAX_EVENT_BYTES } from '../contract/bounded-json.ts'
import type { CallStatus } from '../contract/calls.ts'
import type { LastMessage } from '../contract/last-message.ts'
import type { Direction, MessageType } from '../contract/messages.ts'
import type { MessageStatus } from '../contract/sending.ts'
import { isoOrNull } from '../kernel/time.ts'
import { isGroupJid, isLid, isPersonJid, personJid, phoneOf } from '../network/jid.ts'
import type { Interpretation } from '../network/network.ts'

// The names of a chat, in the same form in every event and list: number, lid, username, groupJid.

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

// The chat that a request names: by number, as a group, or by its network identifier.

/** The fields of a request. The contract has checked that exactly one of them is there. */
export interface GivenAddress {
  number?: string | undefined
  groupJid?: string | undefined
  chat?: string | undefined
}

/** The recipient of a message; by its chat only if the number of the person is hidden, and for status posts. */
export type Recipient = { number: string } | { groupJid: string } | { chat: string }

/** Whether a list is restricted to one chat. */
export const hasAddress = ({ number, groupJid, chat }: GivenAddress): boolean =>
  (number ?? groupJid ?? chat) !== undefined

/** The network identifier of the chat. */
export const chatOf = ({ number, groupJid, chat }: GivenAddress): string =>
  chat ?? groupJid ?? personJid(number ?? '')

/** Two requests that name the same chat in different fields have the same recipient, and so the same lane and fingerprint. */
export function recipientOf(given: GivenAddress): Recipient {
  const chat = chatOf(given)
  if (isGroupJid(chat)) return { groupJid: chat }
  const number = phoneOf(chat)
  return number === null ? { chat } : { number }
}

/** The identifier of a person whom a list or a path names: by digits, or by the lid. */
export const jidOfPerson = (name: string): string => (isLid(name) ? name : personJid(name))

/** The same person in the answer about each of a list. */
export const shownName = (name: string): { number: string | null; chat: string } => ({
  number: isLid(name) ? null : name,
  chat: jidOfPerson(name),
})

// The jids under which one chat may be stored.

/** A queued message is stored under the number of the request, which may be another form of the number that the network uses. */
export const chatForms = (jids: readonly string[]): string[] => [
  ...new Set(
    jids.flatMap((jid) => {
      const phone = phoneOf(jid)
      return phone === null ? [jid] : numberCandidates(phone).map(personJid)
    }),
  ),
]

// What was set for a chat, on the phone or in the account, as answers and events show it.

/** Columns of a chat. */
interface SettingColumns {
  archived: number
  muted_until: number | null
  pinned: number
  marked_unread: number
  unread_count: number
  disappearing_seconds: number
  assigned_user_id: number | null
}

/** A chat is unread if it has unread messages, or if its owner has marked it. */
export const chatSettings = (row: SettingColumns) => ({
  archived: row.archived === 1,
  mutedUntil: isoOrNull(row.muted_until),
  pinned: row.pinned === 1,
  unread: row.marked_unread === 1 || row.unread_count > 0,
  disappearingSeconds: row.disappearing_seconds,
  assignedTo: row.assigned_user_id,
})

// The last message of a chat, as a list of chats shows it.

/** Columns of a chat's row and of its last message. */
export interface LastMessageRow {
  last_message_text: string | null
  last_message_deleted: 0 | 1
  last_id: string | null
  last_direction: string | null
  last_kind: string | null
  last_status: string | null
  /** JSON. */
  last_content: string | null
}

interface ShownContent {
  from?: z.output<typeof LastMessage>['from']
  media?: { seconds?: number | null } | null
  voice?: boolean
}

/** Null: the chat has no message that is stored. */
export function lastMessageOf(row: LastMessageRow): z.output<typeof LastMessage> | null {
  if (row.last_id === null) return null
  const isDeleted = row.last_message_deleted === 1
  const content = JSON.parse(row.last_content ?? '{}') as ShownContent
  return {
    messageId: row.last_id,
    direction: row.last_direction as Direction,
    type: row.last_kind as MessageType,
    status: row.last_status as MessageStatus,
    text: row.last_message_text,
    deleted: isDeleted,
    from: row.last_direction === 'incoming' ? (content.from ?? null) : null,
    // Audio that is sent through the API is a voice message, unless it says otherwise.
    voice: row.last_kind === 'audio' && content.voice !== false,
    seconds: isDeleted ? null : (content.media?.seconds ?? null),
  }
}

// Leaves out the messages and chats of groups, for an instance that ignores groups.
export const withoutGroups = (read: Interpretation): Interpretation => ({
  ...read,
  messages: read.messages.filter(({ chat }) => !isGroupJid(chat)),
  chats: read.chats.filter(({ jid }) => !isGroupJid(jid)),
})

// The status of a phone call: which changes are news, and when a call can still be rejected.

const OPEN: ReadonlySet<CallStatus> = new Set(['offer', 'ringing'])

/** Whether the call rings: later it can no longer be rejected. */
export const isOpenCall = (status: CallStatus): boolean => OPEN.has(status)

/**
 * Whether a reported status is news. The network repeats notices that were not acknowledged, and may deliver those of an offer
 * and its end in the wrong order. An accepted call may still end.
 */
export function isCallNews(before: CallStatus | undefined, reported: CallStatus): boolean {
  if (before === undefined || OPEN.has(before))
    return reported !== before && !(before === 'ringing' && reported === 'offer')
  return before === 'accepted' && reported === 'ended'
}
