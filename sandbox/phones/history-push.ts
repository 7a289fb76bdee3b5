// What a phone sends to a newly linked device: the app-state key, its chats, names and hidden ids.
import { deflateSync } from 'node:zlib'
import { generateMessageIDV2, proto } from 'baileys'
import { isGroupJid, jidOf, lidJid, pnJid, shownPn } from '../model/address.ts'
import type { Account, Device, World } from '../model/world.ts'
import { acquaintancesOf } from '../network/acquaintances.ts'
import { type Delivery, deliver, enqueue } from '../network/delivery.ts'
import { takeLinkingFault } from '../network/fault-state.ts'
import type { RoutingState, SandboxState } from '../network/sandbox-state.ts'
import { readChatSettings } from '../store/chat-settings.ts'
import { listChats, listMessages, type StoredPhoneMessage } from '../store/messages.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { nowSeconds, stanza } from '../wire/stanza.ts'
import type { Phone } from './phone.ts'
import { encryptFor } from './send.ts'

const MESSAGES_PER_CHAT = 200
/** Of one chat, in the full history. */
const MAX_OLDER = 10_000
const { HistorySyncType } = proto.HistorySync
const { Type } = proto.Message.ProtocolMessage

export async function pushHistory(
  state: RoutingState & Pick<SandboxState, 'faults'>,
  phone: Phone,
  device: Device,
): Promise<void> {
  const chats = listChats(state.database, phone.account.number)
  const people = acquaintancesOf(state, phone.account)
  const latest = (chat: string) =>
    listMessages(state.database, phone.account.number, { chat, from: 'end', limit: MESSAGES_PER_CHAT })
  if (!takeLinkingFault(state.faults, phone.account.number, 'app_state_key_withheld'))
    await sendToOwn(state, phone, device, {
      type: Type.APP_STATE_SYNC_KEY_SHARE,
      appStateSyncKeyShare: { keys: [appStateKey(phone.account)] },
    })
  await sendHistory(state, phone, device, {
    syncType: HistorySyncType.INITIAL_BOOTSTRAP,
    conversations: chats.map((chat) => conversation(state, phone, chat, latest(chat))),
    phoneNumberToLidMappings: people.flatMap((person) => {
      const shown = shownPn(person)
      return shown === undefined ? [] : [{ pnJid: shown, lidJid: lidJid(person) }]
    }),
  })
  await sendHistory(state, phone, device, {
    syncType: HistorySyncType.PUSH_NAME,
    pushnames: people.map((person) => ({ id: shownPn(person) ?? lidJid(person), pushname: person.name })),
  })
  await sendHistory(state, phone, device, { syncType: HistorySyncType.RECENT })
  const older = device.wantsFullHistory ? olderConversations(state, phone, chats.map(latest)) : []
  if (older.length > 0)
    await sendHistory(state, phone, device, { syncType: HistorySyncType.FULL, conversations: older })
}

/** The messages before the latest ones of each chat. */
function olderConversations(
  state: StoredWorld,
  phone: Phone,
  latest: StoredPhoneMessage[][],
): proto.IConversation[] {
  const { number } = phone.account
  return latest.flatMap(([first]) => {
    const range = first && { chat: first.chat, before: first.seq, from: 'end' as const, limit: MAX_OLDER }
    const older = range ? listMessages(state.database, number, range) : []
    return first && older.length > 0 ? [conversation(state, phone, first.chat, older)] : []
  })
}

/** The history is small enough to be sent inside the message; real phones upload it as media. */
async function sendHistory(
  state: RoutingState,
  phone: Phone,
  device: Device,
  history: History,
): Promise<void> {
  await sendToOwn(state, phone, device, historyNotification(history))
}

type History = proto.IHistorySync & { syncType: proto.HistorySync.HistorySyncType }

