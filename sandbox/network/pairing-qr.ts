// Pairing by QR code: the client shows references that the network issued, and a phone scans one of them.
import { randomBytes } from 'node:crypto'
import { Refusal } from '../model/refusal.ts'
import type { Account, Device } from '../model/world.ts'
import { newStanzaId, SERVER_JID, stanza } from '../wire/stanza.ts'
import type { Connection } from './connection.ts'
import { takeLinkingFault } from './fault-state.ts'
import { notify } from './notify.ts'
import type { QrReferences } from './pairing-requests.ts'
import { completePairing } from './passkey-steps.ts'
import type { SandboxState } from './sandbox-state.ts'

/** The client shows the references one after the other, then closes the connection. */
const REFERENCES_PER_CLIENT = 6
const REMEMBERED_REFERENCES = 10_000

export function offerReferences(qrReferences: QrReferences, connection: Connection): void {
  const references = Array.from(
    { length: REFERENCES_PER_CLIENT },
    () => `2@${randomBytes(48).toString('base64')}`,
  )
  for (const reference of references) qrReferences.set(reference, connection)
  forgetOldest(qrReferences)
  const nodes = references.map((reference) => stanza('ref', {}, Buffer.from(reference)))
  connection.send(
    stanza('iq', { from: SERVER_JID, type: 'set', id: newStanzaId(), xmlns: 'md' }, [
      stanza('pair-device', {}, nodes),
    ]),
  )
}

/** Invalidates the references of a client that has disconnected. */
export function withdrawReferences(qrReferences: QrReferences, connection: Connection): void {
  if (!connection.registration) return
  for (const [reference, shownBy] of qrReferences)
    if (shownBy === connection) qrReferences.set(reference, 'gone')
}

/** A phone scans the code that a client shows, and the client becomes a device of the phone's account. Null: after the passkey. */
export async function scanQr(state: SandboxState, account: Account, qr: string): Promise<Device | null> {
  const [reference = '', noiseKey = '', identityKey = '', advSecret = ''] = qr
    .slice(qr.indexOf('#') + 1)
    .split(',')
  const shownBy = state.qrReferences.get(reference)
  if (shownBy === undefined) throw new Refusal('invalid_request', 'This is not a login code of this network.')
  if (shownBy === 'used') throw new Refusal('qr_used', 'This code has been scanned before.')
  if (shownBy === 'gone')
    throw new Refusal('qr_expired', 'The client that showed this code has disconnected.')
  if (!shownBy.clientKey.equals(Buffer.from(noiseKey, 'base64')))
    throw new Refusal('pairing_failed', 'The code belongs to another connection.')
  if (shownBy.retiredSecret === advSecret)
    throw new Refusal('qr_expired', 'The network no longer accepts the secret in this code.')
  if (takeLinkingFault(state.faults, account.number, 'registration_refresh')) {
    shownBy.retiredSecret = advSecret
    notify(shownBy, 'companion_reg_refresh', [stanza('pair-device-rotate-qr')])
    throw new Refusal('qr_expired', 'The network has asked the client for another code. Scan that one.')
  }
  // From here on no second phone can scan a code of this client, even before the pairing is complete.
  for (const [other, connection] of state.qrReferences)
    if (connection === shownBy) state.qrReferences.set(other, 'used')
  return completePairing(state, shownBy, account, {
    identityKey: Buffer.from(identityKey, 'base64'),
    advSecret: Buffer.from(advSecret, 'base64'),
  })
}

function forgetOldest(references: QrReferences): void {
  for (const reference of references.keys()) {
    if (references.size <= REMEMBERED_REFERENCES) return
    references.delete(reference)
  }
}
