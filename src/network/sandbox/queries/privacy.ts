/** Queries about privacy: settings, tokens of trusted contacts, and the list of blocked people. */
import { createHash } from 'node:crypto'
import { lidJid, pnJid } from '../address.ts'
import { deliver, enqueue } from '../delivery.ts'
import type { Client } from '../dispatch.ts'
import { child, children, childrenOf, newStanzaId, nowSeconds, type Stanza, stanza } from '../stanza.ts'
import { writeAccount } from '../store/documents.ts'
import { accountByJid } from '../world.ts'
import type { Answer } from './queries.ts'

const CATEGORIES = ['readreceipts', 'profile', 'status', 'online', 'last', 'groupadd', 'calladd', 'messages']

export async function answerPrivacy(client: Client, node: Stanza): Promise<Answer> {
  const { exchange, account } = client
  const tokens = child(node, 'tokens')
  if (tokens) {
    for (const token of childrenOf(tokens, 'token')) await passToken(client, token)
    return undefined
  }
  for (const category of childrenOf(child(node, 'privacy'), 'category')) {
    const { name, value } = category.attrs
    if (name && value) account.privacy[name] = value
    writeAccount(exchange.database, account)
  }
  const settings = CATEGORIES.map((name) =>
    stanza('category', { name, value: account.privacy[name] ?? defaultFor(name) }),
  )
  return [stanza('privacy', {}, settings)]
}

function defaultFor(category: string): string {
  return category === 'online' ? 'match_last_seen' : 'all'
}

/** Whoever writes to a person gives that person a token, which proves later that the two know each other. */
async function passToken({ exchange, account }: Client, token: Stanza): Promise<void> {
  const { jid, t } = token.attrs
  const trusted = accountByJid(exchange.world, jid)
  if (!trusted) return
  const secret = createHash('sha256').update(`token ${account.number} ${trusted.number}`).digest()
  const deliveries = [...trusted.devices.keys()].map((device) =>
    enqueue(
      exchange,
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
  await deliver(exchange, deliveries)
}

export function answerBlocklist({ exchange, account }: Client, node: Stanza): Answer {
  for (const item of children(node).filter((part) => part.tag === 'item')) {
    const person = accountByJid(exchange.world, item.attrs['jid'])
    if (!person) continue
    const others = account.blocked.filter((number) => number !== person.number)
    account.blocked = item.attrs['action'] === 'block' ? [...others, person.number] : others
    writeAccount(exchange.database, account)
  }
  const items = account.blocked.flatMap((number) => {
    const person = exchange.world.accounts.get(number)
    return person ? stanza('item', { jid: lidJid(person), pn_jid: pnJid(person) }) : []
  })
  return [stanza('list', {}, items)]
}
