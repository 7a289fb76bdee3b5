// Queries about the profile pictures of the client's own account, of other people and of groups.
import { accountByJid } from '../model/world.ts'
import type { Client } from '../network/client.ts'
import { setAccountPicture, setGroupPicture } from '../network/pictures.ts'
import { bytesOf, child, type Stanza, stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'

export async function answerPicture(client: Client, node: Stanza): Promise<Answer> {
  const { state, connection, account } = client
  const target = node.attrs['target']
  const group = target === undefined ? undefined : state.world.groups.get(target)
  const person = target === undefined ? account : accountByJid(state.world, target)
  const picture = child(node, 'picture')
  if (node.attrs['type'] === 'set') {
    const bytes = picture?.content === undefined ? null : bytesOf(picture)
    if (group) await setGroupPicture(state, group, account, bytes)
    else await setAccountPicture(state, account, bytes)
    return [stanza('picture', { id: String(Date.now()) })]
  }
  const file = (group ?? person)?.picture
  if (!file) throw new QueryError(404, 'item-not-found')
  const path = state.media.pathOf(file)
  return [
    stanza('picture', {
      id: file.slice(0, 16),
      type: picture?.attrs['type'] ?? 'image',
      url: `https://${connection.host}${path}`,
      direct_path: path,
    }),
  ]
}
