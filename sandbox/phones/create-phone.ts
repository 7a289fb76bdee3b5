// Creates a phone: device 0 of an account, and a real Signal endpoint.

import { randomBytes } from 'node:crypto'
import { aesDecryptGCM, aesEncryptGCM, decodeBinaryNode, hkdf, proto, type WAPatchName } from 'baileys'
import { createSerialQueue } from '../../src/kernel/async/locks.ts'
import { deviceOf, isGroupJid, isSharedJid, jidOf, pnJid } from '../model/address.ts'
import { createNotifier } from '../model/notifier.ts'
import type { ShownStatus } from '../model/shown-message.ts'
import { type Account, accountByJid, type World } from '../model/world.ts'
import { type Delivery, deliverLater, enqueue, logFrame } from '../network/delivery.ts'
import { receiptIds, routeReceipt } from '../network/receipts.ts'
import type { RoutingState, SandboxState } from '../network/sandbox-state.ts'
import { findMessage, listMessages, type StoredPhoneMessage, setStatus } from '../store/messages.ts'
import { readQueue, removeEntry } from '../store/queue.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { child, childBytes, children, childrenOf, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import { shareName, syncCollection } from './app-state.ts'
import { applyToChat } from './chat.ts'
import {
  conversation,
  historyMessage,
  historyNotification,
  pushHistory,
  toOwnDevice,
} from './history-push.ts'
import { mediaPart } from './media.ts'
import type { Phone } from './phone.ts'
import { createPresence } from './phone-presence.ts'
import { answerRetry, requestRetry } from './retry.ts'
import { forgetSenderKey } from './send.ts'
import { createSignal } from './signal.ts'
import { createTypingLog } from './typing-log.ts'

export function createPhone(state: SandboxState, account: Account): Phone {
  const signal = createSignal(state.database, account)
  /** The queue entries in progress, so that reading the queue again does not process them twice. */
  const inProgress = new Set<number>()
  const turns = createSerialQueue()
  let stopped = false

  const phone: Phone = {
    account,
    signal,
    notifier: createNotifier(),
    typing: createTypingLog(state.world),
    presence: createPresence(state, account),
    runExclusive: (work) =>
      turns.run(async () => {
        signal.keys.discard()
        try {
          return await work()
        } finally {
          signal.keys.discard()
        }
      }),
    receive({ seq, node }) {
      if (stopped || state.faults.offline.has(account.number) || inProgress.has(seq)) return
      inProgress.add(seq)
      void phone
        .runExclusive(() => receiveStanza(state, phone, seq, node))
        .catch((error: unknown) =>
          state.log.error('phone could not process a stanza', {
            number: account.number,
            error: String(error),
          }),
        )
        .finally(() => inProgress.delete(seq))
    },
    notifyChanged(chat) {
      phone.notifier.notify()
      state.changes.record({ about: 'messages', number: account.number, chat }, [account.owner])
    },
    receiveTransient(node) {
      const sign = phone.typing.add(node)
      if (!sign) return
      const { seq: _seq, timestamp: _timestamp, ...typing } = sign
      state.changes.record({ about: 'typing', number: account.number, ...typing }, [account.owner])
    },
    receiveQueued() {
      for (const { seq, stanza } of readQueue(state.database, account.number, 0))
        void decodeBinaryNode(Buffer.from(stanza)).then((node) => phone.receive({ seq, node }))
    },
    async stop() {
      stopped = true
      await turns.drained()
    },
    takeBundle: () => signal.takeBundle(),
    async pushHistory(device) {
      await phone.runExclusive(() => pushHistory(state, phone, device))
      await shareName(state, phone)
    },
  }
  return phone
}

// Processes the stanzas that a phone receives: decrypts and shows messages, applies receipts, answers retries.

/** The error of the Signal protocol for a message whose key was used before. */
const USED_KEY = 'MessageCounterError'

type ReceivingState = RoutingState & Pick<SandboxState, 'media'>

async function receiveStanza(state: ReceivingState, phone: Phone, seq: number, node: Stanza): Promise<void> {
  logFrame(state.database, 'out', phone.account.number, 0, node)
  const deliveries = await handleStanza(state, phone, node)
  // One transaction contains the key changes, the stanzas that were queued in response, and the removal from the queue.
  phone.signal.keys.save()
  removeEntry(state.database, seq)
  // The next stanza does not wait for the commit. If the commit fails, both are received again.
  deliverLater(state, deliveries)
}

