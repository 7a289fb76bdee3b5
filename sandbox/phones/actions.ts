// Actions of a person on a phone: read, react, vote, edit, delete, pin, type.
import { proto } from 'baileys'
import { isSharedJid, jidOf, STATUS_JID } from '../model/address.ts'
import { isAdmin } from '../model/group-rules.ts'
import { Refusal } from '../model/refusal.ts'
import type { World } from '../model/world.ts'
import { deliver, logFrame } from '../network/delivery.ts'
import { setEphemeral } from '../network/groups.ts'
import { routeChatState } from '../network/presence.ts'
import { routeReceipt, routeToOwnDevices } from '../network/receipts.ts'
import type { RoutingState, SandboxState, WorldChangeState } from '../network/sandbox-state.ts'
import type { Database } from '../store/database.ts'
import { listUnread, type StoredPhoneMessage, setStatus } from '../store/messages.ts'
import { nowSeconds, stanza } from '../wire/stanza.ts'
import { authorOf, messageOn } from './compose.ts'
import type { Phone } from './phone.ts'
import { encryptVote } from './poll-votes.ts'
import { encryptEdit, secretOf } from './secret-edits.ts'
import { findChat, send } from './send.ts'

/** Marks messages as read, or as played, and sends receipts to the authors unless the phone's privacy settings forbid it. */
export function markRead(
  state: RoutingState,
  phone: Phone,
  request: { chat: string; messageId?: string | undefined; played: boolean },
): Promise<string[]> {
  return phone.runExclusive(async () => {
    const messages =
      request.messageId === undefined
        ? listUnread(state.database, phone.account.number, nameOf(state.world, phone, request.chat))
        : [messageOn(state.database, phone, request.messageId)]
    const type = request.played ? 'played' : 'read'
    const byAuthor = Map.groupBy(messages, (message) => message.from)
    const isPrivate = phone.account.privacy['readreceipts'] === 'none'
    const receiptType = isPrivate ? (`${type}-self` as const) : type
    const receipts = [...byAuthor.values()].map((group) => receiptFor(state.world, group, receiptType))
    for (const message of messages) {
      setStatus(state.database, message.seq, type)
      phone.notifyChanged(message.chat)
    }
    const deliveries = receipts.flatMap((receipt) => {
      logFrame(state.database, 'in', phone.account.number, 0, receipt)
      const from = { account: phone.account, device: 0 }
      return routeReceipt(state, from, receipt).concat(routeToOwnDevices(state.database, from, receipt))
    })
    await deliver(state, deliveries)
    return messages.map((message) => message.id)
  })
}

function nameOf(world: World, phone: Phone, chat: string): string {
  return chat === STATUS_JID ? chat : findChat(world, phone, chat).name
}

type ReadReceiptType = 'read' | 'played' | 'read-self' | 'played-self'

function receiptFor(world: World, messages: StoredPhoneMessage[], type: ReadReceiptType) {
  const [first, ...rest] = messages
  if (!first) throw new Refusal('message_not_found', 'There is no message to read.')
  const author = authorOf(world, first)
  const items = rest.map((message) => stanza('item', { id: message.id }))
  const addressing = world.groups.get(first.chat)?.addressing ?? world.addressing
  const attributes = isSharedJid(first.chat)
    ? { to: first.chat, participant: jidOf(author, addressing) }
    : { to: jidOf(author, addressing) }
  const list = items.length > 0 ? [stanza('list', {}, items)] : undefined
  return stanza('receipt', { id: first.id, type, t: nowSeconds(), ...attributes }, list)
}

export function sendReaction(
  state: RoutingState,
  phone: Phone,
  messageId: string,
  emoji: string,
): Promise<string> {
  const target = messageOn(state.database, phone, messageId)
  const reactionMessage = { key: keyOf(state.world, target), text: emoji, senderTimestampMs: Date.now() }
  return send(state, phone, { chat: findChat(state.world, phone, target.chat), message: { reactionMessage } })
}

export function sendVote(
  state: RoutingState,
  phone: Phone,
  messageId: string,
  options: string[],
): Promise<string> {
  const poll = messageOn(state.database, phone, messageId)
  if (!poll.poll) throw new Refusal('not_a_poll', 'That message is not a poll.')
  const unknown = options.find((option) => !poll.poll?.options.includes(option))
  if (unknown !== undefined) throw new Refusal('option_not_found', `The poll has no option "${unknown}".`)
  const addressing = state.world.groups.get(poll.chat)?.addressing ?? state.world.addressing
  const creatorJid = jidOf(authorOf(state.world, poll), addressing)
  const pollUpdateMessage = {
    pollCreationMessageKey: keyOf(state.world, poll),
    vote: encryptVote(poll, creatorJid, jidOf(phone.account, addressing), options),
    senderTimestampMs: Date.now(),
  }
  return send(state, phone, { chat: findChat(state.world, phone, poll.chat), message: { pollUpdateMessage } })
}

