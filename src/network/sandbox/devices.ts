/** Linking and unlinking of devices, and telling those who keep device lists about it. */
import { jidOf, lidJid, pnJid } from './address.ts'
import { type Delivery, deliver, enqueue } from './delivery.ts'
import type { Exchange } from './exchange.ts'
import { newStanzaId, nowSeconds, stanza } from './stanza.ts'
import { removeDevice, writeAccount, writeDevice } from './store/documents.ts'
import { listChats } from './store/messages.ts'
import type { Account, Device } from './world.ts'

export async function linkDevice(exchange: Exchange, account: Account, device: Device): Promise<void> {
  account.devices.set(device.id, device)
  writeDevice(exchange.database, device)
  writeAccount(exchange.database, account)
  exchange.changes.note({ about: 'world' })
  await deliver(exchange, announceDevice(exchange, account, device, 'add'))
}

export async function unlinkDevice(exchange: Exchange, account: Account, device: Device): Promise<void> {
  account.devices.delete(device.id)
  removeDevice(exchange.database, device)
  exchange.changes.note({ about: 'world' })
  await deliver(exchange, announceDevice(exchange, account, device, 'remove'))
}

/** Clients keep device lists for minutes: without this notice they would miss a new device of a friend. */
function announceDevice(
  exchange: Exchange,
  account: Account,
  device: Device,
  change: 'add' | 'remove',
): Delivery[] {
  const names = [
    stanza('device', { jid: jidOf(account, 'pn', device.id), 'key-index': String(device.keyIndex) }),
    stanza('device', { jid: jidOf(account, 'lid', device.id), 'key-index': String(device.keyIndex) }),
  ]
  const notification = (id: string) =>
    stanza(
      'notification',
      { from: pnJid(account), type: 'devices', id, t: nowSeconds(), lid: lidJid(account) },
      [stanza(change, {}, names)],
    )
  return acquaintances(exchange, account).flatMap((friend) =>
    [...friend.devices.keys()]
      .filter((id) => friend !== account || id !== device.id)
      .map((id) => enqueue(exchange, friend, id, notification(newStanzaId()))),
  )
}

/** The account itself and all it has a chat or a group with. */
function acquaintances(exchange: Exchange, account: Account): Account[] {
  const numbers = new Set([account.number, ...listChats(exchange.database, account.number)])
  for (const group of exchange.world.groups.values())
    if (group.members[account.number]) for (const number of Object.keys(group.members)) numbers.add(number)
  return [...numbers].flatMap((number) => exchange.world.accounts.get(number) ?? [])
}
