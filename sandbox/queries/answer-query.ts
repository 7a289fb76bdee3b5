// Answers queries (`iq`): a table from namespace to handler.

import { z } from 'zod'
import { mayEdit } from '../model/group-rules.ts'
import { allows } from '../model/privacy.ts'
import { type Account, accountByJid, type BusinessProfile, type Group } from '../model/world.ts'
import { addPatch } from '../network/app-state.ts'
import type { ConnectedClient } from '../network/client.ts'
import type { Connection } from '../network/connection.ts'
import { unlinkDevice } from '../network/devices.ts'
import { restrictionOf } from '../network/fault-state.ts'
import { bundleNode, digestNode, takeBundle } from '../network/key-directory.ts'
import { goLive } from '../network/login.ts'
import { signedForm } from '../network/pairing.ts'
import { finishCode, requestCode } from '../network/pairing-code.ts'
import { pictureId, setAccountPicture, setGroupPicture } from '../network/pictures.ts'
import { setAbout, setDefaultTimer } from '../network/profile.ts'
import type { SandboxState, WorldChangeState } from '../network/sandbox-state.ts'
import { appStateVersion, patchesAfter } from '../store/app-state.ts'
import { writeDevice } from '../store/documents.ts'
import { addPreKeys, countPreKeys, listPreKeys } from '../store/pre-keys.ts'
import { isSignedBy } from '../wire/signatures.ts'
import {
  bytesOf,
  child,
  childBytes,
  childNumber,
  children,
  childrenOf,
  nowSeconds,
  SERVER_JID,
  type Stanza,
  stanza,
} from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'
import { answerGroups } from './groups.ts'
import { answerPasskey, isPasskeyTopic } from './passkey.ts'
import { answerBlocklist, answerPrivacy } from './privacy.ts'
import { answerUsync } from './usync.ts'

// Queries about keys (`encrypt`): uploads of the client's keys, and requests for the keys of others.

function answerKeys(client: ConnectedClient, node: Stanza): Answer {
  const { state, account, device } = client
  const [topic] = children(node)
  switch (topic?.tag) {
    case 'count': {
      const count = countPreKeys(state.database, account.number, device.id)
      return [stanza('count', { value: String(count) })]
    }
    case 'digest':
      return [digestNode(device, listPreKeys(state.database, account.number, device.id))]
    case 'key': {
      const users = childrenOf(topic, 'user').map((user) => user.attrs['jid'] ?? '')
      return [
        stanza(
          'list',
          {},
          users.map((jid) => bundleNode(jid, takeBundle(state, jid))),
        ),
      ]
    }
    case 'rotate':
      replaceSignedPreKey(client, topic)
      return undefined
    default:
      return node.attrs['type'] === 'set' ? upload(client, node) : undefined
  }
}

function upload(client: ConnectedClient, node: Stanza): Answer {
  const { state, account, device } = client
  if (!childBytes(node, 'identity').equals(device.identityKey)) throw new QueryError(406, 'not-acceptable')
  replaceSignedPreKey(client, node)
  const keys = childrenOf(child(node, 'list'), 'key').map((key) => ({
    id: childNumber(key, 'id'),
    value: childBytes(key, 'value'),
  }))
  addPreKeys(state.database, account.number, device.id, keys)
  return undefined
}

/** Accepts a signed pre-key only with a signature of the identity that was paired. */
function replaceSignedPreKey({ state, device }: ConnectedClient, node: Stanza): void {
  const key = child(node, 'skey')
  const value = childBytes(key, 'value')
  const signature = childBytes(key, 'signature')
  if (device.signedPreKey.signature.equals(signature) && device.signedPreKey.value.equals(value)) return
  if (!isSignedBy(device.identityKey, signedForm(value), signature))
    throw new QueryError(406, 'not-acceptable')
  device.signedPreKey = { id: childNumber(key, 'id'), value, signature }
  writeDevice(state.database, device)
}

// Queries about accounts: feature switches (`abt`), the "about" text (`status`), the default timer (`disappearing_mode`) and
// business profiles (`w:biz`).

/** The number of the switch that makes clients send privacy tokens with one-to-one messages. */
const PRIVACY_TOKENS = '10518'

function answerProps(): Answer {
  const tokens = stanza('prop', { name: PRIVACY_TOKENS, value: 'true' })
  return [stanza('props', { protocol: '1', hash: 'sandbox' }, [tokens])]
}

