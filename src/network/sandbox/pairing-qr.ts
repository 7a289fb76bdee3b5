/** Pairing by QR code: the client shows references that the network gave it, a phone scans one of them. */
import { randomBytes } from 'node:crypto'
import type { Connection } from './connection.ts'
import type { Exchange } from './exchange.ts'
import { link } from './pairing.ts'
import { Refusal } from './refusal.ts'
import { newStanzaId, SERVER_JID, stanza } from './stanza.ts'
import type { Account, Device } from './world.ts'

/** Each reference the network gave out: the client that shows it, or why it no longer counts. */
export type QrReferences = Map<string, Connection | 'used' | 'gone'>

/** The client shows them one after the other, then gives up. */
const REFERENCES_PER_CLIENT = 6
const REMEMBERED_REFERENCES = 10_000

export function offerReferences(exchange: Exchange, connection: Connection): void {
  const references = Array.from(
    { length: REFERENCES_PER_CLIENT },
    () => `2@${randomBytes(48).toString('base64')}`,
  )
  for (const reference of references) exchange.qrReferences.set(reference, connection)
  forgetOldest(exchange.qrReferences)
  const nodes = references.map((reference) => stanza('ref', {}, Buffer.from(reference)))
  connection.send(
    stanza('iq', { from: SERVER_JID, type: 'set', id: newStanzaId(), xmlns: 'md' }, [
      stanza('pair-device', {}, nodes),
    ]),
  )
}

/** The client is gone, and with it what it showed. */
export function withdrawReferences(exchange: Exchange, connection: Connection): void {
  if (!connection.registration) return
  for (const [reference, shownBy] of exchange.qrReferences)
    if (shownBy === connection) exchange.qrReferences.set(reference, 'gone')
}

/** A phone scans the code that a client shows: the client becomes a device of that account. */
export async function scanQr(exchange: Exchange, account: Account, qr: string): Promise<Device> {
  const [reference = '', noiseKey = '', identityKey = '', advSecret = ''] = qr
    .slice(qr.indexOf('#') + 1)
    .split(',')
  const shownBy = exchange.qrReferences.get(reference)
  if (shownBy === undefined) throw new Refusal('invalid_request', 'This is not a login code of this network.')
  if (shownBy === 'used') throw new Refusal('qr_used', 'This code has been scanned before.')
  if (shownBy === 'gone') throw new Refusal('qr_expired', 'The client that showed this code is gone.')
  if (!shownBy.clientKey.equals(Buffer.from(noiseKey, 'base64')))
    throw new Refusal('pairing_failed', 'The code was made for another connection.')
  // From here on no second phone can scan any code of this client, even while the first is at it.
  for (const [other, connection] of exchange.qrReferences)
    if (connection === shownBy) exchange.qrReferences.set(other, 'used')
  return link(exchange, shownBy, account, {
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
