// Queries about privacy: settings, tokens of trusted contacts, and the list of blocked people.
import { createHash } from 'node:crypto'
import { lidJid, pnJid } from '../model/address.ts'
import { accountByJid } from '../model/world.ts'
import type { Client } from '../network/client.ts'
import { deliver, enqueue } from '../network/delivery.ts'
import { writeAccount } from '../store/documents.ts'
import { child, children, childrenOf, newStanzaId, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import type { Answer } from './answer.ts'

const CATEGORIES = ['readreceipts', 'profile', 'status', 'online', 'last', 'groupadd', 'calladd', 'messages']

export async function answerPrivacy(client: Client, node: Stanza): Promise<Answer> {
  const { state, account } = client
  const tokens = child(node, 'tokens')
  if (tokens) {
    for (const token of childrenOf(tokens, 'token')) await passToken(client, token)
    return undefined
  }
  for (const category of childrenOf(child(node, 'privacy'), 'category')) {
    const { name, value } = category.attrs
    if (name && value) account.privacy[name] = value
    writeAccount(state.database, account)
  }
  const settings = CATEGORIES.map((name) =>
    stanza('category', { name, value: account.privacy[name] ?? defaultFor(name) }),
  )
  return [stanza('privacy', {}, settings)]
}

function defaultFor(category: string): string {
  return category === 'online' ? 'match_last_seen' : 'all'
}

/** The sender of a message gives the recipient a token, which later proves that the two know each other. */
async function passToken({ state, account }: Client, token: Stanza): Promise<void> {
  const { jid, t } = token.attrs
  const trusted = accountByJid(state.world, jid)
  if (!trusted) return
  const secret = createHash('sha256').update(`token ${account.number} ${trusted.number}`).digest()
  const deliveries = [...trusted.devices.keys()].map((device) =>
    enqueue(
      state.database,
      trusted,
      device,
      stanza(
        'notification',
        {
          from: pnJid(account),
          sender_lid: lidJid(account),
          type: 'privacy_token',
          id: newStanzaId(),
          t: nowSeconds(),
        },
        [
          stanza('tokens', {}, [
            stanza('token', { jid: pnJid(trusted), type: 'trusted_contact', t }, secret),
          ]),
        ],
      ),
    ),
  )
  await deliver(state, deliveries)
}

export function answerBlocklist({ state, account }: Client, node: Stanza): Answer {
  for (const item of children(node).filter((part) => part.tag === 'item')) {
    const person = accountByJid(state.world, item.attrs['jid'])
    if (!person) continue
    const others = account.blocked.filter((number) => number !== person.number)
    account.blocked = item.attrs['action'] === 'block' ? [...others, person.number] : others
    writeAccount(state.database, account)
  }
  const items = account.blocked.flatMap((number) => {
    const person = state.world.accounts.get(number)
    return person ? stanza('item', { jid: lidJid(person), pn_jid: pnJid(person) }) : []
  })
  return [stanza('list', {}, items)]
}
