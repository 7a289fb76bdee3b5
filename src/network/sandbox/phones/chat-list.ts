// The chat list of a phone: names, last messages and unread counts.
import { isGroupJid } from '../model/address.ts'
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
  const name = isGroup
    ? state.world.groups.get(chat)?.subject
    : (account.addressBook[chat] ?? state.world.accounts.get(chat)?.name)
  const last = seq === 0 ? undefined : messageAt(state.database, seq)
  return { chat, name: name ?? chat, isGroup, unread, last: last ? withoutContent(last) : null }
}
