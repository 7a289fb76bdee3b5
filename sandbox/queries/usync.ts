// Queries about people (`usync`): whether they are registered, their devices, hidden id, status and picture.
import { addressingOf, lidJid, pnJid } from '../model/address.ts'
import { allows } from '../model/privacy.ts'
import { type Account, accountByJid, accountBySpelling, type World } from '../model/world.ts'
import type { ConnectedClient } from '../network/client.ts'
import { pictureId } from '../network/pictures.ts'
import { bytesOf, child, children, childrenOf, type Stanza, stanza } from '../wire/stanza.ts'
import type { Answer } from './answer.ts'

interface Requested {
  jid: string
  account: Account | undefined
  viewer: Account
}
/** The answer per topic. Numbers without an account get an answer to `contact` only. */
const TOPICS: Record<string, (requested: Requested) => Stanza | undefined> = {
  contact: ({ account }) => stanza('contact', { type: account ? 'in' : 'out' }),
  devices: ({ account }) => account && stanza('devices', {}, [deviceList(account)]),
  lid: ({ account, jid }) =>
    account && addressingOf(jid) === 'pn' ? stanza('lid', { val: lidJid(account) }) : undefined,
  username: ({ account }) =>
    account?.username ? stanza('username', {}, Buffer.from(account.username)) : undefined,
  status: ({ account, viewer }) => account && aboutNode(account, viewer),
  picture: ({ account, viewer }) =>
    account?.picture && allows(account, 'profile', viewer)
      ? stanza('picture', { id: pictureId(account.picture) })
      : undefined,
  disappearing_mode: ({ account }) =>
    account &&
    stanza('disappearing_mode', {
      duration: String(account.disappearing.seconds),
      t: String(account.disappearing.at),
    }),
}

export function answerUsync({ state, account: viewer }: ConnectedClient, node: Stanza): Answer {
  const question = child(node, 'usync')
  const topics = children(child(question, 'query')).map((topic) => topic.tag)
  const users = childrenOf(child(question, 'list'), 'user').map((user) => {
    const requested = { ...whoIs(state.world, user), viewer }
    return stanza(
      'user',
      { jid: requested.jid },
      topics.flatMap((topic) => TOPICS[topic]?.(requested) ?? []),
    )
  })
  const { sid, mode, context } = question?.attrs ?? {}
  return [stanza('usync', { sid, mode, context, index: '0', last: 'true' }, [stanza('list', {}, users)])]
}

/** The query names people by address, or by number in any spelling. */
function whoIs(world: World, user: Stanza): Omit<Requested, 'viewer'> {
  const jid = user.attrs['jid']
  if (jid) return { jid, account: accountByJid(world, jid) }
  const number = bytesOf(child(user, 'contact')).toString().replaceAll(/\D/g, '')
  const account = accountBySpelling(world, number)
  return { jid: pnJid(account ?? { number, lid: '' }), account }
}

function aboutNode(account: Account, viewer: Account): Stanza {
  if (!allows(account, 'status', viewer)) return stanza('status', { code: '401', t: '0' })
  return stanza('status', { t: String(account.aboutAt) }, Buffer.from(account.about))
}

function deviceList(account: Account): Stanza {
  // The library ignores linked devices without a key index.
  const companions = [...account.devices.values()].map((device) =>
    stanza('device', { id: String(device.id), 'key-index': String(device.keyIndex) }),
  )
  return stanza('device-list', {}, [stanza('device', { id: '0' }), ...companions])
}
