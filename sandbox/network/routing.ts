// Routes messages: turns the stanza of the sending device into one stanza per receiving device.
import {
  type Addressing,
  deviceKey,
  deviceOf,
  isGroupJid,
  jidOf,
  lidJid,
  STATUS_JID,
  shownPn,
} from '../model/address.ts'
import {
  type Account,
  type AccountDevice,
  accountByJid,
  deviceIds,
  type Group,
  type World,
} from '../model/world.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import {
  child,
  children,
  childrenOf,
  nowSeconds,
  type Stanza,
  type StanzaAttributes,
  stanza,
} from '../wire/stanza.ts'
import { type Delivery, enqueue } from './delivery.ts'

export type Routed = { deliveries: Delivery[] } | { error: string }

/** Parts that every recipient gets besides the encrypted content. */
const SHARED_PARTS = new Set(['device-identity', 'biz', 'bot', 'meta', 'reporting'])

/** Queues the message for every device it is addressed to. The caller then calls `deliver`. */
export function routeMessage(state: StoredWorld, sender: AccountDevice, node: Stanza): Routed {
  const to = node.attrs['to'] ?? ''
  if (to === STATUS_JID) return routeStatus(state, sender, node)
  return isGroupJid(to) ? routeToGroup(state, sender, node, to) : routeToPerson(state, sender, node, to)
}

function routeToPerson(state: StoredWorld, sender: AccountDevice, node: Stanza, to: string): Routed {
  const chat = accountByJid(state.world, node.attrs['recipient'] ?? to)
  if (!chat) return { error: '404' }
  const addressing = node.attrs['category'] === 'peer' ? 'pn' : state.world.addressing
  const deliveries: Delivery[] = []
  for (const { jid, content } of recipients(node, to)) {
    const target = accountByJid(state.world, jid)
    const device = deviceOf(jid)
    if (!target || !hasDevice(target, device)) continue
    if (target.blocked.includes(sender.account.number)) continue
    const attributes = {
      ...commonAttributes(sender, node),
      ...personAttributes(sender, target, chat, addressing),
      category: node.attrs['category'],
    }
    const readable = isHidden(node, device) ? [viewOncePlaceholder()] : content
    const delivered = stanza('message', attributes, [...readable, ...sharedParts(node)])
    deliveries.push(enqueue(state.database, target, device, delivered))
  }
  return { deliveries }
}

function routeToGroup(state: StoredWorld, sender: AccountDevice, node: Stanza, to: string): Routed {
  const group = state.world.groups.get(to)
  if (!group) return { error: '404' }
  const role = group.members[sender.account.number]
  if (!role || (group.announcement && role === 'member')) return { error: '403' }
  const perDevice = new Map<string, Stanza[]>()
  for (const { jid, content } of recipients(node)) perDevice.set(deviceKeyOf(state.world, jid), content)
  const encrypted = childrenOf(node, 'enc')
  // A retry goes to the device that requested it, and to no other.
  const only = node.attrs['participant'] && deviceKeyOf(state.world, node.attrs['participant'])
  const attributes = { ...commonAttributes(sender, node), ...groupAttributes(sender, group) }
  const deliveries: Delivery[] = []
  for (const { account, device } of groupDevices(state.world, group)) {
    const name = deviceKey(account.number, device)
    const isSender = account === sender.account && device === sender.device
    if (isSender || (only && only !== name)) continue
    const readable = isHidden(node, device) ? [viewOncePlaceholder()] : encrypted
    const content = [...(perDevice.get(name) ?? []), ...readable, ...sharedParts(node)]
    deliveries.push(enqueue(state.database, account, device, stanza('message', attributes, content)))
  }
  return { deliveries }
}

