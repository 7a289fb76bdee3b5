// Sends from a phone: the message is encrypted for every receiving device, then routed as a message of any other device.
import { randomBytes } from 'node:crypto'
import { generateMessageIDV2, normalizeMessageContent, type proto } from 'baileys'
import { isGroupJid, jidOf, pnJid, STATUS_JID } from '../model/address.ts'
import { Refusal } from '../model/refusal.ts'
import { type Account, type AccountDevice, deviceIds, type Group, type World } from '../model/world.ts'
import { type Delivery, deliver, logFrame } from '../network/delivery.ts'
import { takeBundle } from '../network/key-directory.ts'
import { groupDevices, routeMessage } from '../network/routing.ts'
import type { RoutingState } from '../network/sandbox-state.ts'
import { type Stanza, stanza } from '../wire/stanza.ts'
import { applyToChat } from './chat.ts'
import type { Phone } from './phone.ts'
import { stanzaType } from './stanza-type.ts'

/** The destination of a message: a person or a group. */
export interface Chat {
  name: string
  person?: Account
  group?: Group
  /** The people who get a status post. */
  audience?: Account[]
}
export interface Outgoing {
  chat: Chat
  message: proto.IMessage
  id?: string | undefined
  edit?: string
  /** Only phones get the content; linked devices get a placeholder. */
  viewOnce?: boolean
}

export function findChat(world: World, phone: Phone, to: string): Chat {
  if (isGroupJid(to)) {
    const group = world.groups.get(to)
    if (!group) throw new Refusal('group_not_found', 'There is no such group.')
    if (!group.members[phone.account.number])
      throw new Refusal('not_a_member', 'This phone is not in that group.')
    return { name: to, group }
  }
  const person = world.accounts.get(to)
  if (!person) throw new Refusal('number_not_registered', 'No phone has this number.')
  return { name: to, person }
}

/** Sends a message and returns its id after the message is queued for all receiving devices. */
export async function send(state: RoutingState, phone: Phone, outgoing: Outgoing): Promise<string> {
  const id = outgoing.id ?? generateMessageIDV2(pnJid(phone.account))
  const message = withSecret(outgoing.message)
  const deliveries = await phone.runExclusive(() => write(state, phone, { ...outgoing, message }, id))
  await deliver(state, deliveries)
  return id
}

/** Changes of another message. They are not changed themselves. */
const CHANGES = [
  'protocolMessage',
  'editedMessage',
  'reactionMessage',
  'pollUpdateMessage',
  'pinInChatMessage',
] as const satisfies (keyof proto.IMessage)[]

/** Phones send each message with a secret: what others send about it later is encrypted with it. */
function withSecret(message: proto.IMessage): proto.IMessage {
  const info = message.messageContextInfo
  if (info?.messageSecret || CHANGES.some((name) => message[name])) return message
  return { ...message, messageContextInfo: { ...info, messageSecret: randomBytes(SECRET_BYTES) } }
}

const SECRET_BYTES = 32

async function write(state: RoutingState, phone: Phone, outgoing: Outgoing, id: string): Promise<Delivery[]> {
  const { chat, message } = outgoing
  const content = await encryptForChat(state, phone, chat, message)
  const isShared = chat.group !== undefined || chat.audience !== undefined
  const to = isShared ? chat.name : jidOf(chat.person ?? phone.account, state.world.addressing)
  if (outgoing.viewOnce) content.push(stanza('meta', { view_once: 'true' }))
  const node = stanza('message', { id, to, type: stanzaType(message), edit: outgoing.edit }, content)
  const routed = routeMessage(state, { account: phone.account, device: 0 }, node)
  if ('error' in routed) throw new Refusal('not_an_admin', 'The network refused the message.')
  logFrame(state.database, 'in', phone.account.number, 0, node)
  applyToChat(state, phone, {
    id,
    chat: chat.name,
    author: phone.account,
    message,
    hasBizNode: true,
    timestamp: Math.floor(Date.now() / 1000),
  })
  phone.signal.keys.save()
  return routed.deliveries
}

/** Encrypts for one device. Without a session, it starts one with the device's keys from the directory. */
export async function encryptFor(
  state: RoutingState,
  phone: Phone,
  { account, device }: AccountDevice,
  message: proto.IMessage,
  attributes: Record<string, string> = {},
): Promise<Stanza | undefined> {
  const jid = jidOf(account, 'lid', device)
  if (!(await phone.signal.hasSession(jid))) {
    const bundle = takeBundle(state, jid)
    if (!bundle) return undefined
    await phone.signal.startSession(jid, bundle)
  }
  return phone.signal.encrypt(jid, message, attributes)
}

