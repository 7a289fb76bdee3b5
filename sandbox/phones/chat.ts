// Applies messages to a phone's chats: new ones, and changes of earlier ones (reactions, votes, edits, deletions, pins).
import { normalizeMessageContent, proto } from 'baileys'
import { isAdmin } from '../model/group-rules.ts'
import type { ShownContent } from '../model/shown-message.ts'
import type { Account } from '../model/world.ts'
import { changeChatSettings } from '../store/chat-settings.ts'
import {
  findMessage,
  insertMessage,
  type StoredPhoneMessage,
  setShown,
  shownPart,
} from '../store/messages.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import type { Phone } from './phone.ts'
import { decryptVote } from './poll-votes.ts'
import { decryptEdit } from './secret-edits.ts'
import { showContent, textOf } from './show-message.ts'

export interface PhoneArrival {
  id: string
  chat: string
  author: Account
  /** As it was sent: the wrapper of a view-once or disappearing message is removed here. */
  message: proto.IMessage
  hasBizNode: boolean
  timestamp: number
}

/** Stores the message and applies its change to an earlier one. A message that the phone has already is ignored. */
export function applyToChat(state: StoredWorld, phone: Phone, arrival: PhoneArrival): void {
  const inner = normalizeMessageContent(arrival.message) ?? arrival.message
  // The secret may be outside of a wrapper.
  const info = inner.messageContextInfo ?? arrival.message.messageContextInfo
  const message = proto.Message.fromObject({ ...inner, ...(info && { messageContextInfo: info }) })
  const described = describe(state, phone, { ...arrival, message })
  if (!described) return
  const content = isViewOnce(arrival.message, message) ? { ...described, viewOnce: true } : described
  const { id, chat, author, timestamp } = arrival
  const fromMe = author === phone.account
  const status = fromMe ? 'sent' : 'received'
  const isNew = insertMessage(
    state.database,
    phone.account.number,
    { id, chat, from: author.number, fromMe, status, timestamp, ...content },
    proto.Message.encode(message).finish(),
  )
  if (!isNew) return
  changeTarget(state, phone, arrival, content)
  if (content.kind === 'disappearing')
    changeChatSettings(state.database, phone.account.number, chat, {
      disappearingSeconds: content.seconds ?? 0,
    })
  phone.notifyChanged(chat)
}

function isViewOnce(sent: proto.IMessage, content: proto.IMessage): boolean {
  const { imageMessage, videoMessage, audioMessage } = content
  return Boolean(
    sent.viewOnceMessage ??
      sent.viewOnceMessageV2 ??
      sent.viewOnceMessageV2Extension ??
      (imageMessage?.viewOnce || videoMessage?.viewOnce || audioMessage?.viewOnce),
  )
}

function describe(state: StoredWorld, phone: Phone, arrival: PhoneArrival): ShownContent | undefined {
  const { reactionMessage, pollUpdateMessage, pinInChatMessage, protocolMessage, secretEncryptedMessage } =
    arrival.message
  if (reactionMessage) {
    const emoji = reactionMessage.text ?? ''
    return { kind: 'reaction', text: emoji, emoji, visible: true, ...targetOf(reactionMessage.key) }
  }
  if (pollUpdateMessage) return describeVote(state, phone, arrival, pollUpdateMessage)
  if (pinInChatMessage) return describePin(arrival.message, pinInChatMessage)
  if (secretEncryptedMessage) return describeSecret(state, phone, arrival, secretEncryptedMessage)
  if (!protocolMessage) return showContent(arrival.message, arrival.hasBizNode)
  return describeProtocol(protocolMessage)
}

function describePin(message: proto.IMessage, pin: proto.Message.IPinInChatMessage): ShownContent {
  const isPinned = pin.type === proto.Message.PinInChatMessage.Type.PIN_FOR_ALL
  const seconds = isPinned ? (message.messageContextInfo?.messageAddOnDurationInSecs ?? 0) : 0
  return { kind: 'pin', text: null, visible: true, seconds, ...targetOf(pin.key) }
}

function describeProtocol(protocolMessage: proto.Message.IProtocolMessage): ShownContent | undefined {
  const { MESSAGE_EDIT, REVOKE, EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type
  if (protocolMessage.type === EPHEMERAL_SETTING) {
    const seconds = protocolMessage.ephemeralExpiration ?? 0
    return { kind: 'disappearing', text: null, visible: true, seconds }
  }
  if (protocolMessage.type === MESSAGE_EDIT && protocolMessage.editedMessage) {
    const text = textOf(protocolMessage.editedMessage)
    return { kind: 'edit', text, visible: true, ...targetOf(protocolMessage.key) }
  }
  // REVOKE is 0, which the encoding leaves out.
  if ((protocolMessage.type ?? REVOKE) === REVOKE && protocolMessage.key)
    return { kind: 'delete', text: null, visible: true, ...targetOf(protocolMessage.key) }
  return undefined
}

/** An edit that is encrypted with the secret of its message. */
function describeSecret(
  state: StoredWorld,
  phone: Phone,
  { author }: PhoneArrival,
  encrypted: proto.Message.ISecretEncryptedMessage,
): ShownContent | undefined {
  const target = findMessage(state.database, phone.account.number, encrypted.targetMessageKey?.id ?? '')
  const { protocolMessage } = (target && decryptEdit(target, author, encrypted)) ?? {}
  return protocolMessage
    ? describeProtocol({ ...protocolMessage, key: encrypted.targetMessageKey ?? null })
    : undefined
}

function describeVote(
  state: StoredWorld,
  phone: Phone,
  { author }: PhoneArrival,
  update: proto.Message.IPollUpdateMessage,
): ShownContent | undefined {
  const poll = findMessage(state.database, phone.account.number, update.pollCreationMessageKey?.id ?? '')
  const creator = poll && state.world.accounts.get(poll.from)
  const options = poll && creator ? decryptVote(poll, creator, author, update) : undefined
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

function changeTarget(state: StoredWorld, phone: Phone, arrival: PhoneArrival, content: ShownContent): void {
  if (content.target === undefined) return
  const { author, chat } = arrival
  const target = findMessage(state.database, phone.account.number, content.target)
  if (target?.chat !== chat) return
  const group = state.world.groups.get(chat)
  const change = changeOf(target, author, content, group !== undefined && isAdmin(group, author))
  const pin = content.kind === 'pin' ? pinnedUntil(arrival.timestamp, content.seconds ?? 0) : undefined
  if (change) setShown(state.database, target.seq, { ...shownPart(target), ...change })
  else if (pin) setShown(state.database, target.seq, { ...withoutPin(target), ...pin })
}

/** Only the author may edit; the author and admins may delete; every member of the chat may react and vote. */
function changeOf(
  target: StoredPhoneMessage,
  author: Account,
  content: ShownContent,
  byAdmin: boolean,
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
      return isAuthor || byAdmin ? { text: null, deleted: true } : undefined
    default:
      return undefined
  }
}

function pinnedUntil(timestamp: number, seconds: number): Pick<ShownContent, 'pinnedUntil'> {
  return seconds > 0 ? { pinnedUntil: timestamp + seconds } : {}
}

function withoutPin(message: StoredPhoneMessage): ShownContent {
  const { pinnedUntil: _until, ...shown } = shownPart(message)
  return shown
}
