// Typing and presence: forwarded to devices that are online, never stored.
import { deviceKey, isGroupJid, jidOf } from '../model/address.ts'
import { showsLastSeen, showsOnline } from '../model/privacy.ts'
import { type Account, accountByJid, deviceIds } from '../model/world.ts'
import { children, type Stanza, stanza } from '../wire/stanza.ts'
import type { ConnectedClient } from './client.ts'
import { sendIfOnline } from './delivery.ts'
import { setPushName } from './profile.ts'
import type { SandboxState } from './sandbox-state.ts'

type PresenceState = Pick<SandboxState, 'online' | 'phones' | 'world'>

export function acceptChatState({ state, account }: ConnectedClient, node: Stanza): void {
  routeChatState(state, account, node.attrs['to'] ?? '', children(node))
}

/** Typing reaches the devices that are available, and in a chat of two only those of a person who did not block the writer. */
export function routeChatState(state: PresenceState, from: Account, to: string, content: Stanza[]): void {
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
    // Blocked people stay visible in groups, as their messages do.
    if (!group && target.blocked.includes(from.number)) continue
    for (const device of deviceIds(target))
      if (isAvailable(state, target, device))
        sendIfOnline(state, target, device, stanza('chatstate', attributes, content))
  }
}

export function acceptPresence(client: ConnectedClient, node: Stanza): void {
  const { state, connection, account } = client
  const { type, name, to } = node.attrs
  if (type === 'subscribe') {
    const followed = accountByJid(state.world, to)
    if (!followed || !to) return
    connection.login?.subscriptions.add(followed.number)
    if (connection.login?.available) connection.send(presenceOf(state, followed, account, to))
    return
  }
  setPushName(state, account, name)
  // A presence without a type means `available`.
  const shown = type ?? 'available'
  if (connection.login && (shown === 'available' || shown === 'unavailable')) {
    connection.login.available = shown === 'available'
    announcePresence(state, account)
  }
}

/** Sends the presence of an account to the clients that subscribed to it and are online themselves. */
export function announcePresence(state: PresenceState, account: Account): void {
  const phone = state.phones.get(account.number)
  if (phone && !hasAvailableDevice(state, account)) phone.presence.lastSeen = Math.floor(Date.now() / 1000)
  for (const connection of state.online.values()) {
    const { live = false, available = false, subscriptions } = connection.login ?? {}
    if (!connection.login || !live || !available || !subscriptions?.has(account.number)) continue
    const from = jidOf(account, state.world.addressing)
    connection.send(presenceOf(state, account, connection.login.account, from))
  }
}

/** The presence as the viewer may see it. */
function presenceOf(state: PresenceState, account: Account, viewer: Account, from: string): Stanza {
  if (hasAvailableDevice(state, account) && showsOnline(account, viewer)) return stanza('presence', { from })
  const lastSeen = String(state.phones.get(account.number)?.presence.lastSeen ?? 0)
  const last = showsLastSeen(account, viewer) ? lastSeen : 'deny'
  return stanza('presence', { from, type: 'unavailable', last })
}

function hasAvailableDevice(state: PresenceState, account: Account): boolean {
  return deviceIds(account).some((device) => isAvailable(state, account, device))
}

function isAvailable({ online, phones }: PresenceState, { number }: Account, device: number): boolean {
  const available =
    device === 0
      ? phones.get(number)?.presence.available
      : online.get(deviceKey(number, device))?.login?.available
  return available ?? false
}