/** A status post has no members: its author lists the devices that get it. */
function routeStatus(state: StoredWorld, sender: AccountDevice, node: Stanza): Routed {
  const encrypted = childrenOf(node, 'enc')
  const retried = node.attrs['participant']
  const listed = retried === undefined ? recipients(node) : [{ jid: retried, content: [] }]
  const deliveries: Delivery[] = []
  for (const { jid, content } of listed) {
    const target = accountByJid(state.world, jid)
    const device = deviceOf(jid)
    if (!target || !hasDevice(target, device) || target.blocked.includes(sender.account.number)) continue
    if (target === sender.account && device === sender.device) continue
    // The library recognizes a status of its own account by the number only.
    const addressing = target === sender.account ? 'pn' : state.world.addressing
    const attributes = {
      ...commonAttributes(sender, node),
      from: STATUS_JID,
      ...participantAttributes(sender, addressing),
    }
    const parts = [...content, ...encrypted, ...sharedParts(node)]
    deliveries.push(enqueue(state.database, target, device, stanza('message', attributes, parts)))
  }
  return { deliveries }
}

export function groupDevices(world: World, group: Group): AccountDevice[] {
  return Object.keys(group.members).flatMap((number) => {
    const account = world.accounts.get(number)
    return account ? deviceIds(account).map((device) => ({ account, device })) : []
  })
}

function commonAttributes(sender: AccountDevice, node: Stanza): StanzaAttributes {
  return {
    id: node.attrs['id'],
    type: node.attrs['type'],
    edit: node.attrs['edit'],
    t: nowSeconds(),
    notify: sender.account.name,
  }
}

/** The sender in the network's addressing, together with the other form. The sender's own devices also get the chat. */
function personAttributes(
  sender: AccountDevice,
  target: Account,
  chat: Account,
  addressing: Addressing,
): StanzaAttributes {
  const from = jidOf(sender.account, addressing, sender.device)
  const lid = addressing === 'lid'
  if (target === sender.account && chat !== target) {
    const alternative = lid ? { peer_recipient_pn: shownPn(chat) } : { peer_recipient_lid: lidJid(chat) }
    const names = { ...alternative, peer_recipient_username: chat.username ?? undefined }
    return { from, recipient: jidOf(chat, addressing), addressing_mode: addressing, ...names }
  }
  const alternative = lid ? { sender_pn: shownPn(sender.account) } : { sender_lid: lidJid(sender.account) }
  const names = { ...alternative, participant_username: sender.account.username ?? undefined }
  return { from, addressing_mode: addressing, ...names }
}

export function groupAttributes(sender: AccountDevice, group: Group): StanzaAttributes {
  return { from: group.jid, ...participantAttributes(sender, group.addressing) }
}

/** The author of a message in a group or a broadcast, in both forms. */
function participantAttributes({ account, device }: AccountDevice, addressing: Addressing): StanzaAttributes {
  return {
    participant: jidOf(account, addressing, device),
    addressing_mode: addressing,
    ...(addressing === 'lid' ? { participant_pn: shownPn(account) } : { participant_lid: lidJid(account) }),
    participant_username: account.username ?? undefined,
  }
}

/** The content per receiving device. A message without a list of participants has one recipient, its `to`. */
function recipients(node: Stanza, to?: string): { jid: string; content: Stanza[] }[] {
  const list = child(node, 'participants')
  if (!list) return to === undefined ? [] : [{ jid: to, content: childrenOf(node, 'enc') }]
  return childrenOf(list, 'to').map((part) => ({ jid: part.attrs['jid'] ?? '', content: children(part) }))
}

/** The network cannot read the content, so the sending phone marks a view-once message. */
function isHidden(node: Stanza, device: number): boolean {
  return device !== 0 && child(node, 'meta')?.attrs['view_once'] === 'true'
}

/** What a linked device gets of a message that may be opened once, and only on a phone. */
function viewOncePlaceholder(): Stanza {
  return stanza('unavailable', { type: 'view_once' })
}

function sharedParts(node: Stanza): Stanza[] {
  return children(node).filter((part) => SHARED_PARTS.has(part.tag))
}

function hasDevice(account: Account, device: number): boolean {
  return device === 0 || account.devices.has(device)
}

function deviceKeyOf(world: World, jid: string): string {
  return `${accountByJid(world, jid)?.number}:${deviceOf(jid)}`
}