/** `requestId` names the request that this history answers. */
export function historyNotification(history: History, requestId?: string): proto.Message.IProtocolMessage {
  const progress = 100
  const chunkOrder = 1
  const payload = deflateSync(proto.HistorySync.encode({ ...history, progress, chunkOrder }).finish())
  return {
    type: Type.HISTORY_SYNC_NOTIFICATION,
    historySyncNotification: {
      // The two enumerations have the same values under different names.
      syncType: history.syncType as number,
      progress,
      chunkOrder,
      initialHistBootstrapInlinePayload: payload,
      ...(requestId !== undefined && { peerDataRequestSessionId: requestId }),
    },
  }
}

async function sendToOwn(
  state: RoutingState,
  phone: Phone,
  device: Device,
  protocolMessage: proto.Message.IProtocolMessage,
): Promise<void> {
  const deliveries = await toOwnDevice(state, phone, device.id, protocolMessage)
  phone.signal.keys.save()
  await deliver(state, deliveries)
}

/** Queues a message between devices of one account, which no chat shows. The caller saves the keys and delivers. */
export async function toOwnDevice(
  state: RoutingState,
  phone: Phone,
  device: number,
  protocolMessage: proto.Message.IProtocolMessage,
): Promise<Delivery[]> {
  const { account } = phone
  const part = await encryptFor(state, phone, { account, device }, { protocolMessage })
  if (!part) return []
  const attributes = {
    from: pnJid(account),
    id: generateMessageIDV2(),
    type: 'text',
    category: 'peer',
    t: nowSeconds(),
  }
  return [enqueue(state.database, account, device, stanza('message', attributes, [part]))]
}

/** A chat as a linked device reads it. The messages are given oldest first, and sent latest first. */
export function conversation(
  state: StoredWorld,
  phone: Phone,
  chat: string,
  stored: StoredPhoneMessage[],
): proto.IConversation {
  const messages = stored.toReversed()
  const person = state.world.accounts.get(chat)
  const id = person ? jidOf(person, state.world.addressing) : chat
  const names = person
    ? {
        name: phone.account.addressBook[chat] ?? person.name,
        pnJid: shownPn(person) ?? null,
        lidJid: lidJid(person),
      }
    : { name: state.world.groups.get(chat)?.subject ?? '' }
  const settings = readChatSettings(state.database, phone.account.number, chat)
  return {
    id,
    ...names,
    archived: settings.archived,
    markedAsUnread: settings.markedUnread,
    muteEndTime: settings.mutedUntil ?? 0,
    pinned: settings.pinned ? 1 : 0,
    ephemeralExpiration: state.world.groups.get(chat)?.ephemeralSeconds ?? settings.disappearingSeconds,
    unreadCount: messages.filter((message) => message.status === 'received').length,
    conversationTimestamp: messages[0]?.timestamp ?? 0,
    messages: messages.map((message, index) => ({
      message: historyMessage(state.world, message, id),
      msgOrderId: messages.length - index,
    })),
  }
}

export function historyMessage(
  world: World,
  message: StoredPhoneMessage,
  chatJid: string,
): proto.IWebMessageInfo {
  const author = world.accounts.get(message.from)
  const { addressing } = world.groups.get(message.chat) ?? world
  const participant = author && isGroupJid(chatJid) ? jidOf(author, addressing) : undefined
  return {
    key: { remoteJid: chatJid, fromMe: message.fromMe, id: message.id, ...(participant && { participant }) },
    message: proto.Message.decode(message.content),
    messageTimestamp: message.timestamp,
    ...(message.starred && { starred: true }),
    ...(author && !message.fromMe && { pushName: author.name }),
    ...(participant && { participant }),
  }
}

function appStateKey({ phone, devices }: Account): proto.Message.IAppStateSyncKey {
  const { id, data } = phone.appStateKey
  const fingerprint = { rawId: phone.rawId, currentIndex: 0, deviceIndexes: [0, ...devices.keys()] }
  return { keyId: { keyId: id }, keyData: { keyData: data, fingerprint, timestamp: Date.now() } }
}