async function handleStanza(state: ReceivingState, phone: Phone, node: Stanza): Promise<Delivery[]> {
  if (node.tag === 'message') return receiveMessage(state, phone, node)
  if (node.tag === 'receipt') return receiveReceipt(state, phone, node)
  if (node.attrs['type'] === 'server_sync') await syncCollections(state, phone, node)
  else if (node.tag === 'notification') forgetSenderKeyOnRemoval(state.world, phone, node)
  return []
}

async function receiveMessage(state: ReceivingState, phone: Phone, node: Stanza): Promise<Delivery[]> {
  const { from = '', participant } = node.attrs
  const authorJid = participant ?? from
  const author = accountByJid(state.world, authorJid)
  if (!author) return []
  const message = await decryptParts(phone, node, author, deviceOf(authorJid))
  if (message === 'unreadable') return requestRetry(state, phone, node)
  if (message === 'repeated') return dropRepeated(state, phone, node)
  if (author === phone.account || node.attrs['category'] === 'peer') {
    showOwnMessage(state, phone, node, message)
    return answerOwnDevice(state, phone, node, message)
  }
  applyToChat(state, phone, {
    id: node.attrs['id'] ?? '',
    chat: isSharedJid(from) ? from : author.number,
    author,
    message,
    hasBizNode: child(node, 'biz') !== undefined,
    timestamp: Number(node.attrs['t']),
  })
  const receipt = stanza('receipt', { id: node.attrs['id'], to: from, participant, t: nowSeconds() })
  logFrame(state.database, 'in', phone.account.number, 0, receipt)
  return routeReceipt(state, { account: phone.account, device: 0 }, receipt)
}

/** A linked device may ask its phone for messages that it does not have. */
async function answerOwnDevice(
  state: ReceivingState,
  phone: Phone,
  node: Stanza,
  message: proto.IMessage,
): Promise<Delivery[]> {
  const { protocolMessage } = message.deviceSentMessage?.message ?? message
  const request = protocolMessage?.peerDataOperationRequestMessage
  const { from = '', id = '', category } = node.attrs
  // The request is a peer message of a device of the account. Another person could send the same content.
  if (!request || category !== 'peer' || accountByJid(state.world, from) !== phone.account) return []
  return answerPeerRequest(state, phone, { device: deviceOf(from), requestId: id }, request)
}

/** Decrypts and merges all parts of a stanza. A part whose key was used before is left out, as the official clients do. */
async function decryptParts(
  phone: Phone,
  node: Stanza,
  author: Account,
  device: number,
): Promise<proto.IMessage | 'unreadable' | 'repeated'> {
  const group = isSharedJid(node.attrs['from'] ?? '') ? node.attrs['from'] : undefined
  let whole: proto.IMessage | undefined
  for (const part of childrenOf(node, 'enc')) {
    try {
      const message = await phone.signal.decrypt(part, jidOf(author, 'lid', device), group)
      whole = Object.assign(whole ?? {}, message)
    } catch (error) {
      if (error instanceof Error && error.name === USED_KEY) continue
      phone.signal.keys.discard()
      return 'unreadable'
    }
  }
  return whole ?? 'repeated'
}

/** The message is acknowledged to the network, and its sender hears nothing: to the phone it is a delivery that came twice. */
function dropRepeated(state: ReceivingState, phone: Phone, node: Stanza): Delivery[] {
  const { id, from, participant } = node.attrs
  const { number } = phone.account
  logFrame(state.database, 'in', number, 0, stanza('ack', { id, to: from, participant, class: 'message' }))
  state.log.info('phone dropped a message: its key was used before', { number, id, from, participant })
  return []
}

/** Shows a message that a linked device of the same account has sent. */
function showOwnMessage(state: StoredWorld, phone: Phone, node: Stanza, message: proto.IMessage): void {
  const { from = '', recipient } = node.attrs
  const sent = message.deviceSentMessage
  const content = sent?.message ?? (isSharedJid(from) ? message : undefined)
  // A message between devices of the account, such as a request, has neither form.
  if (!content) return
  const destination = recipient ?? sent?.destinationJid ?? from
  const chat = isSharedJid(from) ? from : accountByJid(state.world, destination)?.number
  if (!chat) return
  applyToChat(state, phone, {
    id: node.attrs['id'] ?? '',
    chat,
    author: phone.account,
    message: content,
    hasBizNode: child(node, 'biz') !== undefined,
    timestamp: Number(node.attrs['t']),
  })
}

