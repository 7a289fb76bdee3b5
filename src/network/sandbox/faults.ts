/** Faults a developer can switch on, to see how a client takes what real networks do. */
import { randomUUID } from 'node:crypto'
import { pnJid } from './address.ts'
import type { Connection } from './connection.ts'
import { deliver, enqueue } from './delivery.ts'
import { unlinkDevice } from './devices.ts'
import type { Exchange } from './exchange.ts'
import type { LastingFault } from './fault-state.ts'
import { nowSeconds, stanza } from './stanza.ts'
import { endStream } from './stream-end.ts'
import type { Account } from './world.ts'

export function disconnect(exchange: Exchange, account: Account, code?: number): void {
  for (const connection of connectionsOf(exchange, account)) {
    if (code === undefined) connection.close()
    else endStream(connection, { code: String(code) })
  }
}

export function replace(exchange: Exchange, account: Account): void {
  for (const connection of connectionsOf(exchange, account))
    endStream(connection, {}, stanza('conflict', { type: 'replaced' }))
}

/** The sockets stay open but dead; a new connection works. */
export function silence(exchange: Exchange, account: Account): void {
  for (const connection of connectionsOf(exchange, account)) {
    connection.silent = true
    exchange.faults.silenced.add(connection)
  }
}

export async function unlinkAll(exchange: Exchange, account: Account): Promise<void> {
  for (const device of account.devices.values()) {
    const connection = exchange.online.get(`${account.number}:${device.id}`)
    await unlinkDevice(exchange, account, device)
    if (connection) endStream(connection, { code: '401' }, stanza('conflict', { type: 'device_removed' }))
  }
}

/** The account may answer people, but not write to those who never wrote to it. */
export async function restrict(exchange: Exchange, account: Account, until: number): Promise<void> {
  exchange.faults.restricted.set(account.number, { until })
  await notifyRestriction(exchange, account, until)
}

/** Those of one number, of one kind, or all. */
export type Which = { number?: string | undefined; kind?: LastingFault | undefined }

export async function clearFaults(exchange: Exchange, which: Which): Promise<void> {
  const { faults } = exchange
  const concerns = (kind: LastingFault) => (number: string) =>
    (which.number ?? number) === number && (which.kind ?? kind) === kind
  for (const [kind, rejections] of [
    ['reject', faults.rejected] as const,
    ['refuse', faults.refused] as const,
  ])
    for (const key of [...rejections.keys()].filter(concerns(kind))) rejections.delete(key)
  for (const connection of faults.silenced) {
    if (!concerns('silent')(connection.login?.account.number ?? '')) continue
    connection.silent = false
    faults.silenced.delete(connection)
  }
  for (const key of [...faults.offline].filter(concerns('offline'))) {
    faults.offline.delete(key)
    exchange.phones.get(key)?.wake()
  }
  for (const key of [...faults.restricted.keys()].filter(concerns('restrict'))) {
    faults.restricted.delete(key)
    const account = exchange.world.accounts.get(key)
    if (account) await notifyRestriction(exchange, account, undefined)
  }
}

function connectionsOf(exchange: Exchange, account: Account): Connection[] {
  return [...exchange.online.values()].filter((connection) => connection.login?.account === account)
}

async function notifyRestriction(exchange: Exchange, account: Account, until: number | undefined) {
  const data = {
    data: {
      xwa2_notify_account_reachout_timelock: {
        is_active: until !== undefined,
        time_enforcement_ends: until === undefined ? undefined : String(until),
        enforcement_type: 'DEFAULT',
      },
    },
  }
  const update = stanza(
    'update',
    { op_name: 'NotificationUserReachoutTimelockUpdate' },
    Buffer.from(JSON.stringify(data)),
  )
  const attributes = { from: pnJid(account), type: 'mex', id: randomUUID(), t: nowSeconds() }
  const deliveries = [...account.devices.keys()].map((device) =>
    enqueue(exchange, account, device, stanza('notification', attributes, [update])),
  )
  await deliver(exchange, deliveries)
}
