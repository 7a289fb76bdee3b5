/**
 * Delivery to devices. A stanza is first put into the device's queue, then, once that is committed, handed to the
 * device if it is online. It leaves the queue when the device acknowledges it, and comes again on every login until
 * then: a client that dies between reading and acting loses nothing.
 */
import { decodeBinaryNode, encodeBinaryNode } from 'baileys'
import { deviceKey } from './address.ts'
import type { Connection } from './connection.ts'
import type { Exchange } from './exchange.ts'
import { SERVER_JID, type Stanza, stanza } from './stanza.ts'
import { appendFrame } from './store/frames.ts'
import { appendToQueue, readQueue, removeFromQueue, type StanzaName } from './store/queue.ts'
import type { Account } from './world.ts'

/** A queued stanza on its way to one device. */
export type Delivery = { number: string; device: number; seq: number; node: Stanza; bytes: Buffer }

/** Puts a stanza into the queue of a device; `deliver` hands it on after the commit. */
export function enqueue(exchange: Exchange, account: Account, device: number, node: Stanza): Delivery {
  const bytes = encodeBinaryNode(node)
  const name = { class: node.tag, id: node.attrs['id'] ?? '' }
  const seq = appendToQueue(exchange.database, account.number, device, name, bytes)
  return { number: account.number, device, seq, node, bytes }
}

export async function deliver(exchange: Exchange, deliveries: Delivery[]): Promise<void> {
  await exchange.database.committed()
  for (const delivery of deliveries) handOver(exchange, delivery)
}

/** Sends something that nobody misses when the device is offline, such as typing. */
export function sendIfOnline(exchange: Exchange, account: Account, device: number, node: Stanza): void {
  if (device === 0) exchange.phones.get(account.number)?.notice(node)
  else {
    const connection = exchange.online.get(deviceKey(account.number, device))
    if (connection?.login?.live) connection.send(node)
  }
}

/** The device has taken the stanza in: it is done. */
export function acknowledge(exchange: Exchange, account: Account, device: number, name: StanzaName): void {
  removeFromQueue(exchange.database, account.number, device, name)
}

/** Sends all that waits for a device which has just come online, then says that this was all. */
export async function flushQueue(exchange: Exchange, connection: Connection): Promise<void> {
  const login = connection.login
  if (!login || login.live) return
  const { account, device } = login
  const waiting: Stanza[] = []
  let last = 0
  // More may arrive while stanzas are decoded: only an empty look, with no pause after it, ends the waiting.
  for (;;) {
    const entries = readQueue(exchange.database, account.number, device.id, last)
    if (entries.length === 0) break
    last = entries.at(-1)?.seq ?? last
    await exchange.database.committed()
    for (const entry of entries) waiting.push(await decodeBinaryNode(Buffer.from(entry.stanza)))
  }
  login.live = true
  login.flushedThrough = last
  for (const node of waiting) {
    // The mark by which a client tells what it missed from what happens now.
    node.attrs['offline'] = String(waiting.length)
    logFrame(exchange, 'out', account.number, device.id, node)
    connection.send(node)
  }
  const count = stanza('offline', { count: String(waiting.length) })
  connection.send(stanza('ib', { from: SERVER_JID }, [count]))
}

export function logFrame(
  exchange: Exchange,
  direction: 'in' | 'out',
  number: string,
  device: number,
  node: Stanza,
): void {
  appendFrame(exchange.database, {
    atMs: Date.now(),
    direction,
    number,
    device,
    tag: node.tag,
    id: node.attrs['id'] ?? '',
    attributes: node.attrs,
  })
}

function handOver(exchange: Exchange, delivery: Delivery): void {
  if (delivery.device === 0) {
    exchange.phones.get(delivery.number)?.take(delivery)
    return
  }
  const connection = exchange.online.get(deviceKey(delivery.number, delivery.device))
  const login = connection?.login
  if (!login?.live || connection?.silent || delivery.seq <= login.flushedThrough) return
  logFrame(exchange, 'out', delivery.number, delivery.device, delivery.node)
  connection?.sendEncoded(delivery.bytes)
}