const RANK: ShownStatus[] = ['sent', 'delivered', 'read', 'played']

async function receiveReceipt(state: ReceivingState, phone: Phone, node: Stanza): Promise<Delivery[]> {
  const type = node.attrs['type']
  if (type === 'retry') return answerRetry(state, phone, node)
  if (type === 'server-error') return answerMediaRetry(state, phone, node)
  if (node.attrs['recipient'] !== undefined) return applyOwnRead(state, phone, node)
  const status = type === undefined ? 'delivered' : type
  if (!RANK.includes(status as ShownStatus)) return []
  const { from = '' } = node.attrs
  const chat = isSharedJid(from) ? from : accountByJid(state.world, from)?.number
  for (const id of receiptIds(node)) {
    const message = findMessage(state.database, phone.account.number, id, phone.account.number)
    if (!message || message.chat !== chat) continue
    if (RANK.indexOf(message.status) >= RANK.indexOf(status as ShownStatus)) continue
    setStatus(state.database, message.seq, status as ShownStatus)
    phone.notifyChanged(message.chat)
  }
  return []
}

/** Marks messages as read that the person has read on another device. */
function applyOwnRead(state: StoredWorld, phone: Phone, node: Stanza): Delivery[] {
  const author = accountByJid(state.world, node.attrs['recipient'] ?? '')
  for (const id of receiptIds(node)) {
    const message = author && findMessage(state.database, phone.account.number, id, author.number)
    if (message?.status !== 'received') continue
    setStatus(state.database, message.seq, node.attrs['type']?.startsWith('played') ? 'played' : 'read')
    phone.notifyChanged(message.chat)
  }
  return []
}

/** A linked device has changed app state. */
async function syncCollections(state: StoredWorld, phone: Phone, node: Stanza): Promise<void> {
  for (const { attrs } of childrenOf(node, 'collection'))
    await syncCollection(state, phone, attrs['name'] as WAPatchName)
}

/** A removed member must not be able to read later messages, so the next message uses a new sender key. */
function forgetSenderKeyOnRemoval(world: World, phone: Phone, node: Stanza): void {
  const [change] = children(node)
  const group = world.groups.get(node.attrs['from'] ?? '')
  if (group && change?.tag === 'remove') forgetSenderKey(phone, group)
}

// Media that the network has dropped: a linked device asks its phone, which uploads the file again.

const { NOT_FOUND, DECRYPTION_ERROR, SUCCESS } = proto.MediaRetryNotification.ResultType

async function answerMediaRetry(
  state: RoutingState & Pick<SandboxState, 'media'>,
  phone: Phone,
  receipt: Stanza,
): Promise<Delivery[]> {
  const { id = '', from = '' } = receipt.attrs
  const answer = await uploadAgain(state, phone, id, receipt)
  const request = child(receipt, 'rmr')
  const attributes = { id, type: 'mediaretry', from: pnJid(phone.account), t: nowSeconds() }
  const content = request ? [request, answer] : [answer]
  return [enqueue(state.database, phone.account, deviceOf(from), stanza('notification', attributes, content))]
}

/** The path of the file, encrypted with a key that only devices with the message can derive, or an error. */
async function uploadAgain(
  state: RoutingState & Pick<SandboxState, 'media'>,
  phone: Phone,
  id: string,
  receipt: Stanza,
): Promise<Stanza> {
  const message = findMessage(state.database, phone.account.number, id)
  const part = message && mediaPart(proto.Message.decode(message.content))?.part
  const { directPath, mediaKey } = part ?? {}
  if (!directPath || !mediaKey) return refuse(NOT_FOUND)
  const key = hkdf(mediaKey, 32, { info: 'WhatsApp Media Retry Notification' })
  const bound = Buffer.from(id)
  try {
    const request = child(receipt, 'encrypt')
    aesDecryptGCM(childBytes(request, 'enc_p'), key, childBytes(request, 'enc_iv'), bound)
  } catch {
    return refuse(DECRYPTION_ERROR)
  }
  if (!(await state.media.restore(state.media.fileAt(directPath)))) return refuse(NOT_FOUND)
  const iv = randomBytes(12)
  const answer = proto.MediaRetryNotification.encode({ stanzaId: id, directPath, result: SUCCESS }).finish()
  return stanza('encrypt', {}, [
    stanza('enc_p', {}, aesEncryptGCM(answer, key, iv, bound)),
    stanza('enc_iv', {}, iv),
  ])
}

