// The rule for API keys with walls: which instances and chats a key reaches. Every route, list and stream is decided here, after
// `wallAdmits` of the contract, which a browser can ask too; accounts/walls.ts looks up what it needs to know.
import type { EventData, EventName } from '../contract/events.ts'
import type { Wall } from '../contract/route.ts'
import { seesPart, type Walls, WROTE_FIRST, wallAdmits } from '../contract/wall-values.ts'
import { isGroupJid, isStatusJid } from '../network/jid.ts'

/** What the rule needs to know about a chat of an instance. */
export interface ReachedChat {
  /** All identifiers of the chat: number and lid of one person. */
  forms: readonly string[]
  /** Whether the instance has received a message in it. */
  hasWritten: boolean
}

export const reachesInstance = ({ instances }: Walls, apiName: string): boolean =>
  instances === null || instances.includes(apiName)

/** A group or the status posts are not a person, and never wrote first. */
export function reachesChat({ chats }: Walls, { forms, hasWritten }: ReachedChat): boolean {
  if (chats === null) return true
  if (chats === WROTE_FIRST)
    return hasWritten && forms.every((form) => !isGroupJid(form) && !isStatusJid(form))
  return forms.some((form) => chats.includes(form))
}

/** What a request is about. Undefined: it does not say. */
export interface WallTarget {
  /** API name. */
  instance?: string | undefined
  chat?: ReachedChat | undefined
}

/** `hidden`: the instance is answered as one that does not exist. */
export type WallVerdict = 'allowed' | 'refused' | 'hidden'

/** Kinds of routes whose request has to name an instance. Those that name a message or a contact are checked where it is found. */
const NAMES_INSTANCE: ReadonlySet<Wall> = new Set(['chat', 'chatChange', 'instance', 'change'])
/** Kinds of routes whose request has to name a chat. */
const NAMES_CHAT: ReadonlySet<Wall> = new Set(['chat', 'chatChange'])

/** The one decision about a request. A target that cannot be told is outside. */
export function wallVerdict(walls: Walls, wall: Wall, { instance, chat }: WallTarget): WallVerdict {
  if (!wallAdmits(walls, wall)) return 'refused'
  if (!seesPart(walls) || wall === 'open') return 'allowed'
  if (instance !== undefined && !reachesInstance(walls, instance)) return 'hidden'
  if (instance === undefined && walls.instances !== null && NAMES_INSTANCE.has(wall)) return 'refused'
  if (walls.chats === null || !NAMES_CHAT.has(wall)) return 'allowed'
  return chat !== undefined && reachesChat(walls, chat) ? 'allowed' : 'refused'
}

const CHAT_OF_EVENT: { readonly [N in EventName]: (data: EventData<N>) => string | null } = {
  'messages.upsert': ({ chat }) => chat,
  'messages.update': ({ chat }) => chat,
  'messages.edited': ({ chat }) => chat,
  'messages.deleted': ({ chat }) => chat,
  'messages.reaction': ({ chat }) => chat,
  'messages.set_aside': ({ chat }) => chat,
  'contacts.update': ({ person }) => person.jid,
  'contacts.merged': ({ chat }) => chat,
  'chats.update': ({ chat }) => chat,
  'presence.update': ({ chat }) => chat,
  'qrcode.updated': () => null,
  'passkey.updated': () => null,
  'connection.update': () => null,
  'groups.upsert': ({ groupJid }) => groupJid,
  'groups.update': ({ groupJid }) => groupJid,
  'group-participants.update': ({ groupJid }) => groupJid,
  'labels.association': ({ chat }) => chat,
  'labels.update': () => null,
  call: ({ groupJid, isGroup, from }) => groupJid ?? (isGroup === true ? null : from.jid),
}

/** The chat that an event is about; null: none. A key that is limited to chats sees only events of a chat. */
export const chatOfEvent = <N extends EventName>(name: N, data: EventData<N>): string | null =>
  CHAT_OF_EVENT[name](data)

/** Steps of linking: a key that may only read gets none of them. */
const LINKING_EVENTS: ReadonlySet<string> = new Set(['qrcode.updated', 'passkey.updated'])

export const isLinkingEvent = (name: string): boolean => LINKING_EVENTS.has(name)
