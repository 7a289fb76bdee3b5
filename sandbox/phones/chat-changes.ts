// Changes that concern the owner's devices only: the settings of chats, stars, and deletions that others do not see.
import { type ChatModification, chatModificationToAppPatch } from 'baileys'
import { jidOf } from '../model/address.ts'
import type { RoutingState } from '../network/sandbox-state.ts'
import { readChatSettings } from '../store/chat-settings.ts'
import { listMessages } from '../store/messages.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { keyOf, markRead } from './actions.ts'
import { pushChange } from './app-state.ts'
import { KEEP_STARRED } from './app-state-actions.ts'
import { messageOn } from './compose.ts'
import type { Phone } from './phone.ts'
import { type Chat, findChat } from './send.ts'

export interface PhoneChatChange {
  archived?: boolean | undefined
  pinned?: boolean | undefined
  mutedUntil?: number | null | undefined
  unread?: boolean | undefined
}

/** Each given field is a change of its own, as on a real phone. */
export async function changeChat(
  state: RoutingState,
  phone: Phone,
  name: string,
  { archived, pinned, mutedUntil, unread }: PhoneChatChange,
): Promise<void> {
  const chat = findChat(state.world, phone, name)
  const lastMessages = lastMessagesOf(state, phone, name)
  const changes: ChatModification[] = []
  if (archived !== undefined) changes.push({ archive: archived, lastMessages })
  if (pinned !== undefined) changes.push({ pin: pinned })
  if (mutedUntil !== undefined) changes.push({ mute: mutedUntil })
  if (unread !== undefined) changes.push({ markRead: !unread, lastMessages })
  for (const change of changes) await push(state, phone, chat, change)
}

/** Reads a chat, and ends the mark of a chat that its owner marked as unread. */
export async function readChat(
  state: RoutingState,
  phone: Phone,
  request: { chat: string; messageId?: string | undefined; played: boolean },
): Promise<string[]> {
  const read = await markRead(state, phone, request)
  const { markedUnread } = readChatSettings(state.database, phone.account.number, request.chat)
  if (markedUnread) await changeChat(state, phone, request.chat, { unread: false })
  return read
}

export async function starMessage(
  state: RoutingState,
  phone: Phone,
  messageId: string,
  isStarred: boolean,
): Promise<void> {
  const { id, fromMe, chat } = messageOn(state.database, phone, messageId)
  const star = { messages: [{ id, fromMe }], star: isStarred }
  await push(state, phone, findChat(state.world, phone, chat), { star })
}

export async function deleteForMe(state: RoutingState, phone: Phone, messageId: string): Promise<void> {
  const message = messageOn(state.database, phone, messageId)
  const { timestamp } = message
  const change = { deleteForMe: { key: keyOf(state.world, message), timestamp, deleteMedia: false } }
  await push(state, phone, findChat(state.world, phone, message.chat), change)
}

/** Removes the messages of a chat from the devices of the account. */
export async function clearChat(
  state: RoutingState,
  phone: Phone,
  name: string,
  keepStarred: boolean,
): Promise<void> {
  const jid = jidIn(state, phone, findChat(state.world, phone, name))
  const lastMessages = lastMessagesOf(state, phone, name)
  const change = chatModificationToAppPatch({ clear: true, lastMessages }, jid)
  // The library always removes starred messages.
  const index = keepStarred ? ['clearChat', jid, KEEP_STARRED, '0'] : change.index
  await pushChange(state, phone, { ...change, index })
}

/** Removes the messages of a chat from the devices of the account, and the chat from the list. */
export async function deleteChat(state: RoutingState, phone: Phone, name: string): Promise<void> {
  const chat = findChat(state.world, phone, name)
  await push(state, phone, chat, { delete: true, lastMessages: lastMessagesOf(state, phone, name) })
}

function push(state: RoutingState, phone: Phone, chat: Chat, change: ChatModification): Promise<void> {
  return pushChange(state, phone, chatModificationToAppPatch(change, jidIn(state, phone, chat)))
}

function jidIn(state: StoredWorld, phone: Phone, { group, person }: Chat): string {
  return group?.jid ?? jidOf(person ?? phone.account, state.world.addressing)
}

/** Names the last message, so that a device with later messages does not apply the change to them. */
function lastMessagesOf(state: StoredWorld, phone: Phone, chat: string) {
  return listMessages(state.database, phone.account.number, { chat, from: 'end', limit: 1 }).map(
    (message) => ({ key: keyOf(state.world, message), messageTimestamp: message.timestamp }),
  )
}
