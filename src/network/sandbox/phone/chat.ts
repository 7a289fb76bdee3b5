/** A phone's chats: new messages, and what later ones do to earlier ones (reactions, votes, edits, deletions). */
import { proto } from 'baileys'
import type { Exchange } from '../exchange.ts'
import { findMessage, insertMessage, type StoredMessage, setShown } from '../store/messages.ts'
import type { Account } from '../world.ts'
import type { Phone } from './phone.ts'
import { openVote } from './poll-votes.ts'
import { type ShownContent, showContent, textOf } from './shown-message.ts'

export type Arrival = {
  id: string
  chat: string
  author: Account
  message: proto.Message
  hasBizNode: boolean
  timestamp: number
}

/** Shows the message; one that the phone has had before changes nothing. */
export function applyToChat(exchange: Exchange, phone: Phone, arrival: Arrival): void {
  const content = describe(exchange, phone, arrival)
  if (!content) return
  const { id, chat, author, message, timestamp } = arrival
  const fromMe = author === phone.account
  const status = fromMe ? 'sent' : 'received'
  const isNew = insertMessage(
    exchange.database,
    phone.account.number,
    { id, chat, from: author.number, fromMe, status, timestamp, ...content },
    proto.Message.encode(message).finish(),
  )
  if (!isNew) return
  changeTarget(exchange, phone, arrival, content)
  phone.changed(chat)
}

function describe(exchange: Exchange, phone: Phone, arrival: Arrival): ShownContent | undefined {
  const { reactionMessage, pollUpdateMessage, protocolMessage } = arrival.message
  if (reactionMessage) {
    const emoji = reactionMessage.text ?? ''
    return { kind: 'reaction', text: emoji, emoji, visible: true, ...targetOf(reactionMessage.key) }
  }
  if (pollUpdateMessage) return describeVote(exchange, phone, arrival, pollUpdateMessage)
  if (!protocolMessage) return showContent(arrival.message, arrival.hasBizNode)
  const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type
  if (protocolMessage.type === MESSAGE_EDIT && protocolMessage.editedMessage) {
    const text = textOf(protocolMessage.editedMessage)
    return { kind: 'edit', text, visible: true, ...targetOf(protocolMessage.key) }
  }
  // REVOKE is 0, which the wire leaves out.
  if ((protocolMessage.type ?? REVOKE) === REVOKE && protocolMessage.key)
    return { kind: 'delete', text: null, visible: true, ...targetOf(protocolMessage.key) }
  return undefined
}

function describeVote(
  exchange: Exchange,
  phone: Phone,
  { author }: Arrival,
  update: proto.Message.IPollUpdateMessage,
): ShownContent | undefined {
  const poll = findMessage(exchange.database, phone.account.number, update.pollCreationMessageKey?.id ?? '')
  const creator = poll && exchange.world.accounts.get(poll.from)
  const options = poll && creator ? openVote(poll, creator, author, update) : undefined
  if (!options) return undefined
  return {
    kind: 'vote',
    text: options.join(', '),
    options,
    visible: true,
    ...targetOf(update.pollCreationMessageKey),
  }
}

function targetOf(key: proto.IMessageKey | null | undefined): { target: string } {
  return { target: key?.id ?? '' }
}

function changeTarget(exchange: Exchange, phone: Phone, { author }: Arrival, content: ShownContent): void {
  if (content.target === undefined) return
  const target = findMessage(exchange.database, phone.account.number, content.target)
  const change = target && changeOf(target, author, content)
  if (target && change) setShown(exchange.database, target.seq, { ...shownPart(target), ...change })
}

/** Only the author may edit or delete; everybody may react and vote. */
function changeOf(
  target: StoredMessage,
  author: Account,
  content: ShownContent,
): Partial<ShownContent> | undefined {
  const isAuthor = target.from === author.number
  switch (content.kind) {
    case 'reaction': {
      const reactions = { ...target.reactions, [author.number]: content.emoji ?? '' }
      if (!content.emoji) delete reactions[author.number]
      return { reactions }
    }
    case 'vote':
      return (
        target.poll && {
          poll: { ...target.poll, votes: { ...target.poll.votes, [author.number]: content.options ?? [] } },
        }
      )
    case 'edit':
      return isAuthor ? { text: content.text, edited: true } : undefined
    case 'delete':
      return isAuthor ? { text: null, deleted: true } : undefined
    default:
      return undefined
  }
}

function shownPart(message: StoredMessage): ShownContent {
  const {
    seq: _s,
    id: _i,
    chat: _c,
    from: _f,
    fromMe: _m,
    status: _t,
    timestamp: _w,
    content: _p,
    ...shown
  } = message
  return shown
}
