// The key directory: devices upload public keys, so that others can encrypt for them while they are offline.
import { createHash } from 'node:crypto'
import { encodeBigEndian, KEY_BUNDLE_TYPE } from 'baileys'
import { deviceKey, deviceOf } from '../model/address.ts'
import type { KeyBundle, PreKey } from '../model/key-bundle.ts'
import { type Account, accountByJid } from '../model/world.ts'
import { countPreKeys, takePreKey } from '../store/pre-keys.ts'
import { newStanzaId, nowSeconds, SERVER_JID, type Stanza, stanza } from '../wire/stanza.ts'
import { deliverLater, enqueue } from './delivery.ts'
import type { DeliveryState, RoutingState } from './sandbox-state.ts'

/** Below this count the device is asked to upload more; the library then uploads five. */
const LOW_COUNT = 5

export function takeBundle(state: RoutingState, jid: string): KeyBundle | undefined {
  const account = accountByJid(state.world, jid)
  const id = deviceOf(jid)
  if (!account) return undefined
  if (id === 0) return state.phones.get(account.number)?.takeBundle()
  const device = account.devices.get(id)
  if (!device) return undefined
  const preKey = takePreKey(state.database, account.number, id)
  askForMoreWhenLow(state, account, id)
  return { ...device, preKey }
}

export function bundleNode(jid: string, bundle: KeyBundle | undefined): Stanza {
  if (!bundle) return stanza('user', { jid }, [stanza('error', { code: '404', text: 'item-not-found' })])
  const parts = lastingParts(bundle)
  if (bundle.preKey) parts.push(stanza('key', {}, keyParts(bundle.preKey)))
  if (bundle.signedIdentity) parts.push(stanza('device-identity', {}, bundle.signedIdentity))
  return stanza('user', { jid }, parts)
}

/** All keys of a device as the directory has them, so that the device can compare them with its own. */
export function digestNode(keys: Omit<KeyBundle, 'preKey'>, preKeys: PreKey[]): Stanza {
  const hash = createHash('sha1').update(keys.identityKey)
  hash.update(keys.signedPreKey.value).update(keys.signedPreKey.signature)
  for (const { value } of preKeys) hash.update(value)
  const ids = preKeys.map(({ id }) => stanza('id', {}, encodeBigEndian(id, 3)))
  return stanza('digest', {}, [
    ...lastingParts(keys),
    stanza('list', {}, ids),
    stanza('hash', {}, hash.digest()),
  ])
}

/** The keys that are not used up. */
const lastingParts = ({ registrationId, identityKey, signedPreKey }: Omit<KeyBundle, 'preKey'>): Stanza[] => [
  stanza('registration', {}, encodeBigEndian(registrationId)),
  stanza('type', {}, KEY_BUNDLE_TYPE),
  stanza('identity', {}, identityKey),
  stanza('skey', {}, [...keyParts(signedPreKey), stanza('signature', {}, signedPreKey.signature)]),
]

function keyParts(key: PreKey): Stanza[] {
  return [stanza('id', {}, encodeBigEndian(key.id, 3)), stanza('value', {}, key.value)]
}

function askForMoreWhenLow(state: DeliveryState, account: Account, device: number): void {
  const count = countPreKeys(state.database, account.number, device)
  if (count >= LOW_COUNT || !state.online.has(deviceKey(account.number, device))) return
  const reminder = stanza(
    'notification',
    { from: SERVER_JID, type: 'encrypt', id: newStanzaId(), t: nowSeconds() },
    [stanza('count', { value: String(count) })],
  )
  deliverLater(state, [enqueue(state.database, account, device, reminder)])
}
