// Links and unlinks devices, and notifies the accounts that cache device lists.
import { jidOf, lidJid, pnJid } from '../model/address.ts'
import type { Account, Device } from '../model/world.ts'
import { removeDevice, writeAccount, writeDevice } from '../store/documents.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { newStanzaId, nowSeconds, stanza } from '../wire/stanza.ts'
import { acquaintancesOf } from './acquaintances.ts'
import { type Delivery, deliver, enqueue } from './delivery.ts'
import type { WorldChangeState } from './sandbox-state.ts'

export async function linkDevice(state: WorldChangeState, account: Account, device: Device): Promise<void> {
  account.devices.set(device.id, device)
  writeDevice(state.database, device)
  writeAccount(state.database, account)
  state.changes.record({ about: 'world' }, [account.owner])
  await deliver(state, announceDevice(state, account, device, 'add'))
}

export async function unlinkDevice(state: WorldChangeState, account: Account, device: Device): Promise<void> {
  account.devices.delete(device.id)
  removeDevice(state.database, device)
  state.changes.record({ about: 'world' }, [account.owner])
  await deliver(state, announceDevice(state, account, device, 'remove'))
}

/** Clients cache device lists for minutes. Without this notification they would not encrypt for a new device. */
function announceDevice(
  state: StoredWorld,
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
  return acquaintancesOf(state, account).flatMap((friend) =>
    [...friend.devices.keys()]
      .filter((id) => friend !== account || id !== device.id)
      .map((id) => enqueue(state.database, friend, id, notification(newStanzaId()))),
  )
}
