// The key directory: devices upload public keys, so that others can encrypt for them while they are offline.
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
