// Queries about privacy: settings, tokens of trusted contacts, and the list of blocked people.
import { createHash } from 'node:crypto'
import type { PrivacyCategory } from '../../src/contract/sandbox-world.ts'
import { lidJid, pnJid, shownPn } from '../model/address.ts'
import { isPrivacyCategory, isPrivacyValue, PRIVACY_CATEGORIES, privacyOf } from '../model/privacy.ts'
import { accountByJid } from '../model/world.ts'
import type { ConnectedClient } from '../network/client.ts'
import { deliver, enqueue } from '../network/delivery.ts'
import { setBlocked, setPrivacy } from '../network/profile.ts'
import { child, children, childrenOf, newStanzaId, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'

export async function answerPrivacy(client: ConnectedClient, node: Stanza): Promise<Answer> {
  const { state, account, device } = client
  const tokens = child(node, 'tokens')
  if (tokens) {
    for (const token of childrenOf(tokens, 'token')) await passToken(client, token)
    return undefined
  }
  const changes = childrenOf(child(node, 'privacy'), 'category')
  if (changes.length > 0) await setPrivacy(state, { account, device: device.id }, readChanges(changes))
  const settings = PRIVACY_CATEGORIES.map((name) =>
    stanza('category', { name, value: privacyOf(account, name) }),
  )
  return [stanza('privacy', {}, settings)]
}

function readChanges(categories: Stanza[]): Partial<Record<PrivacyCategory, string>> {
  const changes: Partial<Record<PrivacyCategory, string>> = {}
  for (const { attrs } of categories) {
    const { name = '', value = '' } = attrs
    if (!isPrivacyCategory(name) || !isPrivacyValue(name, value)) throw new QueryError(400, 'bad-request')
    changes[name] = value
  }
  return changes
}

/** The sender of a message gives the recipient a token, which later proves that the two know each other. */
async function passToken({ state, account }: ConnectedClient, token: Stanza): Promise<void> {
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

export async function answerBlocklist(
  { state, account, device }: ConnectedClient,
  node: Stanza,
): Promise<Answer> {
  for (const item of children(node).filter((part) => part.tag === 'item')) {
    const person = accountByJid(state.world, item.attrs['jid'])
    const action = item.attrs['action'] === 'block' ? 'block' : 'unblock'
    if (person) await setBlocked(state, { account, device: device.id }, person, action)
  }
  const items = account.blocked.flatMap((number) => {
    const person = state.world.accounts.get(number)
    return person ? stanza('item', { jid: lidJid(person), pn_jid: shownPn(person) }) : []
  })
  return [stanza('list', {}, items)]
}
