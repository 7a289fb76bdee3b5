// What each kind of app-state change does on a phone.
import type { proto } from 'baileys'
import { isGroupJid } from '../model/address.ts'
import { accountByJid, type World } from '../model/world.ts'
import {
  changeChatSettings,
  readChatSettings,
  removeLabel,
  type StoredChatSettings,
} from '../store/chat-settings.ts'
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

interface Target extends Mutation {
  state: StoredWorld
  phone: Phone
  /** A number or the id of a group. */
  chat: string
}

/** The entry after the chat in the index of a cleared chat says what happens to starred messages. */
export const KEEP_STARRED = '0'

const ACTIONS: Record<string, (target: Target) => void> = {
  archive: (target) => set(target, { archived: target.value.archiveChatAction?.archived ?? false }),
  pin_v1: (target) => set(target, { pinned: target.value.pinAction?.pinned ?? false }),
  mute: (target) => {
    const { muted, muteEndTimestamp } = target.value.muteAction ?? {}
    set(target, { mutedUntil: muted ? Number(muteEndTimestamp ?? 0) : null })
  },
  markChatAsRead: markChat,
  star: (target) => {
    const message = messageOf(target)
    const starred = target.value.starAction?.starred ?? false
    if (message) setShown(target.state.database, message.seq, { ...shownPart(message), starred })
  },
  deleteMessageForMe: (target) => {
    const message = messageOf(target)
    if (message) removeMessage(target.state.database, message.seq)
  },
  clearChat: (target) => removeMessages(target, target.value.clearChatAction?.messageRange),
  deleteChat: (target) => removeMessages(target, target.value.deleteChatAction?.messageRange),
  contact: saveName,
}

/** The entry after the kind in the index is the label, and not the chat. */
const LABEL_CHAT = 'label_jid'

/** Applies a change of a linked device or of the phone itself. Kinds that a phone does not show are ignored. */
export function applyMutation(state: StoredWorld, phone: Phone, mutation: Mutation): void {
  const [kind = '', jid = ''] = mutation.index
  if (kind === 'setting_pushName') setName(state, phone, mutation.value.pushNameSetting?.name)
  if (kind === 'label_edit') saveLabel(state, phone, jid, mutation.value.labelEditAction)
  const chat = chatOf(state.world, kind === LABEL_CHAT ? (mutation.index[2] ?? '') : jid)
  if (chat === undefined) return
  if (kind === LABEL_CHAT) labelChat({ ...mutation, state, phone, chat })
  ACTIONS[kind]?.({ ...mutation, state, phone, chat })
  phone.notifyChanged(chat)
}

function setName({ database }: StoredWorld, { account }: Phone, name: string | null | undefined): void {
  if (!name || name === account.name) return
  account.name = name
  writeAccount(database, account)
}

function saveLabel(
  { database }: StoredWorld,
  { account }: Phone,
  labelId: string,
  label: proto.SyncActionValue.ILabelEditAction | null | undefined,
): void {
  if (label?.deleted) {
    delete account.labels[labelId]
    removeLabel(database, account.number, labelId)
  } else account.labels[labelId] = { name: label?.name ?? '', color: label?.color ?? 0 }
  writeAccount(database, account)
}

function labelChat(target: Target): void {
  const { state, phone, chat, value, index } = target
  const [, labelId = ''] = index
  const { labels } = readChatSettings(state.database, phone.account.number, chat)
  const others = labels.filter((id) => id !== labelId)
  set(target, { labels: value.labelAssociationAction?.labeled ? [...others, labelId] : others })
}

function chatOf(world: World, jid: string): string | undefined {
  return isGroupJid(jid) ? jid : accountByJid(world, jid)?.number
}

function set({ state, phone, chat }: Target, change: Partial<StoredChatSettings>): void {
  changeChatSettings(state.database, phone.account.number, chat, change)
}

/** Reading on another device marks the messages here too. It sends no receipts: that device has sent them. */
function markChat(target: Target): void {
  const { state, phone, chat, value } = target
  const isRead = value.markChatAsReadAction?.read ?? false
  set(target, { markedUnread: !isRead })
  if (!isRead) return
  for (const message of listUnread(state.database, phone.account.number, chat))
    setStatus(state.database, message.seq, 'read')
}

/** The message that the index names by its id and by whether it is the owner's. */
function messageOf({ state, phone, chat, index }: Target): StoredPhoneMessage | undefined {
  const [, , id = '', fromMe] = index
  const author = fromMe === '1' ? phone.account.number : undefined
  const message = findMessage(state.database, phone.account.number, id, author)
  return message?.chat === chat ? message : undefined
}

/** Messages that came after the change was made stay. */
function removeMessages(
  { state, phone, chat, index }: Target,
  range: proto.SyncActionValue.ISyncActionMessageRange | null | undefined,
): void {
  const through = Number(range?.lastMessageTimestamp ?? 0)
  removeChatMessages(state.database, phone.account.number, chat, {
    through: through > 0 ? through : undefined,
    keepStarred: index[0] === 'clearChat' && index[2] === KEEP_STARRED,
  })
}

function saveName({ state, phone, chat, value }: Target): void {
  const name = value.contactAction?.fullName
  if (name) phone.account.addressBook[chat] = name
  else delete phone.account.addressBook[chat]
  writeAccount(state.database, phone.account)
}
