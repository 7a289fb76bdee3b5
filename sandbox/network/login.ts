// Login and disconnect of clients. A new client gets codes to be paired with; a paired one logs in.
import { randomBytes } from 'node:crypto'
import type { proto } from 'baileys'
import { deviceKey, jidOf } from '../model/address.ts'
import { writeDevice } from '../store/documents.ts'
import { nowSeconds, SERVER_JID, stanza } from '../wire/stanza.ts'
import { isOutdated } from './client-versions.ts'
import type { Connection, Login } from './connection.ts'
import { flushQueue } from './delivery.ts'
import { endStream } from './end-stream.ts'
import { refusalFor } from './fault-state.ts'
import { withdrawCodeRequests } from './pairing-code.ts'
import { offerReferences, withdrawReferences } from './pairing-qr.ts'
import { endCeremony } from './passkey-ceremonies.ts'
import { announcePresence } from './presence.ts'
import { setPushName } from './profile.ts'
import type { SandboxState } from './sandbox-state.ts'

/** Handles the payload that the client sent at the end of its handshake. */
export async function handleLogin(
  state: SandboxState,
  connection: Connection,
  payload: proto.ClientPayload,
): Promise<void> {
  if (isOutdated(state.world, payload)) {
    refuse(connection, { reason: '405' })
    return
  }
  if (payload.devicePairingData?.eIdent && !payload.username) {
    connection.registration = payload.devicePairingData
    connection.pushName = payload.pushName || undefined
    offerReferences(state.qrReferences, connection)
    return
  }
  const account = state.world.accounts.get(String(payload.username))
  const device = account?.devices.get(payload.device ?? 0)
  if (!account || !device?.noiseKey.equals(connection.clientKey)) {
    refuse(connection, { reason: '401' })
    return
  }
  const refused = refusalFor(state.faults, account.number)
  if (refused) {
    refuse(connection, refused)
    return
  }
  setPushName(state, account, payload.pushName)
  const key = deviceKey(account.number, device.id)
  const earlier = state.online.get(key)
  if (earlier) endStream(earlier, {}, stanza('conflict', { type: 'replaced' }))
  connection.login = {
    account,
    device,
    live: false,
    flushedThrough: 0,
    subscriptions: new Set(),
    available: false,
  }
  state.online.set(key, connection)
  state.changes.record({ about: 'world' }, [account.owner])
  sendSuccess(connection, connection.login)
  // A client that is not passive does not report that it is ready.
  if (payload.passive === false) await goLive(state, connection)
}

/** The client is ready: its queue is flushed, and a newly linked device gets its history. */
export async function goLive(
  state: Pick<SandboxState, 'database' | 'faults' | 'phones'>,
  connection: Connection,
): Promise<void> {
  const login = connection.login
  if (!login || login.live) return
  await flushQueue(state.database, connection)
  // The phone sends the history. While the phone is offline, that waits for a later login.
  if (login.device.historyPushed || state.faults.offline.has(login.account.number)) return
  await state.phones.get(login.account.number)?.pushHistory(login.device)
  login.device.historyPushed = true
  writeDevice(state.database, login.device)
}

export function handleDisconnect(state: SandboxState, connection: Connection): void {
  withdrawReferences(state.qrReferences, connection)
  withdrawCodeRequests(state.codeRequests, connection)
  endCeremony(state.ceremonies, connection)
  state.faults.silenced.delete(connection)
  const login = connection.login
  if (!login) return
  const key = deviceKey(login.account.number, login.device.id)
  if (state.online.get(key) !== connection) return
  state.online.delete(key)
  state.changes.record({ about: 'world' }, [login.account.owner])
  if (login.available) announcePresence(state, login.account)
}

function refuse(connection: Connection, attributes: Record<string, string>): void {
  connection.send(stanza('failure', { ...attributes, location: 'frc' }))
  connection.close()
}

function sendSuccess(connection: Connection, { account, device }: Login): void {
  const t = nowSeconds()
  connection.send(
    stanza('success', { t, creation: t, lid: jidOf(account, 'lid', device.id), display_name: account.name }),
  )
  // Real servers send routing information, with which the next connection reaches the same data centre.
  const routing = stanza('routing_info', {}, randomBytes(8))
  connection.send(stanza('ib', { from: SERVER_JID }, [stanza('edge_routing', {}, [routing])]))
}
