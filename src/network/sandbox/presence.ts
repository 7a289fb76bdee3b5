/** Typing and presence: passed on to whoever is online, never kept. */
import { isGroupJid, jidOf } from './address.ts'
import { sendIfOnline } from './delivery.ts'
import type { Client } from './dispatch.ts'
import type { Exchange } from './exchange.ts'
import { children, nowSeconds, type Stanza, stanza } from './stanza.ts'
import { writeAccount } from './store/documents.ts'
import { type Account, accountByJid, deviceIds } from './world.ts'

/** What the library calls itself until it knows better. */
const PLACEHOLDER_NAME = '~'

export function acceptChatState({ exchange, account }: Client, node: Stanza): void {
  routeChatState(exchange, account, node.attrs['to'] ?? '', children(node))
}

export function routeChatState(exchange: Exchange, from: Account, to: string, state: Stanza[]): void {
  const group = exchange.world.groups.get(to)
  const targets = group
    ? Object.keys(group.members).map((number) => exchange.world.accounts.get(number))
    : [accountByJid(exchange.world, to)]
  const attributes =
    group && isGroupJid(to)
      ? { from: to, participant: jidOf(from, group.addressing) }
      : { from: jidOf(from, exchange.world.addressing) }
  for (const target of targets) {
    if (!target || target === from) continue
    for (const device of deviceIds(target))
      sendIfOnline(exchange, target, device, stanza('chatstate', attributes, state))
  }
}

export function acceptPresence(client: Client, node: Stanza): void {
  const { exchange, connection, account } = client
  const { type, name, to } = node.attrs
  if (type === 'subscribe') {
    const followed = accountByJid(exchange.world, to)
    if (!followed || !to) return
    connection.login?.subscriptions.add(followed.number)
    connection.send(presenceOf(exchange, followed, to))
    return
  }
  if (name && name !== PLACEHOLDER_NAME && name !== account.name) {
    account.name = name
    writeAccount(exchange.database, account)
    exchange.changes.note({ about: 'world' })
  }
  if (connection.login && (type === 'available' || type === 'unavailable')) {
    connection.login.available = type === 'available'
    announcePresence(exchange, account)
  }
}

/** Tells those who follow a person whether any of the devices is in use. */
export function announcePresence(exchange: Exchange, account: Account): void {
  for (const connection of exchange.online.values()) {
    if (!connection.login?.live || !connection.login.subscriptions.has(account.number)) continue
    connection.send(presenceOf(exchange, account, jidOf(account, exchange.world.addressing)))
  }
}

function presenceOf(exchange: Exchange, account: Account, from: string): Stanza {
  const available = [...account.devices.keys()].some(
    (device) => exchange.online.get(`${account.number}:${device}`)?.login?.available,
  )
  return available
    ? stanza('presence', { from })
    : stanza('presence', { from, type: 'unavailable', last: nowSeconds() })
}
