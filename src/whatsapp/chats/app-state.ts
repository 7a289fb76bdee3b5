// Changes of the owner's account that other devices made (app state), as reports about chats, stars and labels.
import { MUTED_FOR_EVER } from '../../contract/values.ts'
import type { ChatReport, ChatSettings } from '../../network/chats.ts'
import { numberOf } from '../from-network/wire-values.ts'
import type { proto } from '../library/protocol.ts'
import type { SyncAction } from '../library/quiet-logger.ts'

/** The network's value for a mute without an end. */
const MUTE_WITHOUT_END = -1
export const FOR_EVER_MS = Date.parse(MUTED_FOR_EVER)
/** The entry after the chat in the index of a cleared chat. */
const KEEP_STARRED = '0'
/** The network has times in whole seconds: all messages of that second are included. */
export const endOfSecond = (ms: number): number => Math.floor(ms / 1000) * 1000 + 999

/** Longer names come from no phone. */
const MAX_LABEL_NAME = 256
const LAST_COLOR = 19
/** Lists that the app makes itself, such as unread chats and favourites, are stored as labels too. */
const LABEL_TYPES: ReadonlySet<number> = new Set([0, 4, 5])

type Range = proto.SyncActionValue.ISyncActionMessageRange | null | undefined
type ToReport = (action: SyncAction, chat: string) => ChatReport | null

/** By the kind of the change. The second parameter is the entry after the kind. Other kinds are not about chats. */
const REPORTS: Record<string, ToReport> = {
  archive: (action, chat) => {
    const { archived, messageRange } = action.value.archiveChatAction ?? {}
    return settings(action, chat, { archived: archived ?? false }, messageRange)
  },
  pin_v1: (action, chat) => settings(action, chat, { pinned: action.value.pinAction?.pinned ?? false }),
  mute: (action, chat) => settings(action, chat, { mutedUntil: mutedUntil(action.value.muteAction) }),
  markChatAsRead: (action, chat) => {
    const { read, messageRange } = action.value.markChatAsReadAction ?? {}
    return settings(action, chat, { unread: !read }, messageRange)
  },
  clearChat: (action, chat) => cleared(action, chat, action.value.clearChatAction?.messageRange),
  deleteChat: (action, chat) => cleared(action, chat, action.value.deleteChatAction?.messageRange),
  star: ({ index: [, , messageId = '', fromMe], value }, chat) => ({
    kind: 'starred',
    chat,
    messageId,
    isOurs: fromMe === '1',
    starred: value.starAction?.starred ?? false,
  }),
  label_edit: ({ value, isInitial }, labelId) => {
    const { name, color, predefinedId, deleted, type } = value.labelEditAction ?? {}
    if (!isLabelId(labelId) || !LABEL_TYPES.has(type ?? 0)) return null
    const facts = { labelId, name: (name ?? '').slice(0, MAX_LABEL_NAME), color: colorOf(color) }
    return {
      kind: 'label',
      ...facts,
      predefinedId: predefinedId ?? null,
      deleted: deleted ?? false,
      isInitial,
    }
  },
  label_jid: ({ index: [, , chat = ''], value, isInitial }, labelId) =>
    isLabelId(labelId)
      ? {
          kind: 'chat_label',
          chat,
          labelId,
          labeled: value.labelAssociationAction?.labeled ?? false,
          atMs: numberOf(value.timestamp) ?? 0,
          isInitial,
        }
      : null,
}

/** Null for a change that is not about a chat. `chat` is given by the identifier that the change names. */
export function toChatReport(action: SyncAction): ChatReport | null {
  const [kind = '', chat = ''] = action.index
  return (Object.hasOwn(REPORTS, kind) ? REPORTS[kind] : undefined)?.(action, chat) ?? null
}

/** Phones number them. Others could not be named in a request. */
const isLabelId = (id: string): boolean => /^[1-9]\d{0,14}$/.test(id)
const colorOf = (color: number | null | undefined): number =>
  color !== null && color !== undefined && color >= 0 && color <= LAST_COLOR ? Math.floor(color) : 0

const settings = (
  { value, isInitial }: SyncAction,
  chat: string,
  change: ChatSettings,
  range?: Range,
): ChatReport => ({ kind: 'chat_settings', chat, throughMs: throughMs(value, range), isInitial, ...change })

/** The history that a phone sends after pairing no longer contains messages that were cleared before. */
const cleared = ({ index, value, isInitial }: SyncAction, chat: string, range: Range): ChatReport | null =>
  isInitial
    ? null
    : {
        kind: 'chat_cleared',
        chat,
        throughMs: throughMs(value, range),
        keepStarred: index[0] === 'clearChat' && index[2] === KEEP_STARRED,
      }

function throughMs({ timestamp }: proto.ISyncActionValue, range: Range): number {
  const seconds = numberOf(range?.lastMessageTimestamp) ?? 0
  return seconds > 0 ? endOfSecond(seconds * 1000) : (numberOf(timestamp) ?? 0)
}

function mutedUntil(action: proto.SyncActionValue.IMuteAction | null | undefined): number | null {
  if (!action?.muted) return null
  const end = numberOf(action.muteEndTimestamp) ?? MUTE_WITHOUT_END
  return end === MUTE_WITHOUT_END || end > FOR_EVER_MS ? FOR_EVER_MS : end
}
