/** App-state queries: devices of an account share settings as encrypted patches that the network only orders. */
import { addPatch } from '../app-state.ts'
import type { Client } from '../dispatch.ts'
import { bytesOf, child, childrenOf, type Stanza, stanza } from '../stanza.ts'
import { appStateVersion, patchesAfter } from '../store/app-state.ts'
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
