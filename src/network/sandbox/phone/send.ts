/** Sending from a phone: the message is encrypted for every device that shall read it, then routed like any other. */
import { generateMessageIDV2, proto } from 'baileys'
import { isGroupJid, jidOf, pnJid } from '../address.ts'
import { type Delivery, deliver, logFrame } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import { takeBundle } from '../key-directory.ts'
import { Refusal } from '../refusal.ts'
import { groupDevices, routeMessage, type Sender } from '../routing.ts'
import { type Stanza, stanza } from '../stanza.ts'
import { type Account, deviceIds, type Group } from '../world.ts'
import { applyToChat } from './chat.ts'
import type { Phone } from './phone.ts'
import { stanzaType } from './stanza-type.ts'

/** Where a phone writes to: a person or a group. */
export type Chat = { name: string; person?: Account; group?: Group }
export type Outgoing = { chat: Chat; message: proto.IMessage; id?: string | undefined; edit?: string }

export function findChat(exchange: Exchange, phone: Phone, to: string): Chat {
  if (isGroupJid(to)) {
    const group = exchange.world.groups.get(to)
    if (!group) throw new Refusal('group_not_found', 'There is no such group.')
    if (!group.members[phone.account.number])
      throw new Refusal('not_a_member', 'This phone is not in that group.')
    return { name: to, group }
  }
  const person = exchange.world.accounts.get(to)
  if (!person) throw new Refusal('number_not_registered', 'No phone has this number.')
  return { name: to, person }
}

/** Sends and returns the message id once the network has it in its queues. */
export async function send(exchange: Exchange, phone: Phone, outgoing: Outgoing): Promise<string> {
  const id = outgoing.id ?? generateMessageIDV2(pnJid(phone.account))
  const deliveries = await phone.inTurn(() => write(exchange, phone, outgoing, id))
  await deliver(exchange, deliveries)
  return id
}

async function write(exchange: Exchange, phone: Phone, outgoing: Outgoing, id: string): Promise<Delivery[]> {
  const { chat, message } = outgoing
  const content = chat.group
    ? await encryptForGroup(exchange, phone, chat.group, message)
    : await encryptForPerson(exchange, phone, chat.person ?? phone.account, message)
  const to = chat.group?.jid ?? jidOf(chat.person ?? phone.account, exchange.world.addressing)
  const node = stanza('message', { id, to, type: stanzaType(message), edit: outgoing.edit }, content)
  const routed = routeMessage(exchange, { account: phone.account, device: 0 }, node)
  if ('error' in routed) throw new Refusal('not_an_admin', 'The network refused the message.')
  logFrame(exchange, 'in', phone.account.number, 0, node)
  applyToChat(exchange, phone, {
    id,
    chat: chat.name,
    author: phone.account,
    message: proto.Message.fromObject(message),
    hasBizNode: true,
    timestamp: Math.floor(Date.now() / 1000),
  })
  phone.signal.keys.keep()
  return routed.deliveries
}

/** Encrypts for one device, starting a session with its keys from the directory where there is none. */
export async function encryptFor(
  exchange: Exchange,
  phone: Phone,
  { account, device }: Sender,
  message: proto.IMessage,
  attributes: Record<string, string> = {},
): Promise<Stanza | undefined> {
  const jid = jidOf(account, 'lid', device)
  if (!(await phone.signal.hasSession(jid))) {
    const bundle = takeBundle(exchange, jid)
    if (!bundle) return undefined
    await phone.signal.startSession(jid, bundle)
  }
  return phone.signal.encrypt(jid, message, attributes)
}

/** The phone's own companions get a copy that says whom it went to. */
export function copyForOwnDevice(message: proto.IMessage, destinationJid: string): proto.IMessage {
  return {
    deviceSentMessage: { destinationJid, message },
    ...(message.messageContextInfo && { messageContextInfo: message.messageContextInfo }),
  }
}

async function encryptForPerson(
  exchange: Exchange,
  phone: Phone,
  person: Account,
  message: proto.IMessage,
): Promise<Stanza[]> {
  const copy = copyForOwnDevice(message, jidOf(person, exchange.world.addressing))
  const parts: Stanza[] = []
  for (const account of new Set([person, phone.account]))
    for (const device of deviceIds(account)) {
      if (account === phone.account && device === 0) continue
      const own = account === phone.account
      const part = await encryptFor(
        exchange,
        phone,
        { account, device },
        own ? copy : message,
        mediaType(message),
      )
      if (part) parts.push(addressed(exchange, account, device, part))
    }
  return [stanza('participants', {}, parts)]
}

/** Members who do not know this phone's sender key yet get it beside the message. */
async function encryptForGroup(
  exchange: Exchange,
  phone: Phone,
  group: Group,
  message: proto.IMessage,
): Promise<Stanza[]> {
  const { part, distribution } = await phone.signal.encryptForGroup(group.jid, ownGroupJid(phone), message)
  const memory = (await phone.signal.keys.get('sender-key-memory', [group.jid]))[group.jid] ?? {}
  const parts: Stanza[] = []
  for (const { account, device } of groupDevices(exchange, group)) {
    const jid = jidOf(account, 'lid', device)
    if ((account === phone.account && device === 0) || memory[jid]) continue
    const key = { senderKeyDistributionMessage: distribution }
    const encrypted = await encryptFor(exchange, phone, { account, device }, key)
    if (!encrypted) continue
    parts.push(addressed(exchange, account, device, encrypted))
    memory[jid] = true
  }
  await phone.signal.keys.set({ 'sender-key-memory': { [group.jid]: memory } })
  Object.assign(part.attrs, mediaType(message))
  return [...(parts.length > 0 ? [stanza('participants', {}, parts)] : []), part]
}

export function ownGroupJid(phone: Phone): string {
  return jidOf(phone.account, 'lid')
}

/** The next message to the group starts with a new sender key, given to those who are still in it. */
export function forgetSenderKey(phone: Phone, group: Group): void {
  const name = `${group.jid}::${phone.account.lid}_1::0`
  void phone.signal.keys.set({ 'sender-key': { [name]: null }, 'sender-key-memory': { [group.jid]: null } })
}

function addressed(exchange: Exchange, account: Account, device: number, part: Stanza): Stanza {
  return stanza('to', { jid: jidOf(account, exchange.world.addressing, device) }, [part])
}

function mediaType(message: proto.IMessage): Record<string, string> {
  if (message.imageMessage) return { mediatype: 'image' }
  if (message.videoMessage) return { mediatype: 'video' }
  if (message.audioMessage) return { mediatype: message.audioMessage.ptt ? 'ptt' : 'audio' }
  if (message.documentMessage) return { mediatype: 'document' }
  return {}
}
