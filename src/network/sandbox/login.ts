/** Coming and going of clients: a new one is offered codes to be paired with, a paired one logs in. */
import { randomBytes } from 'node:crypto'
import type { proto } from 'baileys'
import { deviceKey, jidOf } from './address.ts'
import type { Connection, Login } from './connection.ts'
import { flushQueue } from './delivery.ts'
import type { Exchange } from './exchange.ts'
import { rejectionFor } from './fault-state.ts'
import { withdrawCodeRequests } from './pairing-code.ts'
import { offerReferences, withdrawReferences } from './pairing-qr.ts'
import { announcePresence } from './presence.ts'
import { nowSeconds, SERVER_JID, stanza } from './stanza.ts'
import { writeDevice } from './store/documents.ts'
import { endStream } from './stream-end.ts'

/** The client has shown its key and said who it is. */
export async function admit(
  exchange: Exchange,
  connection: Connection,
  payload: proto.ClientPayload,
): Promise<void> {
  if (payload.devicePairingData?.eIdent && !payload.username) {
    connection.registration = payload.devicePairingData
    offerReferences(exchange, connection)
    return
  }
  const account = exchange.world.accounts.get(String(payload.username))
  const device = account?.devices.get(payload.device ?? 0)
  if (!account || !device?.noiseKey.equals(connection.clientKey)) {
    refuse(connection, '401')
    return
  }
  const refused = rejectionFor(exchange.faults.refused, account.number)
  if (refused) {
    refuse(connection, refused)
    return
  }
  const key = deviceKey(account.number, device.id)
  const earlier = exchange.online.get(key)
  if (earlier) endStream(earlier, {}, stanza('conflict', { type: 'replaced' }))
  connection.login = {
    account,
    device,
    live: false,
    flushedThrough: 0,
    subscriptions: new Set(),
    available: false,
  }
  exchange.online.set(key, connection)
  exchange.changes.note({ about: 'world' })
  greet(connection, connection.login)
}

/** The client is ready for what it missed; a device that was just linked then gets its history. */
export async function goLive(exchange: Exchange, connection: Connection): Promise<void> {
  const login = connection.login
  if (!login || login.live) return
  await flushQueue(exchange, connection)
  // The history comes from the phone itself: one that is offline sends it at a later login.
  if (login.device.historyPushed || exchange.faults.offline.has(login.account.number)) return
  await exchange.phones.get(login.account.number)?.pushHistory(login.device)
  login.device.historyPushed = true
  writeDevice(exchange.database, login.device)
}

export function leave(exchange: Exchange, connection: Connection): void {
  withdrawReferences(exchange, connection)
  withdrawCodeRequests(exchange, connection)
  exchange.faults.silenced.delete(connection)
  const login = connection.login
  if (!login) return
  const key = deviceKey(login.account.number, login.device.id)
  if (exchange.online.get(key) !== connection) return
  exchange.online.delete(key)
  exchange.changes.note({ about: 'world' })
  if (login.available) announcePresence(exchange, login.account)
}

function refuse(connection: Connection, reason: string): void {
  connection.send(stanza('failure', { reason, location: 'frc' }))
  connection.close()
}

function greet(connection: Connection, { account, device }: Login): void {
  const t = nowSeconds()
  connection.send(
    stanza('success', { t, creation: t, lid: jidOf(account, 'lid', device.id), display_name: account.name }),
  )
  // Real servers hand out a hint by which the next connection finds the same data centre.
  const routing = stanza('routing_info', {}, randomBytes(8))
  connection.send(stanza('ib', { from: SERVER_JID }, [stanza('edge_routing', {}, [routing])]))
}
