// Delivery to devices. A stanza is first written to the device's queue. After the commit it is sent to the device if that is
// online. It leaves the queue when the device acknowledges it, and is sent again on every login until then, so that a client
// that crashes between reading and processing loses nothing.
import { decodeBinaryNode, encodeBinaryNode } from 'baileys'
import { deviceKey } from '../model/address.ts'
import type { Account } from '../model/world.ts'
import type { Database } from '../store/database.ts'
import { appendFrame } from '../store/frames.ts'
import { appendToQueue, readQueue, removeFromQueue, type StanzaName } from '../store/queue.ts'
import { SERVER_JID, type Stanza, stanza } from '../wire/stanza.ts'
import type { Connection } from './connection.ts'
import type { DeliveryState, SandboxState } from './sandbox-state.ts'

/** A queued stanza on its way to one device. */
export interface Delivery {
  number: string
  device: number
  seq: number
  node: Stanza
  bytes: Buffer
}

/** Writes a stanza to the queue of a device. `deliver` sends it after the commit. */
export function enqueue(database: Database, account: Account, device: number, node: Stanza): Delivery {
  const bytes = encodeBinaryNode(node)
  const name = { class: node.tag, id: node.attrs['id'] ?? '' }
  const seq = appendToQueue(database, account.number, device, name, bytes)
  return { number: account.number, device, seq, node, bytes }
}

export async function deliver(state: DeliveryState, deliveries: Delivery[]): Promise<void> {
  await state.database.committed()
  for (const delivery of deliveries) sendToDevice(state, delivery)
}

/**
 * As `deliver`, for callers that do not await it. When the commit fails, nothing was stored and `failed` is called; the stanza
 * that caused the writes comes again from its queue or from its sender.
 */
export function deliverLater(
  state: DeliveryState,
  deliveries: Delivery[],
  { done, failed }: { done?: () => void; failed?: () => void } = {},
): void {
  deliver(state, deliveries).then(done, (error: unknown) => {
    state.log.error('could not store stanzas', { error: String(error) })
    failed?.()
  })
}

/** Sends a stanza that is dropped when the device is offline, such as typing. */
export function sendIfOnline(
  state: Pick<SandboxState, 'online' | 'phones'>,
  account: Account,
  device: number,
  node: Stanza,
): void {
  if (device === 0) state.phones.get(account.number)?.receiveTransient(node)
  else {
    const connection = state.online.get(deviceKey(account.number, device))
    if (connection?.login?.live) connection.send(node)
  }
}

/** Removes a stanza from the queue of the device that acknowledged it. */
export function acknowledge(database: Database, account: Account, device: number, name: StanzaName): void {
  removeFromQueue(database, account.number, device, name)
}

/** Sends the queue to a device that has just come online, then the number of stanzas. */
export async function flushQueue(database: Database, connection: Connection): Promise<void> {
  const login = connection.login
  if (!login || login.live) return
  const { account, device } = login
  const queued: Stanza[] = []
  let last = 0
  // New stanzas may be queued while others are decoded. The loop ends when a read finds the queue empty, and no code runs
  // between that read and `live = true`.
  for (;;) {
    const entries = readQueue(database, account.number, device.id, last)
    if (entries.length === 0) break
    last = entries.at(-1)?.seq ?? last
    await database.committed()
    for (const entry of entries) queued.push(await decodeBinaryNode(Buffer.from(entry.stanza)))
  }
  login.live = true
  login.flushedThrough = last
  if (queued.length > 0) connection.send(stanza('ib', { from: SERVER_JID }, [previewOf(queued)]))
  for (const node of queued) {
    // Marks the stanza as queued, so that the client can tell it from a live one.
    node.attrs['offline'] = String(queued.length)
    logFrame(database, 'out', account.number, device.id, node)
    connection.send(node)
  }
  const count = stanza('offline', { count: String(queued.length) })
  connection.send(stanza('ib', { from: SERVER_JID }, [count]))
}

/** What the client is about to get. */
function previewOf(queued: Stanza[]): Stanza {
  const count = (tag: string) => String(queued.filter((node) => node.tag === tag).length)
  return stanza('offline_preview', {
    count: String(queued.length),
    message: count('message'),
    receipt: count('receipt'),
    notification: count('notification'),
    call: count('call'),
    appdata: '0',
  })
}

export function logFrame(
  database: Database,
  direction: 'in' | 'out',
  number: string,
  device: number,
  node: Stanza,
): void {
  appendFrame(database, {
    atMs: Date.now(),
    direction,
    number,
    device,
    tag: node.tag,
    id: node.attrs['id'] ?? '',
    attributes: node.attrs,
  })
}

/** As `logFrame`, for stanzas that are stored already: a failure of the frame log does not stop their delivery. */
export function tryLogFrame(
  { database, log }: Pick<SandboxState, 'database' | 'log'>,
  direction: 'in' | 'out',
  number: string,
  device: number,
  node: Stanza,
): void {
  try {
    logFrame(database, direction, number, device, node)
  } catch (error) {
    log.error('could not log a frame', { error: String(error) })
  }
}

function sendToDevice(state: DeliveryState, delivery: Delivery): void {
  if (delivery.device === 0) {
    state.phones.get(delivery.number)?.receive(delivery)
    return
  }
  const connection = state.online.get(deviceKey(delivery.number, delivery.device))
  const login = connection?.login
  if (!login?.live || connection?.silent || delivery.seq <= login.flushedThrough) return
  tryLogFrame(state, 'out', delivery.number, delivery.device, delivery.node)
  connection?.sendEncoded(delivery.bytes)
}
