// The chat list of a phone: names, last messages and unread counts.
import { isGroupJid } from '../model/address.ts'
import { pictureFor, pictureIdOf } from '../network/pictures.ts'
import { readChatSettings } from '../store/chat-settings.ts'
import { type ChatSummary, messageAt, summarizeChats, withoutContent } from '../store/messages.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import type { Phone } from './phone.ts'

/** A page of the chats, latest first. Groups without messages come last. */
export function listChatsOf(
  state: StoredWorld,
  phone: Phone,
  { page, limit }: { page: number; limit: number },
) {
  const { account } = phone
  const written = summarizeChats(state.database, account.number)
  const known = new Set(written.map(({ chat }) => chat))
  const silent = [...state.world.groups.values()]
    .filter((group) => group.members[account.number] && !known.has(group.jid))
    .map((group) => ({ chat: group.jid, seq: 0, unread: 0 }))
  const all = [...written, ...silent]
  const begin = (page - 1) * limit
  const chats = all.slice(begin, begin + limit).map((summary) => describeChat(state, phone, summary))
  return { chats, hasMore: all.length > begin + limit }
}

function describeChat(state: StoredWorld, { account }: Phone, { chat, seq, unread }: ChatSummary) {
  const isGroup = isGroupJid(chat)
  const group = state.world.groups.get(chat)
  const name = isGroup ? group?.subject : (account.addressBook[chat] ?? state.world.accounts.get(chat)?.name)
  const last = seq === 0 ? undefined : messageAt(state.database, seq)
  const settings = readChatSettings(state.database, account.number, chat)
  const disappearingSeconds = group?.ephemeralSeconds ?? settings.disappearingSeconds
  const shown = last ? withoutContent(last) : null
  const picture = pictureFor(state.world, account, chat)
  const pictureId = picture === undefined ? null : pictureIdOf({ picture })
  return {
    chat,
    name: name ?? chat,
    isGroup,
    pictureId,
    unread,
    last: shown,
    ...settings,
    disappearingSeconds,
  }
}
