/** The key directory: devices leave public keys with the network, so that others can write to them unasked. */
import { encodeBigEndian, KEY_BUNDLE_TYPE } from 'baileys'
import { deviceKey, deviceOf } from './address.ts'
import { deliver, enqueue } from './delivery.ts'
import type { Exchange } from './exchange.ts'
import { newStanzaId, nowSeconds, SERVER_JID, type Stanza, stanza } from './stanza.ts'
import { addPreKeys, countPreKeys, type PreKey, takePreKey } from './store/pre-keys.ts'
import { type Account, accountByJid } from './world.ts'

/** What one needs to write to a device for the first time. */
export type KeyBundle = {
  registrationId: number
  identityKey: Uint8Array
  signedPreKey: { id: number; value: Uint8Array; signature: Uint8Array }
  /** Good for one conversation; a device that ran out can still be reached without. */
  preKey: PreKey | undefined
  signedIdentity: Uint8Array | undefined
}

/** Below this the device is asked for more; the library then uploads five. */
const LOW_COUNT = 5

export function takeBundle(exchange: Exchange, jid: string): KeyBundle | undefined {
  const account = accountByJid(exchange.world, jid)
  const id = deviceOf(jid)
  if (!account) return undefined
  if (id === 0) return exchange.phones.get(account.number)?.takeBundle()
  const device = account.devices.get(id)
  if (!device) return undefined
  const preKey = takePreKey(exchange.database, account.number, id)
  remindWhenLow(exchange, account, id)
  return { ...device, preKey }
}

export function depositPreKeys(exchange: Exchange, account: Account, device: number, keys: PreKey[]): void {
  addPreKeys(exchange.database, account.number, device, keys)
}

export function bundleNode(jid: string, bundle: KeyBundle | undefined): Stanza {
  if (!bundle) return stanza('user', { jid }, [stanza('error', { code: '404', text: 'item-not-found' })])
  const parts = [
    stanza('registration', {}, encodeBigEndian(bundle.registrationId)),
    stanza('type', {}, KEY_BUNDLE_TYPE),
    stanza('identity', {}, bundle.identityKey),
    stanza('skey', {}, [
      ...keyParts(bundle.signedPreKey),
      stanza('signature', {}, bundle.signedPreKey.signature),
    ]),
  ]
  if (bundle.preKey) parts.push(stanza('key', {}, keyParts(bundle.preKey)))
  if (bundle.signedIdentity) parts.push(stanza('device-identity', {}, bundle.signedIdentity))
  return stanza('user', { jid }, parts)
}

function keyParts(key: PreKey): Stanza[] {
  return [stanza('id', {}, encodeBigEndian(key.id, 3)), stanza('value', {}, key.value)]
}

function remindWhenLow(exchange: Exchange, account: Account, device: number): void {
  const count = countPreKeys(exchange.database, account.number, device)
  if (count >= LOW_COUNT || !exchange.online.has(deviceKey(account.number, device))) return
  const reminder = stanza(
    'notification',
    { from: SERVER_JID, type: 'encrypt', id: newStanzaId(), t: nowSeconds() },
    [stanza('count', { value: String(count) })],
  )
  void deliver(exchange, [enqueue(exchange, account, device, reminder)])
}
