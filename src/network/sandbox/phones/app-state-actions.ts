// What each kind of app-state change does on a phone.
import type { proto } from 'baileys'
import { isGroupJid } from '../model/address.ts'
import { accountByJid, type World } from '../model/world.ts'
import { changeChatSettings, type StoredChatSettings } from '../store/chat-settings.ts'
import { writeAccount } from '../store/documents.ts'
import {
  findMessage,
  listUnread,
  removeChatMessages,
  removeMessage,
  type StoredPhoneMessage,
  setShown,
  setStatus,
  shownPart,
} from '../store/messages.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import type { Phone } from './phone.ts'

/** A change after decryption: the kind, the chat and further names are in the index. */
export interface Mutation {
  index: string[]
  value: proto.ISyncActionValue
}

interface Place extends Mutation {
  state: StoredWorld
  phone: Phone
  /** A number or the id of a group. */
  chat: string
}

/** The place after the chat in the index of a cleared chat says what happens to starred messages. */
export const KEEP_STARRED = '0'

const ACTIONS: Record<string, (place: Place) => void> = {
  archive: (place) => set(place, { archived: place.value.archiveChatAction?.archived ?? false }),
  pin_v1: (place) => set(place, { pinned: place.value.pinAction?.pinned ?? false }),
  mute: (place) => {
    const { muted, muteEndTimestamp } = place.value.muteAction ?? {}
    set(place, { mutedUntil: muted ? Number(muteEndTimestamp ?? 0) : null })
  },
  markChatAsRead: markChat,
  star: (place) => {
    const message = messageOf(place)
    const starred = place.value.starAction?.starred ?? false
    if (message) setShown(place.state.database, message.seq, { ...shownPart(message), starred })
  },
  deleteMessageForMe: (place) => {
    const message = messageOf(place)
    if (message) removeMessage(place.state.database, message.seq)
  },
  clearChat: (place) => removeMessages(place, place.value.clearChatAction?.messageRange),
  deleteChat: (place) => removeMessages(place, place.value.deleteChatAction?.messageRange),
  contact: saveName,
}

/** Applies a change of a linked device or of the phone itself. Kinds that a phone does not show are ignored. */
export function applyMutation(state: StoredWorld, phone: Phone, mutation: Mutation): void {
  const [kind = '', jid = ''] = mutation.index
  const chat = chatOf(state.world, jid)
  if (chat === undefined) return
  ACTIONS[kind]?.({ ...mutation, state, phone, chat })
  phone.notifyChanged(chat)
}

function chatOf(world: World, jid: string): string | undefined {
  return isGroupJid(jid) ? jid : accountByJid(world, jid)?.number
}

function set({ state, phone, chat }: Place, change: Partial<StoredChatSettings>): void {
  changeChatSettings(state.database, phone.account.number, chat, change)
}

/** Reading on another device marks the messages here too. It sends no receipts: that device has sent them. */
function markChat(place: Place): void {
  const { state, phone, chat, value } = place
  const isRead = value.markChatAsReadAction?.read ?? false
  set(place, { markedUnread: !isRead })
  if (!isRead) return
  for (const message of listUnread(state.database, phone.account.number, chat))
    setStatus(state.database, message.seq, 'read')
}

/** The message that the index names by its id and by whether it is the owner's. */
function messageOf({ state, phone, chat, index }: Place): StoredPhoneMessage | undefined {
  const [, , id = '', fromMe] = index
  const author = fromMe === '1' ? phone.account.number : undefined
  const message = findMessage(state.database, phone.account.number, id, author)
  return message?.chat === chat ? message : undefined
}

/** Messages that came after the change was made stay. */
function removeMessages(
  { state, phone, chat, index }: Place,
  range: proto.SyncActionValue.ISyncActionMessageRange | null | undefined,
): void {
  const through = Number(range?.lastMessageTimestamp ?? 0)
  removeChatMessages(state.database, phone.account.number, chat, {
    through: through > 0 ? through : undefined,
    keepStarred: index[0] === 'clearChat' && index[2] === KEEP_STARRED,
  })
}

function saveName({ state, phone, chat, value }: Place): void {
  const name = value.contactAction?.fullName
  if (name) phone.account.addressBook[chat] = name
  else delete phone.account.addressBook[chat]
  writeAccount(state.database, phone.account)
}