/** The account's linked devices get a copy that names the recipient. */
export function copyForOwnDevice(message: proto.IMessage, destinationJid: string): proto.IMessage {
  return {
    deviceSentMessage: { destinationJid, message },
    ...(message.messageContextInfo && { messageContextInfo: message.messageContextInfo }),
  }
}

function encryptForChat(
  state: RoutingState,
  phone: Phone,
  { group, audience, person }: Chat,
  message: proto.IMessage,
): Promise<Stanza[]> {
  if (group) return encryptForGroup(state, phone, group, message)
  if (audience) return encryptForAudience(state, phone, audience, message)
  return encryptForPerson(state, phone, person ?? phone.account, message)
}

/** Every post carries the sender key for all its devices, because the network reads from that list who gets it. */
async function encryptForAudience(
  state: RoutingState,
  phone: Phone,
  audience: Account[],
  message: proto.IMessage,
): Promise<Stanza[]> {
  const { part, distribution } = await phone.signal.encryptForGroup(STATUS_JID, ownGroupJid(phone), message)
  const key = { senderKeyDistributionMessage: distribution }
  const parts: Stanza[] = []
  for (const account of new Set([...audience, phone.account]))
    for (const device of deviceIds(account)) {
      if (account === phone.account && device === 0) continue
      const encrypted = await encryptFor(state, phone, { account, device }, key)
      if (encrypted) parts.push(addressed(state.world, account, device, encrypted))
    }
  Object.assign(part.attrs, mediaType(message))
  return [stanza('participants', {}, parts), part]
}

async function encryptForPerson(
  state: RoutingState,
  phone: Phone,
  person: Account,
  message: proto.IMessage,
): Promise<Stanza[]> {
  const copy = copyForOwnDevice(message, jidOf(person, state.world.addressing))
  const parts: Stanza[] = []
  for (const account of new Set([person, phone.account]))
    for (const device of deviceIds(account)) {
      if (account === phone.account && device === 0) continue
      const own = account === phone.account
      const part = await encryptFor(
        state,
        phone,
        { account, device },
        own ? copy : message,
        mediaType(message),
      )
      if (part) parts.push(addressed(state.world, account, device, part))
    }
  return [stanza('participants', {}, parts)]
}

/** Members that do not have this phone's sender key yet get it with the message. */
async function encryptForGroup(
  state: RoutingState,
  phone: Phone,
  group: Group,
  message: proto.IMessage,
): Promise<Stanza[]> {
  const { part, distribution } = await phone.signal.encryptForGroup(group.jid, ownGroupJid(phone), message)
  const memory = (await phone.signal.keys.get('sender-key-memory', [group.jid]))[group.jid] ?? {}
  const parts: Stanza[] = []
  for (const { account, device } of groupDevices(state.world, group)) {
    const jid = jidOf(account, 'lid', device)
    if ((account === phone.account && device === 0) || memory[jid]) continue
    const key = { senderKeyDistributionMessage: distribution }
    const encrypted = await encryptFor(state, phone, { account, device }, key)
    if (!encrypted) continue
    parts.push(addressed(state.world, account, device, encrypted))
    memory[jid] = true
  }
  await phone.signal.keys.set({ 'sender-key-memory': { [group.jid]: memory } })
  Object.assign(part.attrs, mediaType(message))
  return [...(parts.length > 0 ? [stanza('participants', {}, parts)] : []), part]
}

export function ownGroupJid(phone: Phone): string {
  return jidOf(phone.account, 'lid')
}

/** Makes the next message to the group use a new sender key, which only the remaining members get. */
export function forgetSenderKey(phone: Phone, group: Group): void {
  const name = `${group.jid}::${phone.account.lid}_1::0`
  void phone.signal.keys.set({ 'sender-key': { [name]: null }, 'sender-key-memory': { [group.jid]: null } })
}

function addressed(world: World, account: Account, device: number, part: Stanza): Stanza {
  return stanza('to', { jid: jidOf(account, world.addressing, device) }, [part])
}

function mediaType(sent: proto.IMessage): Record<string, string> {
  const message = normalizeMessageContent(sent) ?? sent
  if (message.imageMessage) return { mediatype: 'image' }
  if (message.videoMessage) return { mediatype: 'video' }
  if (message.audioMessage) return { mediatype: message.audioMessage.ptt ? 'ptt' : 'audio' }
  if (message.documentMessage) return { mediatype: 'document' }
  if (message.ptvMessage) return { mediatype: 'ptv' }
  if (message.stickerMessage) return { mediatype: 'sticker' }
  return {}
}