const EDIT = '1'
const PIN = '2'
const OWN_DELETE = '7'
const ADMIN_DELETE = '8'

/** Encrypted as current phones do it, or in the plain form of older ones. */
export function editMessage(
  state: RoutingState,
  phone: Phone,
  { messageId, text, plain }: { messageId: string; text: string; plain?: boolean | undefined },
): Promise<string> {
  const target = ownMessage(state.database, phone, messageId)
  const key = keyOf(state.world, target)
  const protocolMessage = {
    key,
    type: proto.Message.ProtocolMessage.Type.MESSAGE_EDIT,
    editedMessage: { conversation: text },
    timestampMs: Date.now(),
  }
  const addressing = state.world.groups.get(target.chat)?.addressing ?? state.world.addressing
  // A message of an older phone has no secret.
  const isPlain = plain === true || secretOf(target) === undefined
  const message: proto.IMessage = isPlain
    ? { editedMessage: { message: { protocolMessage } } }
    : encryptEdit(target, jidOf(phone.account, addressing), { protocolMessage }, key)
  return send(state, phone, { chat: findChat(state.world, phone, target.chat), message, edit: EDIT })
}

/** Deletes a message for everyone: the author's own, or any message of a group as its admin. */
export function deleteMessage(state: RoutingState, phone: Phone, messageId: string): Promise<string> {
  const group = state.world.groups.get(messageOn(state.database, phone, messageId).chat)
  const target =
    group && isAdmin(group, phone.account)
      ? messageOn(state.database, phone, messageId)
      : ownMessage(state.database, phone, messageId)
  const protocolMessage = {
    key: keyOf(state.world, target),
    type: proto.Message.ProtocolMessage.Type.REVOKE,
  }
  const chat = findChat(state.world, phone, target.chat)
  const edit = target.fromMe ? OWN_DELETE : ADMIN_DELETE
  return send(state, phone, { chat, message: { protocolMessage }, edit })
}

/** Pins a message for everyone in the chat; null unpins it. */
export function pinMessage(
  state: RoutingState,
  phone: Phone,
  messageId: string,
  seconds: number | null,
): Promise<string> {
  const target = messageOn(state.database, phone, messageId)
  const { PIN_FOR_ALL, UNPIN_FOR_ALL } = proto.Message.PinInChatMessage.Type
  const pinInChatMessage = {
    key: keyOf(state.world, target),
    type: seconds === null ? UNPIN_FOR_ALL : PIN_FOR_ALL,
    senderTimestampMs: Date.now(),
  }
  const message = { pinInChatMessage, messageContextInfo: { messageAddOnDurationInSecs: seconds ?? 0 } }
  return send(state, phone, { chat: findChat(state.world, phone, target.chat), message, edit: PIN })
}

/** In a group the setting is the group's; in a chat of two it is a message to the other person. */
export async function setDisappearing(
  state: WorldChangeState,
  phone: Phone,
  { chat: name, seconds }: { chat: string; seconds: number },
): Promise<void> {
  const chat = findChat(state.world, phone, name)
  if (chat.group) {
    if (chat.group.locked && !isAdmin(chat.group, phone.account))
      throw new Refusal('not_an_admin', 'Only an admin can change a locked group.')
    await setEphemeral(state, chat.group, phone.account, seconds)
    return
  }
  const protocolMessage = {
    type: proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING,
    ephemeralExpiration: seconds,
    ephemeralSettingTimestamp: Math.floor(Date.now() / 1000),
  }
  await send(state, phone, { chat, message: { protocolMessage } })
}

export function sendTyping(
  state: Pick<SandboxState, 'online' | 'phones' | 'world'>,
  phone: Phone,
  chatName: string,
  activity: 'typing' | 'recording' | 'paused',
): void {
  const chat = findChat(state.world, phone, chatName)
  const to = chat.group?.jid ?? jidOf(chat.person ?? phone.account, state.world.addressing)
  const sign =
    activity === 'paused'
      ? stanza('paused')
      : stanza('composing', activity === 'recording' ? { media: 'audio' } : {})
  routeChatState(state, phone.account, to, [sign])
}

function ownMessage(database: Database, phone: Phone, id: string): StoredPhoneMessage {
  const message = messageOn(database, phone, id)
  if (!message.fromMe) throw new Refusal('not_own_message', 'Only the author can change a message.')
  return message
}

/** The key with which this phone refers to a message. */
export function keyOf(world: World, message: StoredPhoneMessage): proto.IMessageKey {
  const group = world.groups.get(message.chat)
  const author = authorOf(world, message)
  const addressing = group?.addressing ?? world.addressing
  const person = world.accounts.get(message.chat)
  return {
    id: message.id,
    fromMe: message.fromMe,
    remoteJid: group?.jid ?? (person ? jidOf(person, addressing) : message.chat),
    ...(group && { participant: jidOf(author, addressing) }),
  }
}
