/** What a phone does with each stanza it gets: decrypt and show messages, note receipts, answer retries. */
import { normalizeMessageContent, proto } from 'baileys'
import { deviceOf, isGroupJid, jidOf } from '../address.ts'
import { type Delivery, deliver, logFrame } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import { receiptIds, routeReceipt } from '../receipts.ts'
import { child, children, childrenOf, nowSeconds, type Stanza, stanza } from '../stanza.ts'
import { findMessage, setStatus } from '../store/messages.ts'
import { removeEntry } from '../store/queue.ts'
import { type Account, accountByJid } from '../world.ts'
import { applyToChat } from './chat.ts'
import type { Phone } from './phone.ts'
import { askAgain, sendAgain } from './retry.ts'
import { forgetSenderKey } from './send.ts'
import type { ShownStatus } from './shown-message.ts'

export async function receive(exchange: Exchange, phone: Phone, seq: number, node: Stanza): Promise<void> {
  logFrame(exchange, 'out', phone.account.number, 0, node)
  const deliveries = await react(exchange, phone, node)
  // One transaction: what the stanza changed, what it caused, and that it is done.
  phone.signal.keys.keep()
  removeEntry(exchange.database, seq)
  // The next stanza need not wait for the commit: should that fail, both come again.
  void deliver(exchange, deliveries)
}

async function react(exchange: Exchange, phone: Phone, node: Stanza): Promise<Delivery[]> {
  if (node.tag === 'message') return receiveMessage(exchange, phone, node)
  if (node.tag === 'receipt') return receiveReceipt(exchange, phone, node)
  if (node.tag === 'notification') noticeRemoval(exchange, phone, node)
  return []
}

async function receiveMessage(exchange: Exchange, phone: Phone, node: Stanza): Promise<Delivery[]> {
  const { from = '', participant } = node.attrs
  const authorJid = participant ?? from
  const author = accountByJid(exchange.world, authorJid)
  if (!author) return []
  const message = await decryptParts(phone, node, author, deviceOf(authorJid))
  if (!message) return askAgain(exchange, phone, node)
  if (author === phone.account || node.attrs['category'] === 'peer') {
    showOwn(exchange, phone, node, message)
    return []
  }
  const shown = normalizeMessageContent(message) ?? message
  applyToChat(exchange, phone, {
    id: node.attrs['id'] ?? '',
    chat: isGroupJid(from) ? from : author.number,
    author,
    message: proto.Message.fromObject(shown),
    hasBizNode: child(node, 'biz') !== undefined,
    timestamp: Number(node.attrs['t']),
  })
  const receipt = stanza('receipt', { id: node.attrs['id'], to: from, participant, t: nowSeconds() })
  logFrame(exchange, 'in', phone.account.number, 0, receipt)
  return routeReceipt(exchange, { account: phone.account, device: 0 }, receipt)
}

/** All encrypted parts of a stanza together; undefined when one cannot be opened. */
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
      phone.signal.keys.drop()
      return undefined
    }
  }
  return whole
}

/** The account's own companion wrote something: the phone shows it as sent. */
function showOwn(exchange: Exchange, phone: Phone, node: Stanza, message: proto.IMessage): void {
  const { from = '', recipient } = node.attrs
  const sent = message.deviceSentMessage
  const content = sent?.message ?? (isGroupJid(from) ? message : undefined)
  if (!content || message.protocolMessage) return
  const destination = recipient ?? sent?.destinationJid ?? from
  const chat = isGroupJid(from) ? from : accountByJid(exchange.world, destination)?.number
  if (!chat) return
  applyToChat(exchange, phone, {
    id: node.attrs['id'] ?? '',
    chat,
    author: phone.account,
    message: proto.Message.fromObject(normalizeMessageContent(content) ?? content),
    hasBizNode: child(node, 'biz') !== undefined,
    timestamp: Number(node.attrs['t']),
  })
}

const RANK: ShownStatus[] = ['sent', 'delivered', 'read', 'played']

async function receiveReceipt(exchange: Exchange, phone: Phone, node: Stanza): Promise<Delivery[]> {
  const type = node.attrs['type']
  if (type === 'retry') return sendAgain(exchange, phone, node)
  if (node.attrs['recipient'] !== undefined) return noticeOwnReading(exchange, phone, node)
  const status = type === undefined ? 'delivered' : type
  if (!RANK.includes(status as ShownStatus)) return []
  for (const id of receiptIds(node)) {
    const message = findMessage(exchange.database, phone.account.number, id, phone.account.number)
    if (!message || RANK.indexOf(message.status) >= RANK.indexOf(status as ShownStatus)) continue
    setStatus(exchange.database, message.seq, status as ShownStatus)
    phone.changed(message.chat)
  }
  return []
}

/** Its person has read on another device: the phone shows the messages as read too. */
function noticeOwnReading(exchange: Exchange, phone: Phone, node: Stanza): Delivery[] {
  const author = accountByJid(exchange.world, node.attrs['recipient'] ?? '')
  for (const id of receiptIds(node)) {
    const message = author && findMessage(exchange.database, phone.account.number, id, author.number)
    if (message?.status !== 'received') continue
    setStatus(exchange.database, message.seq, node.attrs['type']?.startsWith('played') ? 'played' : 'read')
    phone.changed(message.chat)
  }
  return []
}

/** Whoever has left a group must not be able to read on: the next message uses a new sender key. */
function noticeRemoval(exchange: Exchange, phone: Phone, node: Stanza): void {
  const [change] = children(node)
  const group = exchange.world.groups.get(node.attrs['from'] ?? '')
  if (group && change?.tag === 'remove') forgetSenderKey(phone, group)
}
