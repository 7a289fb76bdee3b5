// Queries about the profile pictures of the client's own account, of other people and of groups.
import { mayEdit } from '../model/group-rules.ts'
import { allows } from '../model/privacy.ts'
import { type Account, accountByJid, type Group } from '../model/world.ts'
import type { ConnectedClient } from '../network/client.ts'
import { pictureId, setAccountPicture, setGroupPicture } from '../network/pictures.ts'
import { bytesOf, child, type Stanza, stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'

/** Whose picture the query is about. */
type Subject = { group: Group } | { person: Account }

export async function answerPicture(client: ConnectedClient, node: Stanza): Promise<Answer> {
  const subject = subjectOf(client, node.attrs['target'])
  const picture = child(node, 'picture')
  if (node.attrs['type'] === 'set') return change(client, subject, picture)
  return read(client, subject, picture?.attrs['type'] ?? 'image')
}

/** Without a target the query is about the client's own picture. */
function subjectOf({ state, account }: ConnectedClient, target: string | undefined): Subject {
  if (target === undefined) return { person: account }
  const group = state.world.groups.get(target)
  if (group) return { group }
  const person = accountByJid(state.world, target)
  if (!person) throw new QueryError(404, 'item-not-found')
  return { person }
}

async function change(
  { state, account }: ConnectedClient,
  subject: Subject,
  picture: Stanza | undefined,
): Promise<Answer> {
  const bytes = picture?.content === undefined ? null : bytesOf(picture)
  if ('group' in subject) {
    if (!mayEdit(subject.group, account)) throw new QueryError(403, 'forbidden')
    await setGroupPicture(state, subject.group, account, bytes)
    return answerOf(subject.group.picture)
  }
  if (subject.person !== account) throw new QueryError(403, 'forbidden')
  await setAccountPicture(state, account, bytes)
  return answerOf(account.picture)
}

function answerOf(file: string | null): Answer {
  return file === null ? undefined : [stanza('picture', { id: pictureId(file) })]
}

function read({ state, connection, account }: ConnectedClient, subject: Subject, type: string): Answer {
  if ('person' in subject && !allows(subject.person, 'profile', account))
    throw new QueryError(401, 'not-authorized')
  const { picture, preview } = 'group' in subject ? subject.group : subject.person
  if (!picture) throw new QueryError(404, 'item-not-found')
  const path = state.media.pathOf(type === 'preview' ? (preview ?? picture) : picture)
  const url = `https://${connection.host}${path}`
  return [stanza('picture', { id: pictureId(picture), type, url, direct_path: path })]
}
