// Receipts: a device reports the status of a message, and the network forwards the report to the devices of its author.
import { addressingOf, deviceOf, isSharedJid, jidOf, lidJid, shownPn } from '../model/address.ts'
import { type AccountDevice, accountByJid, deviceIds, type World } from '../model/world.ts'
import type { Database } from '../store/database.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { child, childrenOf, nowSeconds, type Stanza, type StanzaAttributes, stanza } from '../wire/stanza.ts'
import type { ConnectedClient } from './client.ts'
import { acknowledge, type Delivery, deliverLater, enqueue } from './delivery.ts'

/** A client could not download media, and asks its own phone for another upload. */
const MEDIA_RETRY = 'server-error'

/** Receipts that are not forwarded to the author. They only remove the stanza from the queue. */
const OWN_TYPES = new Set(['sender', 'peer_msg', 'hist_sync', 'read-self', 'played-self', MEDIA_RETRY])
/** Read receipts. Those with `-self` go to the reader's own devices only, because the reader's privacy settings hide them. */
const READ_TYPES = new Set(['read', 'read-self', 'played', 'played-self'])

export function acceptReceipt(client: ConnectedClient, node: Stanza): void {
  const { state, connection, account, device } = client
  // After a retry receipt the client sends a separate ack for the stanza.
  if (node.attrs['type'] !== 'retry') {
    for (const id of receiptIds(node))
      acknowledge(state.database, account, device.id, { class: 'message', id })
  }
  const from = { account, device: device.id }
  const deliveries = routeReceipt(state, from, node)
  if (READ_TYPES.has(node.attrs['type'] ?? ''))
    deliveries.push(...routeToOwnDevices(state.database, from, node))
  if (node.attrs['type'] === MEDIA_RETRY) deliveries.push(askOwnPhone(state.database, from, node))
  const { id, to, participant, type } = node.attrs
  const ack = stanza('ack', { id, class: 'receipt', from: to, participant, type, t: nowSeconds() })
  deliverLater(state, deliveries, { done: () => connection.send(ack), failed: connection.close })
}

/** Queues the receipt for the author's devices. A retry receipt goes only to the device that sent the message. */
export function routeReceipt(state: StoredWorld, from: AccountDevice, node: Stanza): Delivery[] {
  const { to = '', participant, type } = node.attrs
  if (type !== undefined && OWN_TYPES.has(type)) return []
  const authorJid = participant ?? to
  const author = accountByJid(state.world, authorJid)
  if (!author) return []
  const retry = type === 'retry'
  const attributes: StanzaAttributes = {
    id: node.attrs['id'],
    // A client in the background reports `inactive`; for the author that means delivered.
    type: type === 'inactive' ? undefined : type,
    t: node.attrs['t'] ?? nowSeconds(),
    ...receiptSource(state.world, from, to, authorJid, retry),
  }
  if (retry && node.attrs['recipient']) attributes['recipient'] = node.attrs['recipient']
  const devices = retry ? [deviceOf(authorJid)] : deviceIds(author)
  return devices
    .filter((device) => device === 0 || author.devices.has(device))
    .filter((device) => author !== from.account || device !== from.device)
    .map((device) => enqueue(state.database, author, device, stanza('receipt', attributes, node.content)))
}

/** Queues a read receipt for the reader's other devices, so that they show the message as read. `recipient` names its author. */
export function routeToOwnDevices(database: Database, from: AccountDevice, node: Stanza): Delivery[] {
  const { to = '', participant, id, type = 'read', t } = node.attrs
  const own = jidOf(from.account, addressingOf(participant ?? to))
  const attributes: StanzaAttributes = isSharedJid(to)
    ? { id, type: `${type.replace('-self', '')}-self`, t, from: to, participant: own, recipient: participant }
    : { id, type, t, from: own, recipient: to }
  return deviceIds(from.account)
    .filter((device) => device !== from.device)
    .map((device) => enqueue(database, from.account, device, stanza('receipt', attributes, node.content)))
}

function askOwnPhone(database: Database, { account, device }: AccountDevice, node: Stanza): Delivery {
  const { id, type } = node.attrs
  const attributes = { id, type, from: jidOf(account, 'pn', device), t: nowSeconds() }
  return enqueue(database, account, 0, stanza('receipt', attributes, node.content))
}

export function receiptIds(node: Stanza): string[] {
  const more = childrenOf(child(node, 'list'), 'item').map((item) => item.attrs['id'] ?? '')
  return [node.attrs['id'] ?? '', ...more]
}

/** The sender of the receipt, in the addressing of the author's message. */
function receiptSource(
  world: World,
  { account, device }: AccountDevice,
  to: string,
  authorJid: string,
  retry: boolean,
): StanzaAttributes {
  const group = isSharedJid(to) ? world.groups.get(to) : undefined
  const addressing = group?.addressing ?? addressingOf(authorJid)
  const who = jidOf(account, addressing, retry ? device : 0)
  const lid = addressing === 'lid'
  if (isSharedJid(to))
    return {
      from: to,
      participant: who,
      ...(lid ? { participant_pn: shownPn(account) } : { participant_lid: lidJid(account) }),
    }
  return { from: who, ...(lid ? { sender_pn: shownPn(account) } : { sender_lid: lidJid(account) }) }
}
