/** Receipts: a device says what became of a message, and the devices of its author hear of it. */
import { addressingOf, deviceOf, isGroupJid, jidOf, lidJid, pnJid } from './address.ts'
import { acknowledge, type Delivery, deliver, enqueue } from './delivery.ts'
import type { Client } from './dispatch.ts'
import type { Exchange } from './exchange.ts'
import type { Sender } from './routing.ts'
import { type Attributes, child, childrenOf, nowSeconds, type Stanza, stanza } from './stanza.ts'
import { accountByJid, deviceIds } from './world.ts'

/** Receipts between a person's own devices: they end a stanza's stay in the queue and concern nobody else. */
const OWN_TYPES = new Set(['sender', 'peer_msg', 'hist_sync', 'read-self', 'played-self', 'server-error'])
/** Said by a device on which its person has looked at a message; with `-self` where authors are not to know. */
const LOOKED_AT = new Set(['read', 'read-self', 'played', 'played-self'])

export function acceptReceipt(client: Client, node: Stanza): void {
  const { exchange, connection, account, device } = client
  // A retry receipt is followed by an ack of its own once the client is done with the stanza.
  if (node.attrs['type'] !== 'retry') {
    for (const id of receiptIds(node)) acknowledge(exchange, account, device.id, { class: 'message', id })
  }
  const from = { account, device: device.id }
  const deliveries = routeReceipt(exchange, from, node)
  if (LOOKED_AT.has(node.attrs['type'] ?? '')) deliveries.push(...tellOwnDevices(exchange, from, node))
  const { id, to, participant, type } = node.attrs
  const ack = stanza('ack', { id, class: 'receipt', from: to, participant, type, t: nowSeconds() })
  void deliver(exchange, deliveries).then(() => connection.send(ack))
}

/** Queues the receipt for the author's devices; a retry request goes to the device that sent the message. */
export function routeReceipt(exchange: Exchange, from: Sender, node: Stanza): Delivery[] {
  const { to = '', participant, type } = node.attrs
  if (type !== undefined && OWN_TYPES.has(type)) return []
  const authorJid = participant ?? to
  const author = accountByJid(exchange.world, authorJid)
  if (!author) return []
  const retry = type === 'retry'
  const attributes: Attributes = {
    id: node.attrs['id'],
    // A background client says `inactive`; for the author the message is delivered all the same.
    type: type === 'inactive' ? undefined : type,
    t: node.attrs['t'] ?? nowSeconds(),
    ...receiptSource(exchange, from, to, authorJid, retry),
  }
  if (retry && node.attrs['recipient']) attributes['recipient'] = node.attrs['recipient']
  const devices = retry ? [deviceOf(authorJid)] : deviceIds(author)
  return devices
    .filter((device) => device === 0 || author.devices.has(device))
    .filter((device) => author !== from.account || device !== from.device)
    .map((device) => enqueue(exchange, author, device, stanza('receipt', attributes, node.content)))
}

/** What a person reads on one device the person's others hear of: in whose name it was read stands as its recipient. */
export function tellOwnDevices(exchange: Exchange, from: Sender, node: Stanza): Delivery[] {
  const { to = '', participant, id, type = 'read', t } = node.attrs
  const own = jidOf(from.account, addressingOf(participant ?? to))
  const attributes: Attributes = isGroupJid(to)
    ? { id, type: `${type.replace('-self', '')}-self`, t, from: to, participant: own, recipient: participant }
    : { id, type, t, from: own, recipient: to }
  return deviceIds(from.account)
    .filter((device) => device !== from.device)
    .map((device) => enqueue(exchange, from.account, device, stanza('receipt', attributes, node.content)))
}

export function receiptIds(node: Stanza): string[] {
  const more = childrenOf(child(node, 'list'), 'item').map((item) => item.attrs['id'] ?? '')
  return [node.attrs['id'] ?? '', ...more]
}

/** Who it comes from, in the addressing that the author's own message had. */
function receiptSource(
  exchange: Exchange,
  { account, device }: Sender,
  to: string,
  authorJid: string,
  retry: boolean,
): Attributes {
  const group = isGroupJid(to) ? exchange.world.groups.get(to) : undefined
  const addressing = group?.addressing ?? addressingOf(authorJid)
  const who = jidOf(account, addressing, retry ? device : 0)
  const lid = addressing === 'lid'
  if (isGroupJid(to))
    return {
      from: to,
      participant: who,
      ...(lid ? { participant_pn: pnJid(account) } : { participant_lid: lidJid(account) }),
    }
  return { from: who, ...(lid ? { sender_pn: pnJid(account) } : { sender_lid: lidJid(account) }) }
}