async function answerAbout(client: ConnectedClient, node: Stanza): Promise<Answer> {
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

async function answerDefaultTimer(client: ConnectedClient, node: Stanza): Promise<Answer> {
  const { state, account, device } = client
  const seconds = Number(child(node, 'disappearing_mode')?.attrs['duration'])
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new QueryError(400, 'bad-request')
  await setDefaultTimer(state, { account, device: device.id }, seconds)
  return undefined
}

/** The answer for a person without a business account contains no profile. */
function answerBusiness({ state }: ConnectedClient, node: Stanza): Answer {
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

// Queries about the profile pictures of the client's own account, of other people and of groups.

/** Whose picture the query is about. */
type Subject = { group: Group } | { person: Account }

async function answerPicture(client: ConnectedClient, node: Stanza): Promise<Answer> {
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

// GraphQL-like queries (`w:mex`): those about restrictions of the account and its about text.

const REACHOUT_TIMELOCK = '23983697327930364'
const MESSAGE_CAPPING = '24503548349331633'
const MAX_ABOUT = 1000

/** Changes the about text. */
const UPDATE_TEXT_STATUS = '9152604461510864'

async function answerMex(client: ConnectedClient, node: Stanza): Promise<Answer> {
  const { state, account } = client
  const query = child(node, 'query')
  const id = query?.attrs['query_id'] ?? ''
  if (id === UPDATE_TEXT_STATUS) return updateAbout(client, bytesOf(query).toString())
  const restriction = restrictionOf(state.faults, account.number)
  const answers: Record<string, unknown> = {
    [REACHOUT_TIMELOCK]: {
      xwa2_fetch_account_reachout_timelock: {
        is_active: restriction !== undefined,
        time_enforcement_ends: String(restriction?.until ?? 0),
        enforcement_type: 'DEFAULT',
      },
    },
    [MESSAGE_CAPPING]: { xwa2_message_capping_info: { capping_status: 'NONE' } },
  }
  const data = answers[id]
  if (!data) throw new QueryError(501, 'feature-not-implemented')
  return result(data)
}

async function updateAbout({ state, account, device }: ConnectedClient, json: string): Promise<Answer> {
  const parsed = TextStatus.safeParse(parseJson(json))
  if (!parsed.success) throw new QueryError(400, 'bad-request')
  await setAbout(state, { account, device: device.id }, parsed.data.variables.input.text ?? '')
  return result({ xwa2_update_text_status: { result: true } })
}

/** Emoji and duration are ignored: the sandbox's phones do not show them. */
const TextStatus = z.object({
  variables: z.object({ input: z.object({ text: z.string().max(MAX_ABOUT).nullish() }) }),
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const result = (data: unknown): Answer => [stanza('result', {}, Buffer.from(JSON.stringify({ data })))]

// App-state queries: the devices of an account share settings as encrypted patches. The network only orders them.

async function answerAppState(client: ConnectedClient, node: Stanza): Promise<Answer> {
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

// The query for media hosts (`w:m`): host and token for uploads.
function answerMediaHosts({ state, connection }: ConnectedClient): Answer {
  const host = stanza('host', {
    hostname: connection.host,
    maxContentLengthBytes: String(state.media.maxBytes),
  })
  const attributes = { auth: state.media.uploadToken, ttl: '3600', auth_ttl: '21600', max_buckets: '12' }
  return [stanza('media_conn', attributes, [host])]
}

type Query = (client: ConnectedClient, node: Stanza) => Answer | Promise<Answer>

const PING = 'w:p'

const QUERIES: Record<string, Query> = {
  encrypt: answerKeys,
  usync: answerUsync,
  'w:g2': answerGroups,
  'w:m': answerMediaHosts,
  'w:profile:picture': answerPicture,
  'w:sync:app:state': answerAppState,
  'w:mex': answerMex,
  abt: answerProps,
  status: answerAbout,
  disappearing_mode: answerDefaultTimer,
  'w:biz': answerBusiness,
  privacy: answerPrivacy,
  blocklist: answerBlocklist,
  // Readiness, telemetry and clean-up notifications are only acknowledged.
  passive: () => undefined,
  'w:stats': () => undefined,
  'urn:xmpp:whatsapp:dirty': () => undefined,
}

/** Answers after the changes of the query are committed. */
export async function answerQuery(state: SandboxState, connection: Connection, node: Stanza): Promise<void> {
  const { id, to, xmlns = '' } = node.attrs
  const from = to ?? SERVER_JID
  try {
    const content = await findAnswer(state, connection, xmlns, node)
    await state.database.committed()
    connection.send(stanza('iq', { id, from, type: 'result', t: nowSeconds() }, content))
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const reason = stanza('error', { code: String(error.code), text: error.message })
    connection.send(stanza('iq', { id, from, type: 'error' }, [reason]))
  }
  if (connection.endsWithAnswer) connection.close()
  if (xmlns === 'passive') await goLive(state, connection)
}

function findAnswer(
  state: SandboxState,
  connection: Connection,
  xmlns: string,
  node: Stanza,
): Answer | Promise<Answer> {
  // A client that has not logged in may only pair and ping.
  if (xmlns === 'md') return answerLinking(state, connection, node)
  if (xmlns === PING) return undefined
  const query = QUERIES[xmlns]
  if (!query) throw new QueryError(501, 'feature-not-implemented')
  if (!connection.login) throw new QueryError(401, 'not-authorized')
  return query({ state, connection, ...connection.login }, node)
}

// Queries about pairing and logging out (`md`).

async function answerLinking(state: SandboxState, connection: Connection, node: Stanza): Promise<Answer> {
  const [topic] = children(node)
  if (topic?.tag === 'remove-companion-device') {
    await logOut(state, connection)
    return undefined
  }
  if (topic && isPasskeyTopic(topic.tag)) return answerPasskey(state, connection, topic)
  if (topic?.tag !== 'link_code_companion_reg' || !connection.registration) return undefined
  if (topic.attrs['stage'] === 'companion_finish') {
    finishCode(state.codeRequests, connection, topic)
    return undefined
  }
  const hello = requestCode(state, connection, topic)
  if (!hello) throw new QueryError(404, 'item-not-found')
  if (hello === 'bad-request') throw new QueryError(400, hello)
  return [hello]
}

async function logOut(state: WorldChangeState, connection: Connection): Promise<void> {
  const login = connection.login
  if (!login) return
  await unlinkDevice(state, login.account, login.device)
  connection.endsWithAnswer = true
}
