/** App state: settings and contacts that the devices of an account share as encrypted patches. */
import { proto } from 'baileys'
import { deliver, enqueue } from './delivery.ts'
import type { Exchange } from './exchange.ts'
import { newStanzaId, nowSeconds, SERVER_JID, stanza } from './stanza.ts'
import { appendPatch, appStateVersion } from './store/app-state.ts'
import type { Account } from './world.ts'

/** Appends a patch and tells the account's other devices that there is news. */
export async function addPatch(
  exchange: Exchange,
  account: Account,
  collection: string,
  bytes: Uint8Array,
  author: number,
): Promise<void> {
  const version = appStateVersion(exchange.database, account.number, collection) + 1
  const decoded = proto.SyncdPatch.decode(bytes)
  const patch = proto.SyncdPatch.encode(Object.assign(decoded, { version: { version } })).finish()
  appendPatch(exchange.database, account.number, collection, { version, patch })
  const news = stanza('collection', { name: collection, version: String(version) })
  const deliveries = [...account.devices.keys()]
    .filter((device) => device !== author)
    .map((device) => {
      const attributes = { from: SERVER_JID, type: 'server_sync', id: newStanzaId(), t: nowSeconds() }
      return enqueue(exchange, account, device, stanza('notification', attributes, [news]))
    })
  await deliver(exchange, deliveries)
}