function refuse(code: number): Stanza {
  return stanza('error', { code: String(code) })
}

// Requests of a linked device to its phone: older messages of a chat, and messages that the device could not read.

const { Type } = proto.Message.ProtocolMessage
const { EndOfHistoryTransferType } = proto.Conversation

/** The largest number of messages in one answer. */
const MAX_MESSAGES = 500

interface Asker {
  device: number
  /** The id of the message that carried the request. The answer names it. */
  requestId: string
}

async function answerPeerRequest(
  state: RoutingState,
  phone: Phone,
  asker: Asker,
  request: proto.Message.IPeerDataOperationRequestMessage,
): Promise<Delivery[]> {
  const { historySyncOnDemandRequest: history, placeholderMessageResendRequest: placeholders } = request
  const answers: proto.Message.IProtocolMessage[] = []
  if (history) answers.push(...olderMessages(state, phone, asker, history))
  if (placeholders?.length) answers.push(resentMessages(state, phone, asker, placeholders))
  const deliveries: Delivery[] = []
  for (const answer of answers) deliveries.push(...(await toOwnDevice(state, phone, asker.device, answer)))
  return deliveries
}

/** The messages of a chat before the oldest one that the device has, the latest of them first. */
function olderMessages(
  state: StoredWorld,
  phone: Phone,
  { requestId }: Asker,
  { chatJid, oldestMsgId, onDemandMsgCount }: HistoryRequest,
): proto.Message.IProtocolMessage[] {
  const jid = chatJid ?? ''
  const chat = isGroupJid(jid) ? jid : accountByJid(state.world, jid)?.number
  if (chat === undefined) return []
  const { number } = phone.account
  const before = findMessage(state.database, number, oldestMsgId ?? '')?.seq
  const limit = Math.min(onDemandMsgCount ?? MAX_MESSAGES, MAX_MESSAGES)
  // One more than requested shows whether the phone has further messages.
  const found = listMessages(state.database, number, { chat, before, from: 'end', limit: limit + 1 })
  const messages = found.slice(-limit)
  const hasMore = found.length > messages.length
  const history = {
    syncType: proto.HistorySync.HistorySyncType.ON_DEMAND,
    conversations: [
      {
        ...conversation(state, phone, chat, messages),
        endOfHistoryTransfer: !hasMore,
        endOfHistoryTransferType: hasMore
          ? EndOfHistoryTransferType.COMPLETE_ON_DEMAND_SYNC_BUT_MORE_MSG_REMAIN_ON_PRIMARY
          : EndOfHistoryTransferType.COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY,
      },
    ],
  }
  return [historyNotification(history, requestId)]
}

type HistoryRequest = proto.Message.PeerDataOperationRequestMessage.IHistorySyncOnDemandRequest
type PlaceholderRequest = proto.Message.PeerDataOperationRequestMessage.IPlaceholderMessageResendRequest

/** Messages that the phone does not have, and view-once media, are left out of the answer. */
function resentMessages(
  state: StoredWorld,
  phone: Phone,
  { requestId }: Asker,
  requests: PlaceholderRequest[],
): proto.Message.IProtocolMessage {
  const results = requests.flatMap(({ messageKey }) => {
    const message = findMessage(state.database, phone.account.number, messageKey?.id ?? '')
    if (!message || message.viewOnce) return []
    return {
      placeholderMessageResendResponse: { webMessageInfoBytes: encodeFor(state, message, messageKey) },
    }
  })
  return {
    type: Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
    peerDataOperationRequestResponseMessage: {
      peerDataOperationRequestType: proto.Message.PeerDataOperationRequestType.PLACEHOLDER_MESSAGE_RESEND,
      stanzaId: requestId,
      peerDataOperationResult: results,
    },
  }
}

function encodeFor(
  { world }: StoredWorld,
  message: StoredPhoneMessage,
  key: proto.IMessageKey | null | undefined,
): Uint8Array {
  return proto.WebMessageInfo.encode(historyMessage(world, message, key?.remoteJid ?? message.chat)).finish()
}
