// Typing and presence: forwarded to devices that are online, never stored.
import { deviceKey, isGroupJid, jidOf } from '../model/address.ts'
import { type Account, accountByJid, deviceIds } from '../model/world.ts'
import { writeAccount } from '../store/documents.ts'
import { children, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import type { Client } from './client.ts'
import type { Online } from './connection.ts'
import { sendIfOnline } from './delivery.ts'
import type { SandboxState } from './sandbox-state.ts'

/** The name that the library sends until it knows the account's name. */
const PLACEHOLDER_NAME = '~'

export function acceptChatState({ state, account }: Client, node: Stanza): void {
  routeChatState(state, account, node.attrs['to'] ?? '', children(node))
}

export function routeChatState(
  state: Pick<SandboxState, 'online' | 'phones' | 'world'>,
  from: Account,
  to: string,
  content: Stanza[],
): void {
  const group = state.world.groups.get(to)
  const targets = group
    ? Object.keys(group.members).map((number) => state.world.accounts.get(number))
    : [accountByJid(state.world, to)]
  const attributes =
    group && isGroupJid(to)
      ? { from: to, participant: jidOf(from, group.addressing) }
      : { from: jidOf(from, state.world.addressing) }
  for (const target of targets) {
    if (!target || target === from) continue
    for (const device of deviceIds(target))
      sendIfOnline(state, target, device, stanza('chatstate', attributes, content))
  }
}

export function acceptPresence(client: Client, node: Stanza): void {
  const { state, connection, account } = client
  const { type, name, to } = node.attrs
  if (type === 'subscribe') {
    const followed = accountByJid(state.world, to)
    if (!followed || !to) return
    connection.login?.subscriptions.add(followed.number)
    connection.send(presenceOf(state.online, followed, to))
    return
  }
  if (name && name !== PLACEHOLDER_NAME && name !== account.name) {
    account.name = name
    writeAccount(state.database, account)
    state.changes.record({ about: 'world' }, [account.owner])
  }
  if (connection.login && (type === 'available' || type === 'unavailable')) {
    connection.login.available = type === 'available'
    announcePresence(state, account)
  }
}

/** Sends the presence of an account to the clients that subscribed to it. */
export function announcePresence(state: Pick<SandboxState, 'online' | 'world'>, account: Account): void {
  for (const connection of state.online.values()) {
    if (!connection.login?.live || !connection.login.subscriptions.has(account.number)) continue
    connection.send(presenceOf(state.online, account, jidOf(account, state.world.addressing)))
  }
}

function presenceOf(online: Online, account: Account, from: string): Stanza {
  const available = [...account.devices.keys()].some(
    (device) => online.get(deviceKey(account.number, device))?.login?.available,
  )
  return available
    ? stanza('presence', { from })
    : stanza('presence', { from, type: 'unavailable', last: nowSeconds() })
}
