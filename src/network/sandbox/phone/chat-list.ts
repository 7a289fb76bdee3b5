/** The list of chats that a phone opens with: who, what was said last, and how much is unread. */
import { isGroupJid } from '../address.ts'
import type { Exchange } from '../exchange.ts'
import { type ChatSummary, messageAt, summarizeChats, withoutContent } from '../store/messages.ts'
import type { Phone } from './phone.ts'

/** A page of the chats, the latest first; groups in which nobody has written yet come last. */
export function listChatsOf(
  exchange: Exchange,
  phone: Phone,
  { page, limit }: { page: number; limit: number },
) {
  const { account } = phone
  const written = summarizeChats(exchange.database, account.number)
  const known = new Set(written.map(({ chat }) => chat))
  const silent = [...exchange.world.groups.values()]
    .filter((group) => group.members[account.number] && !known.has(group.jid))
    .map((group) => ({ chat: group.jid, seq: 0, unread: 0 }))
  const all = [...written, ...silent]
  const begin = (page - 1) * limit
  const chats = all.slice(begin, begin + limit).map((summary) => describeChat(exchange, phone, summary))
  return { chats, hasMore: all.length > begin + limit }
}

function describeChat(exchange: Exchange, { account }: Phone, { chat, seq, unread }: ChatSummary) {
  const isGroup = isGroupJid(chat)
  const name = isGroup
    ? exchange.world.groups.get(chat)?.subject
    : (account.addressBook[chat] ?? exchange.world.accounts.get(chat)?.name)
  const last = seq === 0 ? undefined : messageAt(exchange.database, seq)
  return { chat, name: name ?? chat, isGroup, unread, last: last ? withoutContent(last) : null }
}
