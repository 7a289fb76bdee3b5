/** What people do with messages on a phone: read, react, vote, edit, delete, type. */
import { proto } from 'baileys'
import { isGroupJid, jidOf } from '../address.ts'
import { deliver, logFrame } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import { routeChatState } from '../presence.ts'
import { routeReceipt, tellOwnDevices } from '../receipts.ts'
import { Refusal } from '../refusal.ts'
import { nowSeconds, stanza } from '../stanza.ts'
import { listUnread, type StoredMessage, setStatus } from '../store/messages.ts'
import { authorOf, messageOn } from './compose.ts'
import type { Phone } from './phone.ts'
import { sealVote } from './poll-votes.ts'
import { findChat, send } from './send.ts'

/** Marks what is unread in the chat as read (a voice message as played) and tells the authors, unless that is private. */
export function read(
  exchange: Exchange,
  phone: Phone,
  request: { chat: string; messageId?: string | undefined; played: boolean },
): Promise<string[]> {
  return phone.inTurn(async () => {
    const messages =
      request.messageId === undefined
        ? listUnread(exchange.database, phone.account.number, findChat(exchange, phone, request.chat).name)
        : [messageOn(exchange, phone, request.messageId)]
    const type = request.played ? 'played' : 'read'
    const byAuthor = Map.groupBy(messages, (message) => message.from)
    const isPrivate = phone.account.privacy['readreceipts'] === 'none'
    const said = isPrivate ? (`${type}-self` as const) : type
    const receipts = [...byAuthor.values()].map((group) => receiptFor(exchange, group, said))
    for (const message of messages) {
      setStatus(exchange.database, message.seq, type)
      phone.changed(message.chat)
    }
    const deliveries = receipts.flatMap((receipt) => {
      logFrame(exchange, 'in', phone.account.number, 0, receipt)
      const from = { account: phone.account, device: 0 }
      return routeReceipt(exchange, from, receipt).concat(tellOwnDevices(exchange, from, receipt))
    })
    await deliver(exchange, deliveries)
    return messages.map((message) => message.id)
  })
}

type Said = 'read' | 'played' | 'read-self' | 'played-self'

function receiptFor(exchange: Exchange, messages: StoredMessage[], type: Said) {
  const [first, ...rest] = messages
  if (!first) throw new Refusal('message_not_found', 'There is nothing to read.')
  const author = authorOf(exchange, first)
  const items = rest.map((message) => stanza('item', { id: message.id }))
  const group = isGroupJid(first.chat) ? exchange.world.groups.get(first.chat) : undefined
  const addressing = group?.addressing ?? exchange.world.addressing
  const attributes = group
    ? { to: group.jid, participant: jidOf(author, addressing) }
    : { to: jidOf(author, addressing) }
  const list = items.length > 0 ? [stanza('list', {}, items)] : undefined
  return stanza('receipt', { id: first.id, type, t: nowSeconds(), ...attributes }, list)
}

export function react(exchange: Exchange, phone: Phone, messageId: string, emoji: string): Promise<string> {
  const target = messageOn(exchange, phone, messageId)
  const reactionMessage = { key: keyOf(exchange, target), text: emoji, senderTimestampMs: Date.now() }
  return send(exchange, phone, { chat: findChat(exchange, phone, target.chat), message: { reactionMessage } })
}

export function vote(
  exchange: Exchange,
  phone: Phone,
  messageId: string,
  options: string[],
): Promise<string> {
  const poll = messageOn(exchange, phone, messageId)
  if (!poll.poll) throw new Refusal('not_a_poll', 'That message is not a poll.')
  const unknown = options.find((option) => !poll.poll?.options.includes(option))
  if (unknown !== undefined) throw new Refusal('option_not_found', `The poll has no option "${unknown}".`)
  const addressing = exchange.world.groups.get(poll.chat)?.addressing ?? exchange.world.addressing
  const creatorJid = jidOf(authorOf(exchange, poll), addressing)
  const pollUpdateMessage = {
    pollCreationMessageKey: keyOf(exchange, poll),
    vote: sealVote(poll, creatorJid, jidOf(phone.account, addressing), options),
    senderTimestampMs: Date.now(),
  }
  return send(exchange, phone, { chat: findChat(exchange, phone, poll.chat), message: { pollUpdateMessage } })
}

const EDIT = '1'
const OWN_DELETE = '7'

export function edit(exchange: Exchange, phone: Phone, messageId: string, text: string): Promise<string> {
  const target = ownMessage(exchange, phone, messageId)
  const protocolMessage = {
    key: keyOf(exchange, target),
    type: proto.Message.ProtocolMessage.Type.MESSAGE_EDIT,
    editedMessage: { conversation: text },
    timestampMs: Date.now(),
  }
  const chat = findChat(exchange, phone, target.chat)
  return send(exchange, phone, { chat, message: { protocolMessage }, edit: EDIT })
}

export function remove(exchange: Exchange, phone: Phone, messageId: string): Promise<string> {
  const target = ownMessage(exchange, phone, messageId)
  const protocolMessage = {
    key: keyOf(exchange, target),
    type: proto.Message.ProtocolMessage.Type.REVOKE,
  }
  const chat = findChat(exchange, phone, target.chat)
  return send(exchange, phone, { chat, message: { protocolMessage }, edit: OWN_DELETE })
}

export function type(
  exchange: Exchange,
  phone: Phone,
  chatName: string,
  state: 'typing' | 'recording' | 'paused',
): void {
  const chat = findChat(exchange, phone, chatName)
  const to = chat.group?.jid ?? jidOf(chat.person ?? phone.account, exchange.world.addressing)
  const sign =
    state === 'paused'
      ? stanza('paused')
      : stanza('composing', state === 'recording' ? { media: 'audio' } : {})
  routeChatState(exchange, phone.account, to, [sign])
}

function ownMessage(exchange: Exchange, phone: Phone, id: string): StoredMessage {
  const message = messageOn(exchange, phone, id)
  if (!message.fromMe) throw new Refusal('not_own_message', 'Only the author can change a message.')
  return message
}

/** How this phone names a message to others. */
function keyOf(exchange: Exchange, message: StoredMessage): proto.IMessageKey {
  const group = exchange.world.groups.get(message.chat)
  const author = authorOf(exchange, message)
  const addressing = group?.addressing ?? exchange.world.addressing
  const person = exchange.world.accounts.get(message.chat)
  return {
    id: message.id,
    fromMe: message.fromMe,
    remoteJid: group?.jid ?? (person ? jidOf(person, addressing) : message.chat),
    ...(group && { participant: jidOf(author, addressing) }),
  }
}
