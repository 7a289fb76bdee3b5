// Which stored messages can be edited, deleted or forwarded. The gateway decides by it, and the dashboard offers nothing else.
import { MESSAGE_KINDS, type MessageKind } from './message-values.ts'

const MINUTE_MS = 60_000
/** Phones ignore an edit that comes later. */
const EDIT_MS = 15 * MINUTE_MS
/** Phones ignore a deletion by the author that comes later. */
const DELETE_MS = 60 * 60 * MINUTE_MS

/** Phones show a status for this long. */
const STATUS_MS = 24 * 60 * MINUTE_MS

export interface ChangedMessage {
  isOurs: boolean
  /** Accepted by this gateway, not written on another device of the account. */
  isFromApi: boolean
  type: string
  /** When it was accepted; for a scheduled message, when it was due. */
  at: number
  isViewOnce: boolean
  isStatus: boolean
}

/** A caption is edited together with its file, which is known only of messages that this gateway has sent. */
const CAPTIONED: ReadonlySet<string> = new Set(['image', 'video', 'document'])

export const isEditable = ({ isOurs, isFromApi, type, at }: ChangedMessage, now: number): boolean =>
  isOurs && now - at <= EDIT_MS && (type === 'text' || (isFromApi && CAPTIONED.has(type)))

/** `isAdmin`: the instance is an admin of the group that the message is in. */
export function isDeletable(message: ChangedMessage, now: number, isAdmin: boolean): boolean {
  const { isOurs, isFromApi, isStatus, at } = message
  // The audience is known only of a status that this gateway has posted.
  if (isStatus) return isFromApi && now - at <= STATUS_MS
  return isOurs ? now - at <= DELETE_MS : isAdmin
}

/** An album is only the announcement of its files. */
const SENT: ReadonlySet<string> = new Set(MESSAGE_KINDS.filter((kind) => kind !== 'album'))
/** Received messages of these types can be rebuilt from what is stored. */
const REBUILDABLE: ReadonlySet<string> = new Set([
  'text',
  'image',
  'video',
  'document',
  'audio',
  'sticker',
  'location',
])

/** The kind under which the message is sent again; undefined: it cannot be forwarded. */
export function forwardedKind({ isFromApi, type, isViewOnce }: ChangedMessage): MessageKind | undefined {
  if (isViewOnce || !(isFromApi ? SENT : REBUILDABLE).has(type)) return undefined
  return type as MessageKind
}
