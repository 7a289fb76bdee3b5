// Processes the stanzas that a phone receives: decrypts and shows messages, applies receipts, answers retries.
import { normalizeMessageContent, proto } from 'baileys'
import { deviceOf, isGroupJid, jidOf } from '../model/address.ts'
import type { ShownStatus } from '../model/shown-message.ts'
import { type Account, accountByJid, type World } from '../model/world.ts'
import { type Delivery, deliverLater, logFrame } from '../network/delivery.ts'
import { receiptIds, routeReceipt } from '../network/receipts.ts'
import type { RoutingState } from '../network/sandbox-state.ts'
import { findMessage, setStatus } from '../store/messages.ts'
import { removeEntry } from '../store/queue.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { child, children, childrenOf, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import { applyToChat } from './chat.ts'
import type { Phone } from './phone.ts'
import { answerRetry, requestRetry } from './retry.ts'
import { forgetSenderKey } from './send.ts'

export async function receiveStanza(
  state: RoutingState,
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

async function handleStanza(state: RoutingState, phone: Phone, node: Stanza): Promise<Delivery[]> {
  if (node.tag === 'message') return receiveMessage(state, phone, node)
  if (node.tag === 'receipt') return receiveReceipt(state, phone, node)
  if (node.tag === 'notification') forgetSenderKeyOnRemoval(state.world, phone, node)
  return []
}

async function receiveMessage(state: RoutingState, phone: Phone, node: Stanza): Promise<Delivery[]> {
  const { from = '', participant } = node.attrs
  const authorJid = participant ?? from
  const author = accountByJid(state.world, authorJid)
  if (!author) return []
  const message = await decryptParts(phone, node, author, deviceOf(authorJid))
  if (!message) return requestRetry(state, phone, node)
  if (author === phone.account || node.attrs['category'] === 'peer') {
    showOwnMessage(state, phone, node, message)
    return []
  }
  const shown = normalizeMessageContent(message) ?? message
  applyToChat(state, phone, {
    id: node.attrs['id'] ?? '',
    chat: isGroupJid(from) ? from : author.number,
    author,
    message: proto.Message.fromObject(shown),
    hasBizNode: child(node, 'biz') !== undefined,
    timestamp: Number(node.attrs['t']),
  })
  const receipt = stanza('receipt', { id: node.attrs['id'], to: from, participant, t: nowSeconds() })
  logFrame(state.database, 'in', phone.account.number, 0, receipt)
  return routeReceipt(state, { account: phone.account, device: 0 }, receipt)
}

/** Decrypts and merges all parts of a stanza. Undefined when one part cannot be decrypted. */
async function decryptParts(
  phone: Phone,
  node: Stanza,
  author: Account,
  device: number,
): Promise<proto.IMessage | undefined> {
  const group = isGroupJid(node.attrs['from'] ?? '') ? node.attrs['from'] : undefined
  let whole: proto.IMessage | undefined
  for (const part of childrenOf(node, 'enc')) {
    try {
      const message = await phone.signal.decrypt(part, jidOf(author, 'lid', device), group)
      whole = Object.assign(whole ?? {}, message)
    } catch {
      phone.signal.keys.discard()
      return undefined
    }
  }
  return whole
}

/** Shows a message that a linked device of the same account has sent. */
function showOwnMessage(state: StoredWorld, phone: Phone, node: Stanza, message: proto.IMessage): void {
  const { from = '', recipient } = node.attrs
  const sent = message.deviceSentMessage
  const content = sent?.message ?? (isGroupJid(from) ? message : undefined)
  if (!content || message.protocolMessage) return
  const destination = recipient ?? sent?.destinationJid ?? from
  const chat = isGroupJid(from) ? from : accountByJid(state.world, destination)?.number
  if (!chat) return
  applyToChat(state, phone, {
    id: node.attrs['id'] ?? '',
    chat,
    author: phone.account,
    message: proto.Message.fromObject(normalizeMessageContent(content) ?? content),
    hasBizNode: child(node, 'biz') !== undefined,
    timestamp: Number(node.attrs['t']),
  })
}

const RANK: ShownStatus[] = ['sent', 'delivered', 'read', 'played']

async function receiveReceipt(state: RoutingState, phone: Phone, node: Stanza): Promise<Delivery[]> {
  const type = node.attrs['type']
  if (type === 'retry') return answerRetry(state, phone, node)
  if (node.attrs['recipient'] !== undefined) return applyOwnRead(state, phone, node)
  const status = type === undefined ? 'delivered' : type
  if (!RANK.includes(status as ShownStatus)) return []
  const { from = '' } = node.attrs
  const chat = isGroupJid(from) ? from : accountByJid(state.world, from)?.number
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

/** A removed member must not be able to read later messages, so the next message uses a new sender key. */
function forgetSenderKeyOnRemoval(world: World, phone: Phone, node: Stanza): void {
  const [change] = children(node)
  const group = world.groups.get(node.attrs['from'] ?? '')
  if (group && change?.tag === 'remove') forgetSenderKey(phone, group)
}
