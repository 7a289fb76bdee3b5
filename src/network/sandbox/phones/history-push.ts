// What a phone sends to a newly linked device: the app-state key, its chats, names and hidden ids.
import { deflateSync } from 'node:zlib'
import { generateMessageIDV2, proto } from 'baileys'
import { isGroupJid, jidOf, lidJid, pnJid } from '../model/address.ts'
import type { Account, Device, World } from '../model/world.ts'
import { acquaintancesOf } from '../network/acquaintances.ts'
import { deliver, enqueue } from '../network/delivery.ts'
import type { RoutingState } from '../network/sandbox-state.ts'
import { listChats, listMessages, type StoredMessage } from '../store/messages.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { nowSeconds, stanza } from '../wire/stanza.ts'
import type { Phone } from './phone.ts'
import { encryptFor } from './send.ts'

const MESSAGES_PER_CHAT = 200
const { HistorySyncType } = proto.HistorySync
const { Type } = proto.Message.ProtocolMessage

export async function pushHistory(state: RoutingState, phone: Phone, device: Device): Promise<void> {
  const chats = listChats(state.database, phone.account.number)
  const people = acquaintancesOf(state, phone.account)
  await sendToOwn(state, phone, device, {
    type: Type.APP_STATE_SYNC_KEY_SHARE,
    appStateSyncKeyShare: { keys: [appStateKey(phone.account)] },
  })
  await sendHistory(state, phone, device, {
    syncType: HistorySyncType.INITIAL_BOOTSTRAP,
    conversations: chats.map((chat) => conversation(state, phone, chat)),
    phoneNumberToLidMappings: people.map((person) => ({ pnJid: pnJid(person), lidJid: lidJid(person) })),
  })
  await sendHistory(state, phone, device, {
    syncType: HistorySyncType.PUSH_NAME,
    pushnames: people.map((person) => ({ id: pnJid(person), pushname: person.name })),
  })
  await sendHistory(state, phone, device, { syncType: HistorySyncType.RECENT })
}

/** The history is small enough to be sent inside the message; real phones upload it as media. */
async function sendHistory(
  state: RoutingState,
  phone: Phone,
  device: Device,
  history: proto.IHistorySync & { syncType: proto.HistorySync.HistorySyncType },
): Promise<void> {
  const progress = 100
  const chunkOrder = 1
  const payload = deflateSync(proto.HistorySync.encode({ ...history, progress, chunkOrder }).finish())
  await sendToOwn(state, phone, device, {
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

/** Sends a message between devices of one account, which no chat shows. */
async function sendToOwn(
  state: RoutingState,
  phone: Phone,
  device: Device,
  protocolMessage: proto.Message.IProtocolMessage,
): Promise<void> {
  const { account } = phone
  const part = await encryptFor(state, phone, { account, device: device.id }, { protocolMessage })
  if (!part) return
  const attributes = {
    from: pnJid(account),
    id: generateMessageIDV2(),
    type: 'text',
    category: 'peer',
    t: nowSeconds(),
  }
  const delivery = enqueue(state.database, account, device.id, stanza('message', attributes, [part]))
  phone.signal.keys.save()
  await deliver(state, [delivery])
}

function conversation(state: StoredWorld, phone: Phone, chat: string): proto.IConversation {
  const messages = listMessages(state.database, phone.account.number, { chat })
    .slice(-MESSAGES_PER_CHAT)
    .toReversed()
  const person = state.world.accounts.get(chat)
  const id = person ? jidOf(person, state.world.addressing) : chat
  const names = person
    ? { name: phone.account.addressBook[chat] ?? person.name, pnJid: pnJid(person), lidJid: lidJid(person) }
    : { name: state.world.groups.get(chat)?.subject ?? '' }
  return {
    id,
    ...names,
    unreadCount: messages.filter((message) => message.status === 'received').length,
    conversationTimestamp: messages[0]?.timestamp ?? 0,
    messages: messages.map((message, index) => ({
      message: historyMessage(state.world, message, id),
      msgOrderId: messages.length - index,
    })),
  }
}

function historyMessage(world: World, message: StoredMessage, chatJid: string): proto.IWebMessageInfo {
  const author = world.accounts.get(message.from)
  const { addressing } = world.groups.get(message.chat) ?? world
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
