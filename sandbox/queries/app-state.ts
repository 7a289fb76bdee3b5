// App-state queries: the devices of an account share settings as encrypted patches. The network only orders them.
import { addPatch } from '../network/app-state.ts'
import type { ConnectedClient } from '../network/client.ts'
import { appStateVersion, patchesAfter } from '../store/app-state.ts'
import { bytesOf, child, childrenOf, type Stanza, stanza } from '../wire/stanza.ts'
import type { Answer } from './answer.ts'

export async function answerAppState(client: ConnectedClient, node: Stanza): Promise<Answer> {
  const collections: Stanza[] = []
  for (const collection of childrenOf(child(node, 'sync'), 'collection'))
    collections.push(await answerCollection(client, collection))
  return [stanza('sync', {}, collections)]
}

async function answerCollection(client: ConnectedClient, requested: Stanza): Promise<Stanza> {
  const { state, account, device } = client
  const name = requested.attrs['name'] ?? ''
  const version = Number(requested.attrs['version'] ?? 0)
  const patch = child(requested, 'patch')
  const current = appStateVersion(state.database, account.number, name)
  if (patch && version === current) {
    await addPatch(state, account, name, bytesOf(patch), device.id)
    return stanza('collection', { name, version: String(current + 1), type: 'result' })
  }
  const patches = patchesAfter(state.database, account.number, name, version).map((entry) =>
    stanza('patch', {}, entry.patch),
  )
  const attributes = { name, version: String(version), has_more_patches: 'false' }
  const content = patches.length > 0 ? [stanza('patches', {}, patches)] : []
  // Another device has added a patch in the meantime. A client has to apply it and to try again; the library does neither.
  if (patch) content.push(stanza('error', { code: '409', text: 'conflict' }))
  return stanza('collection', { ...attributes, type: patch ? 'error' : 'result' }, content)
}
