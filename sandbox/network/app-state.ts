// App state: settings and contacts that the devices of an account share as encrypted patches.
import { proto } from 'baileys'
import { type Account, deviceIds } from '../model/world.ts'
import { appendPatch, appStateVersion } from '../store/app-state.ts'
import { newStanzaId, nowSeconds, SERVER_JID, stanza } from '../wire/stanza.ts'
import { deliver, enqueue } from './delivery.ts'
import type { DeliveryState } from './sandbox-state.ts'

/** Appends a patch and notifies the account's other devices. */
export async function addPatch(
  state: DeliveryState,
  account: Account,
  collection: string,
  bytes: Uint8Array,
  author: number,
): Promise<void> {
  const version = appStateVersion(state.database, account.number, collection) + 1
  const decoded = proto.SyncdPatch.decode(bytes)
  const patch = proto.SyncdPatch.encode(Object.assign(decoded, { version: { version } })).finish()
  appendPatch(state.database, account.number, collection, { version, patch })
  const collectionNode = stanza('collection', { name: collection, version: String(version) })
  const deliveries = deviceIds(account)
    .filter((device) => device !== author)
    .map((device) => {
      const attributes = { from: SERVER_JID, type: 'server_sync', id: newStanzaId(), t: nowSeconds() }
      return enqueue(state.database, account, device, stanza('notification', attributes, [collectionNode]))
    })
  await deliver(state, deliveries)
}
