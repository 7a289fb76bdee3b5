// Queries about accounts: feature switches (`abt`), the "about" text (`status`), the default timer (`disappearing_mode`) and
// business profiles (`w:biz`).
import { allows } from '../model/privacy.ts'
import { accountByJid, type BusinessProfile } from '../model/world.ts'
import type { ConnectedClient } from '../network/client.ts'
import { setAbout, setDefaultTimer } from '../network/profile.ts'
import { bytesOf, child, type Stanza, stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'

/** The number of the switch that makes clients send privacy tokens with one-to-one messages. */
const PRIVACY_TOKENS = '10518'

export function answerProps(): Answer {
  const tokens = stanza('prop', { name: PRIVACY_TOKENS, value: 'true' })
  return [stanza('props', { protocol: '1', hash: 'sandbox' }, [tokens])]
}

export async function answerAbout(client: ConnectedClient, node: Stanza): Promise<Answer> {
  const { state, account, device } = client
  const status = child(node, 'status')
  if (node.attrs['type'] !== 'set') return [aboutOf(client, status?.attrs['jid'])]
  await setAbout(state, { account, device: device.id }, bytesOf(status).toString())
  return undefined
}

/** Without an address the query is about the client's own text. */
function aboutOf({ state, account }: ConnectedClient, jid: string | undefined): Stanza {
  const person = jid === undefined ? account : accountByJid(state.world, jid)
  if (!person) throw new QueryError(404, 'item-not-found')
  if (!allows(person, 'status', account)) throw new QueryError(401, 'not-authorized')
  return stanza('status', { t: String(person.aboutAt) }, Buffer.from(person.about))
}

export async function answerDefaultTimer(client: ConnectedClient, node: Stanza): Promise<Answer> {
  const { state, account, device } = client
  const seconds = Number(child(node, 'disappearing_mode')?.attrs['duration'])
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new QueryError(400, 'bad-request')
  await setDefaultTimer(state, { account, device: device.id }, seconds)
  return undefined
}

/** The answer for a person without a business account contains no profile. */
export function answerBusiness({ state }: ConnectedClient, node: Stanza): Answer {
  const requested = child(child(node, 'business_profile'), 'profile')
  if (!requested) throw new QueryError(501, 'feature-not-implemented')
  const jid = requested.attrs['jid']
  const business = accountByJid(state.world, jid)?.business
  return [stanza('business_profile', { v: '244' }, business ? [businessNode(jid, business)] : [])]
}

function businessNode(jid: string | undefined, { category, ...texts }: BusinessProfile): Stanza {
  const parts = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined ? [] : stanza(name, {}, Buffer.from(text)),
  )
  const categories =
    category === undefined
      ? []
      : [stanza('categories', {}, [stanza('category', { id: '1' }, Buffer.from(category))])]
  return stanza('profile', { jid }, [...parts, ...categories])
}
