// Faults that a developer can switch on, to test how a client handles the failures of a real network.
import { randomUUID } from 'node:crypto'
import { deviceKey, pnJid } from '../model/address.ts'
import type { Account } from '../model/world.ts'
import { nowSeconds, stanza } from '../wire/stanza.ts'
import type { Connection, Online } from './connection.ts'
import { deliver, enqueue } from './delivery.ts'
import { unlinkDevice } from './devices.ts'
import { endStream } from './end-stream.ts'
import type { LastingFault } from './fault-state.ts'
import { announcePresence } from './presence.ts'
import type { DeliveryState, SandboxState, WorldChangeState } from './sandbox-state.ts'

export function disconnect(online: Online, account: Account, code?: number): void {
  for (const connection of connectionsOf(online, account)) {
    if (code === undefined) connection.close()
    else endStream(connection, { code: String(code) })
  }
}

export function replaceConnections(online: Online, account: Account): void {
  for (const connection of connectionsOf(online, account))
    endStream(connection, {}, stanza('conflict', { type: 'replaced' }))
}

/** The sockets stay open without traffic; a new connection works. */
export function silence({ online, faults }: Pick<SandboxState, 'online' | 'faults'>, account: Account): void {
  for (const connection of connectionsOf(online, account)) {
    connection.silent = true
    faults.silenced.add(connection)
  }
}

export async function unlinkAll(state: WorldChangeState, account: Account): Promise<void> {
  for (const device of account.devices.values()) {
    const connection = state.online.get(deviceKey(account.number, device.id))
    await unlinkDevice(state, account, device)
    if (connection) endStream(connection, { code: '401' }, stanza('conflict', { type: 'device_removed' }))
  }
}

/** The account may answer people, but may not start a chat with a person who has never written to it. */
export async function restrict(
  state: DeliveryState & Pick<SandboxState, 'faults'>,
  account: Account,
  until: number,
): Promise<void> {
  state.faults.restricted.set(account.number, { until })
  await notifyRestriction(state, account, until)
}

/** Selects faults by number and kind. `isOwn` limits them to the numbers that the caller may see. */
export interface FaultFilter {
  number?: string | undefined
  kind?: LastingFault | undefined
  isOwn(number: string): boolean
}

export async function clearFaults(state: SandboxState, filter: FaultFilter): Promise<void> {
  const { faults } = state
  const concerns = (kind: LastingFault) => (number: string) =>
    (filter.number ?? number) === number && (filter.kind ?? kind) === kind && filter.isOwn(number)
  for (const [kind, rejections] of [
    ['reject', faults.rejected] as const,
    ['refuse', faults.refused] as const,
  ])
    for (const key of [...rejections.keys()].filter(concerns(kind))) rejections.delete(key)
  for (const key of [...faults.linking.keys()].filter(concerns('linking'))) faults.linking.delete(key)
  for (const connection of faults.silenced) {
    if (!concerns('silent')(connection.login?.account.number ?? '')) continue
    connection.silent = false
    faults.silenced.delete(connection)
  }
  for (const key of [...faults.offline].filter(concerns('offline'))) {
    faults.offline.delete(key)
    const phone = state.phones.get(key)
    phone?.receiveQueued()
    const account = state.world.accounts.get(key)
    if (account) announcePresence(state, account)
  }
  for (const key of [...faults.restricted.keys()].filter(concerns('restrict'))) {
    faults.restricted.delete(key)
    const account = state.world.accounts.get(key)
    if (account) await notifyRestriction(state, account, undefined)
  }
}

function connectionsOf(online: Online, account: Account): Connection[] {
  return [...online.values()].filter((connection) => connection.login?.account === account)
}

async function notifyRestriction(state: DeliveryState, account: Account, until: number | undefined) {
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
    enqueue(state.database, account, device, stanza('notification', attributes, [update])),
  )
  await deliver(state, deliveries)
}
