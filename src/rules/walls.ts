// The rule for API keys with walls: which instances and chats a key reaches. Every route, list and stream is decided here, and
// nowhere else; domain/walls.ts looks up what it needs to know.
import type { EventData, EventName } from '../contract/events.ts'
import type { Wall } from '../contract/route.ts'
import { WROTE_FIRST } from '../contract/wall-values.ts'
import { isGroupJid, isStatusJid } from '../network/jid.ts'

export interface Walls {
  /** API names; null: all instances. */
  instances: readonly string[] | null
  /** Network identifiers, or the people who wrote to the instance; null: all chats. */
  chats: readonly string[] | typeof WROTE_FIRST | null
  /** Null: as many as the plan allows. */
  messagesPerDay: number | null
  /** Whether sends wait until a person approves them. */
  approval: boolean
  /** Whether the owner is also asked on the phone of the instance. */
  approvalOnPhone: boolean
}

export const NO_WALLS: Walls = {
  instances: null,
  chats: null,
  messagesPerDay: null,
  approval: false,
  approvalOnPhone: false,
}

export const hasWalls = (walls: Walls): boolean =>
  walls.instances !== null || walls.chats !== null || walls.messagesPerDay !== null || walls.approval

/** Whether there is anything of the account that the key does not see. */
export const seesPart = ({ instances, chats }: Walls): boolean => instances !== null || chats !== null

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

/** Whether a key with these walls may use a route of this kind at all, for the best of all targets. */
export function wallAdmits(walls: Walls, wall: Wall): boolean {
  switch (wall) {
    case 'refused':
      return !hasWalls(walls)
    case 'account':
      return !seesPart(walls)
    case 'instance':
    case 'counts':
      return walls.chats === null
    case 'change':
      return walls.chats === null && !walls.approval
    case 'chatChange':
      return !walls.approval
    default:
      return true
  }
}

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
