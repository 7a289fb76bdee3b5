/** App-state queries: devices of an account share settings as encrypted patches that the network only orders. */
import { proto } from 'baileys'
import { deliver, enqueue } from '../delivery.ts'
import type { Client } from '../dispatch.ts'
import type { Exchange } from '../exchange.ts'
import {
  bytesOf,
  child,
  childrenOf,
  newStanzaId,
  nowSeconds,
  SERVER_JID,
  type Stanza,
  stanza,
} from '../stanza.ts'
import { appendPatch, appStateVersion, patchesAfter } from '../store/app-state.ts'
import type { Account } from '../world.ts'
import type { Answer } from './queries.ts'

export async function answerAppState(client: Client, node: Stanza): Promise<Answer> {
  const collections: Stanza[] = []
  for (const collection of childrenOf(child(node, 'sync'), 'collection'))
    collections.push(await answerCollection(client, collection))
  return [stanza('sync', {}, collections)]
}

async function answerCollection(client: Client, asked: Stanza): Promise<Stanza> {
  const { exchange, account, device } = client
  const name = asked.attrs['name'] ?? ''
  const version = Number(asked.attrs['version'] ?? 0)
  const patch = child(asked, 'patch')
  const current = appStateVersion(exchange.database, account.number, name)
  if (patch && version === current) {
    await addPatch(exchange, account, name, bytesOf(patch), device.id)
    return stanza('collection', { name, version: String(current + 1), type: 'result' })
  }
  const patches = patchesAfter(exchange.database, account.number, name, version).map((entry) =>
    stanza('patch', {}, entry.patch),
  )
  const attributes = { name, version: String(version), has_more_patches: 'false' }
  const content = patches.length > 0 ? [stanza('patches', {}, patches)] : []
  // Someone else was faster: the client takes their patches first and tries again.
  if (patch) content.push(stanza('error', { code: '409', text: 'conflict' }))
  return stanza('collection', { ...attributes, type: patch ? 'error' : 'result' }, content)
}

/** Appends a patch and tells the account's other devices that there is news. */
async function addPatch(
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
