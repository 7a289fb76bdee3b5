/** Routing of messages: from one device's stanza to a stanza for each device that shall have it. */
import { type Addressing, deviceOf, isGroupJid, jidOf, lidJid, pnJid } from './address.ts'
import { type Delivery, enqueue } from './delivery.ts'
import type { Exchange } from './exchange.ts'
import { type Attributes, child, children, childrenOf, nowSeconds, type Stanza, stanza } from './stanza.ts'
import { type Account, accountByJid, deviceIds, type Group } from './world.ts'

export type Sender = { account: Account; device: number }
export type Routed = { deliveries: Delivery[] } | { error: string }

/** Parts that go to every recipient beside the encrypted content. */
const SHARED_PARTS = new Set(['device-identity', 'biz', 'bot', 'meta', 'reporting'])

/** Queues the message for every device it is addressed to; the caller delivers after the commit. */
export function routeMessage(exchange: Exchange, sender: Sender, node: Stanza): Routed {
  const to = node.attrs['to'] ?? ''
  return isGroupJid(to) ? routeToGroup(exchange, sender, node, to) : routeToPerson(exchange, sender, node, to)
}

function routeToPerson(exchange: Exchange, sender: Sender, node: Stanza, to: string): Routed {
  const chat = accountByJid(exchange.world, node.attrs['recipient'] ?? to)
  if (!chat) return { error: '404' }
  const addressing = node.attrs['category'] === 'peer' ? 'pn' : exchange.world.addressing
  const deliveries: Delivery[] = []
  for (const { jid, content } of recipients(node, to)) {
    const target = accountByJid(exchange.world, jid)
    const device = deviceOf(jid)
    if (!target || !hasDevice(target, device)) continue
    if (target.blocked.includes(sender.account.number)) continue
    const attributes = {
      ...commonAttributes(sender, node),
      ...personAttributes(sender, target, chat, addressing),
      category: node.attrs['category'],
    }
    const delivered = stanza('message', attributes, [...content, ...sharedParts(node)])
    deliveries.push(enqueue(exchange, target, device, delivered))
  }
  return { deliveries }
}

function routeToGroup(exchange: Exchange, sender: Sender, node: Stanza, to: string): Routed {
  const group = exchange.world.groups.get(to)
  if (!group) return { error: '404' }
  const role = group.members[sender.account.number]
  if (!role || (group.announcement && role === 'member')) return { error: '403' }
  const perDevice = new Map<string, Stanza[]>()
  for (const { jid, content } of recipients(node)) perDevice.set(nameOf(exchange, jid), content)
  const shared = [...childrenOf(node, 'enc'), ...sharedParts(node)]
  // A retry goes to the one device that asked for it.
  const only = node.attrs['participant'] && nameOf(exchange, node.attrs['participant'])
  const attributes = { ...commonAttributes(sender, node), ...groupAttributes(sender, group) }
  const deliveries: Delivery[] = []
  for (const { account, device } of groupDevices(exchange, group)) {
    const name = `${account.number}:${device}`
    const isSender = account === sender.account && device === sender.device
    if (isSender || (only && only !== name)) continue
    const content = [...(perDevice.get(name) ?? []), ...shared]
    deliveries.push(enqueue(exchange, account, device, stanza('message', attributes, content)))
  }
  return { deliveries }
}

export function groupDevices(exchange: Exchange, group: Group): Sender[] {
  return Object.keys(group.members).flatMap((number) => {
    const account = exchange.world.accounts.get(number)
    return account ? deviceIds(account).map((device) => ({ account, device })) : []
  })
}

function commonAttributes(sender: Sender, node: Stanza): Attributes {
  return {
    id: node.attrs['id'],
    type: node.attrs['type'],
    edit: node.attrs['edit'],
    t: nowSeconds(),
    notify: sender.account.name,
  }
}

/** The sender in the network's addressing with the other form beside it; own devices also learn the chat. */
function personAttributes(
  sender: Sender,
  target: Account,
  chat: Account,
  addressing: Addressing,
): Attributes {
  const from = jidOf(sender.account, addressing, sender.device)
  const lid = addressing === 'lid'
  if (target === sender.account && chat !== target) {
    const alternative = lid ? { peer_recipient_pn: pnJid(chat) } : { peer_recipient_lid: lidJid(chat) }
    return { from, recipient: jidOf(chat, addressing), addressing_mode: addressing, ...alternative }
  }
  const alternative = lid ? { sender_pn: pnJid(sender.account) } : { sender_lid: lidJid(sender.account) }
  return { from, addressing_mode: addressing, ...alternative }
}

export function groupAttributes(sender: Sender, group: Group): Attributes {
  const lid = group.addressing === 'lid'
  return {
    from: group.jid,
    participant: jidOf(sender.account, group.addressing, sender.device),
    addressing_mode: group.addressing,
    ...(lid ? { participant_pn: pnJid(sender.account) } : { participant_lid: lidJid(sender.account) }),
  }
}

/** Content encrypted for single devices; without a list the message itself names its one recipient. */
function recipients(node: Stanza, to?: string): { jid: string; content: Stanza[] }[] {
  const list = child(node, 'participants')
  if (!list) return to === undefined ? [] : [{ jid: to, content: childrenOf(node, 'enc') }]
  return childrenOf(list, 'to').map((part) => ({ jid: part.attrs['jid'] ?? '', content: children(part) }))
}

function sharedParts(node: Stanza): Stanza[] {
  return children(node).filter((part) => SHARED_PARTS.has(part.tag))
}

function hasDevice(account: Account, device: number): boolean {
  return device === 0 || account.devices.has(device)
}

function nameOf(exchange: Exchange, jid: string): string {
  return `${accountByJid(exchange.world, jid)?.number}:${deviceOf(jid)}`
}
