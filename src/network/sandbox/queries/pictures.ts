/** Queries about profile pictures, of oneself, of others and of groups. */
import type { Client } from '../dispatch.ts'
import { setAccountPicture, setGroupPicture } from '../pictures.ts'
import { bytesOf, child, type Stanza, stanza } from '../stanza.ts'
import { accountByJid } from '../world.ts'
import type { Answer } from './queries.ts'
import { QueryError } from './query-error.ts'

export async function answerPicture(client: Client, node: Stanza): Promise<Answer> {
  const { exchange, connection, account } = client
  const target = node.attrs['target']
  const group = target === undefined ? undefined : exchange.world.groups.get(target)
  const person = target === undefined ? account : accountByJid(exchange.world, target)
  const picture = child(node, 'picture')
  if (node.attrs['type'] === 'set') {
    const bytes = picture?.content === undefined ? null : bytesOf(picture)
    if (group) await setGroupPicture(exchange, group, account, bytes)
    else await setAccountPicture(exchange, account, bytes)
    return [stanza('picture', { id: String(Date.now()) })]
  }
  const file = (group ?? person)?.picture
  if (!file) throw new QueryError(404, 'item-not-found')
  const path = exchange.media.pathOf(file)
  return [
    stanza('picture', {
      id: file.slice(0, 16),
      type: picture?.attrs['type'] ?? 'image',
      url: `https://${connection.host}${path}`,
      direct_path: path,
    }),
  ]
}
