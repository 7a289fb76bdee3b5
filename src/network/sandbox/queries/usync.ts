/** Questions about people (`usync`): are they registered, which devices and hidden id have they, what is their status. */
import { addressingOf, lidJid, pnJid } from '../address.ts'
import type { Client } from '../dispatch.ts'
import { bytesOf, child, children, childrenOf, nowSeconds, type Stanza, stanza } from '../stanza.ts'
import { type Account, accountByJid, accountBySpelling } from '../world.ts'
import type { Answer } from './queries.ts'

type Asked = { jid: string; account: Account | undefined }
/** What is asked about each person, and how it is answered; nothing is said about strangers. */
const TOPICS: Record<string, (asked: Asked) => Stanza | undefined> = {
  contact: ({ account }) => stanza('contact', { type: account ? 'in' : 'out' }),
  devices: ({ account }) => account && stanza('devices', {}, [deviceList(account)]),
  lid: ({ account, jid }) =>
    account && addressingOf(jid) === 'pn' ? stanza('lid', { val: lidJid(account) }) : undefined,
  status: ({ account }) => account && stanza('status', { t: nowSeconds() }, Buffer.from(account.about)),
  disappearing_mode: ({ account }) => account && stanza('disappearing_mode', { duration: '0', t: '0' }),
}

export function answerUsync({ exchange }: Client, node: Stanza): Answer {
  const question = child(node, 'usync')
  const topics = children(child(question, 'query')).map((topic) => topic.tag)
  const users = childrenOf(child(question, 'list'), 'user').map((user) => {
    const asked = whoIs(exchange.world, user)
    return stanza(
      'user',
      { jid: asked.jid },
      topics.flatMap((topic) => TOPICS[topic]?.(asked) ?? []),
    )
  })
  const { sid, mode, context } = question?.attrs ?? {}
  return [stanza('usync', { sid, mode, context, index: '0', last: 'true' }, [stanza('list', {}, users)])]
}

/** People are named by address, or by a number as someone spelt it. */
function whoIs(world: Client['exchange']['world'], user: Stanza): Asked {
  const jid = user.attrs['jid']
  if (jid) return { jid, account: accountByJid(world, jid) }
  const number = bytesOf(child(user, 'contact')).toString().replaceAll(/\D/g, '')
  const account = accountBySpelling(world, number)
  return { jid: pnJid(account ?? { number, lid: '' }), account }
}

function deviceList(account: Account): Stanza {
  // Without a key index the library takes a companion for broken and leaves it out.
  const companions = [...account.devices.values()].map((device) =>
    stanza('device', { id: String(device.id), 'key-index': String(device.keyIndex) }),
  )
  return stanza('device-list', {}, [stanza('device', { id: '0' }), ...companions])
}
