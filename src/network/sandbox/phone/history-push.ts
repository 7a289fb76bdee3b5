/** What a phone hands to a device that was just linked: the app-state key, its chats, names and hidden ids. */
import { deflateSync } from 'node:zlib'
import { generateMessageIDV2, proto } from 'baileys'
import { isGroupJid, jidOf, lidJid, pnJid } from '../address.ts'
import { deliver, enqueue } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import { nowSeconds, stanza } from '../stanza.ts'
import { listChats, listMessages, type StoredMessage } from '../store/messages.ts'
import type { Account, Device } from '../world.ts'
import type { Phone } from './phone.ts'
import { encryptFor } from './send.ts'

const MESSAGES_PER_CHAT = 200
const { HistorySyncType } = proto.HistorySync
const { Type } = proto.Message.ProtocolMessage

export async function pushHistory(exchange: Exchange, phone: Phone, device: Device): Promise<void> {
  const chats = listChats(exchange.database, phone.account.number)
  const people = acquaintances(exchange, phone, chats)
  await sendToOwn(exchange, phone, device, {
    type: Type.APP_STATE_SYNC_KEY_SHARE,
    appStateSyncKeyShare: { keys: [appStateKey(phone.account)] },
  })
  await sendHistory(exchange, phone, device, {
    syncType: HistorySyncType.INITIAL_BOOTSTRAP,
    conversations: chats.map((chat) => conversation(exchange, phone, chat)),
    phoneNumberToLidMappings: people.map((person) => ({ pnJid: pnJid(person), lidJid: lidJid(person) })),
  })
  await sendHistory(exchange, phone, device, {
    syncType: HistorySyncType.PUSH_NAME,
    pushnames: people.map((person) => ({ id: pnJid(person), pushname: person.name })),
  })
  await sendHistory(exchange, phone, device, { syncType: HistorySyncType.RECENT })
}

/** The history is small enough here to travel inside the message; real phones upload longer ones. */
async function sendHistory(
  exchange: Exchange,
  phone: Phone,
  device: Device,
  history: proto.IHistorySync & { syncType: proto.HistorySync.HistorySyncType },
): Promise<void> {
  const progress = 100
  const chunkOrder = 1
  const payload = deflateSync(proto.HistorySync.encode({ ...history, progress, chunkOrder }).finish())
  await sendToOwn(exchange, phone, device, {
    type: Type.HISTORY_SYNC_NOTIFICATION,
    historySyncNotification: {
      // The two enumerations have the same values under different names.
      syncType: history.syncType as number,
      progress,
      chunkOrder,
      initialHistBootstrapInlinePayload: payload,
    },
  })
}

/** A message between devices of one account, which no chat shows. */
async function sendToOwn(
  exchange: Exchange,
  phone: Phone,
  device: Device,
  protocolMessage: proto.Message.IProtocolMessage,
): Promise<void> {
  const { account } = phone
  const part = await encryptFor(exchange, phone, { account, device: device.id }, { protocolMessage })
  if (!part) return
  const attributes = {
    from: pnJid(account),
    id: generateMessageIDV2(),
    type: 'text',
    category: 'peer',
    t: nowSeconds(),
  }
  const delivery = enqueue(exchange, account, device.id, stanza('message', attributes, [part]))
  phone.signal.keys.keep()
  await deliver(exchange, [delivery])
}

function conversation(exchange: Exchange, phone: Phone, chat: string): proto.IConversation {
  const messages = listMessages(exchange.database, phone.account.number, { chat })
    .slice(-MESSAGES_PER_CHAT)
    .toReversed()
  const person = exchange.world.accounts.get(chat)
  const id = person ? jidOf(person, exchange.world.addressing) : chat
  const names = person
    ? { name: phone.account.addressBook[chat] ?? person.name, pnJid: pnJid(person), lidJid: lidJid(person) }
    : { name: exchange.world.groups.get(chat)?.subject ?? '' }
  return {
    id,
    ...names,
    unreadCount: messages.filter((message) => message.status === 'received').length,
    conversationTimestamp: messages[0]?.timestamp ?? 0,
    messages: messages.map((message, index) => ({
      message: historyMessage(exchange, message, id),
      msgOrderId: messages.length - index,
    })),
  }
}

function historyMessage(exchange: Exchange, message: StoredMessage, chatJid: string): proto.IWebMessageInfo {
  const author = exchange.world.accounts.get(message.from)
  const { addressing } = exchange.world.groups.get(message.chat) ?? exchange.world
  const participant = author && isGroupJid(chatJid) ? jidOf(author, addressing) : undefined
  return {
    key: { remoteJid: chatJid, fromMe: message.fromMe, id: message.id, ...(participant && { participant }) },
    message: proto.Message.decode(message.content),
    messageTimestamp: message.timestamp,
    ...(author && !message.fromMe && { pushName: author.name }),
    ...(participant && { participant }),
  }
}

function appStateKey({ phone, devices }: Account): proto.Message.IAppStateSyncKey {
  const { id, data } = phone.appStateKey
  const fingerprint = { rawId: phone.rawId, currentIndex: 0, deviceIndexes: [0, ...devices.keys()] }
  return { keyId: { keyId: id }, keyData: { keyData: data, fingerprint, timestamp: Date.now() } }
}

/** Everybody the phone has a chat or a group with, and itself. */
function acquaintances(exchange: Exchange, phone: Phone, chats: string[]): Account[] {
  const { world } = exchange
  const groups = [...world.groups.values()].filter((group) => group.members[phone.account.number])
  const numbers = new Set([
    phone.account.number,
    ...chats,
    ...groups.flatMap((group) => Object.keys(group.members)),
  ])
  return [...numbers].flatMap((number) => world.accounts.get(number) ?? [])
}
