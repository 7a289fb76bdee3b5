// Processes the stanzas that a phone receives: decrypts and shows messages, applies receipts, answers retries.
import type { proto, WAPatchName } from 'baileys'
import { deviceOf, isSharedJid, jidOf } from '../model/address.ts'
import type { ShownStatus } from '../model/shown-message.ts'
import { type Account, accountByJid, type World } from '../model/world.ts'
import { type Delivery, deliverLater, logFrame } from '../network/delivery.ts'
import { receiptIds, routeReceipt } from '../network/receipts.ts'
import type { RoutingState, SandboxState } from '../network/sandbox-state.ts'
import { findMessage, setStatus } from '../store/messages.ts'
import { removeEntry } from '../store/queue.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { child, children, childrenOf, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import { syncCollection } from './app-state.ts'
import { applyToChat } from './chat.ts'
import { answerMediaRetry } from './media-retry.ts'
import { answerPeerRequest } from './peer-requests.ts'
import type { Phone } from './phone.ts'
import { answerRetry, requestRetry } from './retry.ts'
import { forgetSenderKey } from './send.ts'

/** The error of the Signal protocol for a message whose key was used before. */
const USED_KEY = 'MessageCounterError'

type ReceivingState = RoutingState & Pick<SandboxState, 'media'>

export async function receiveStanza(
  state: ReceivingState,
  phone: Phone,
  seq: number,
  node: Stanza,
): Promise<void> {
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
