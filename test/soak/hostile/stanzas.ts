// The layer of stanzas: well-formed nodes with attributes and children that the protocol does not foresee. Left out is what the network
// may say with effect: the end of a login (`failure`, `stream:error`, a downgrade) and its confirmation (`success`).
import { type BinaryNode, encodeBinaryNode } from 'baileys'
import { newId, oddAddress, oddText } from './odd-values.ts'
import type { Random } from './random.ts'
import { type Generator, remember, type Scene } from './scene.ts'

const TAGS = [
  'message',
  'receipt',
  'notification',
  'call',
  'ack',
  'iq',
  'ib',
  'presence',
  'chatstate',
  'error',
  'odd',
]
const TYPES: Record<string, readonly string[]> = {
  message: ['text', 'media', 'poll', 'reaction', 'event', 'medianotify'],
  receipt: [
    '',
    'read',
    'read-self',
    'played',
    'retry',
    'server-error',
    'sender',
    'inactive',
    'hist_sync',
    'peer_msg',
  ],
  notification: [
    'w:gp2',
    'mediaretry',
    'encrypt',
    'devices',
    'server_sync',
    'picture',
    'account_sync',
    'link_code_companion_reg',
    'privacy_token',
    'newsletter',
    'mex',
    'status',
    'business',
    'contacts',
    'disappearing_mode',
    'psa',
  ],
  iq: ['get', 'set', 'result', 'error'],
}
const NAMES = [
  'id',
  'from',
  'to',
  'participant',
  'recipient',
  'type',
  't',
  'notify',
  'offline',
  'class',
  'error',
  'category',
  'count',
  'edit',
  'phash',
  'xmlns',
  'code',
  'call-id',
  'call-creator',
  'participant_lid',
  'participant_pn',
  'sender_lid',
  'sender_pn',
  'addressing_mode',
  'mode',
  'jid',
  'hash',
  'version',
  'name',
]
const CHILDREN = [
  'enc',
  'participants',
  'participant',
  'item',
  'list',
  'user',
  'retry',
  'registration',
  'keys',
  'key',
  'skey',
  'identity',
  'device-identity',
  'offer',
  'terminate',
  'accept',
  'reject',
  'create',
  'group',
  'add',
  'remove',
  'promote',
  'subject',
  'ephemeral',
  'membership_approval_request',
  'device',
  'key-index-list',
  'count',
  'set',
  'delete',
  'collection',
  'privacy',
  'blocklist',
  'tokens',
  'token',
  'rmr',
  'encrypt',
  'enc_p',
  'enc_iv',
  'update',
  'meta',
  'unavailable',
  'error',
  'link_code_companion_reg',
  'dirty',
  'offline_preview',
  'body',
  'composing',
  'paused',
  'ping',
]
const MAX_DEPTH = 4

function oddAttributes(random: Random): Record<string, string> {
  const count = random.below(6)
  const value = () => (random.chance(0.5) ? oddAddress(random) : oddText(random))
  return Object.fromEntries(Array.from({ length: count }, () => [random.pick(NAMES), value()]))
}

function oddChildren(random: Random, depth = 0): NonNullable<BinaryNode['content']> {
  if (depth >= MAX_DEPTH || random.chance(0.3)) return random.bytes(random.below(50))
  if (random.chance(0.1)) return oddText(random)
  return Array.from({ length: random.below(4) }, () => ({
    tag: random.pick(CHILDREN),
    attrs: oddAttributes(random),
    content: oddChildren(random, depth + 1),
  }))
}

function oddStanza(random: Random, { attackers }: Scene): BinaryNode {
  const tag = random.pick(TAGS)
  const attacker = random.pick(attackers)
  const from = random.chance(0.6)
    ? random.pick([`${attacker.lid}@lid`, `${attacker.number}@s.whatsapp.net`, 's.whatsapp.net'])
    : oddAddress(random)
  const types = TYPES[tag]
  const proper = { id: newId(random), from, t: '1700000000', ...(types && { type: random.pick(types) }) }
  const attrs: Record<string, string> = { ...proper, ...oddAttributes(random) }
  for (const name of Object.keys(attrs)) if (random.chance(0.1)) delete attrs[name]
  return { tag, attrs, content: oddChildren(random) }
}

export const oddStanzas: Generator = (random, scene) => [
  { as: 'frame', bytes: remember(scene, encodeBinaryNode(oddStanza(random, scene))) },
]

/** As the network sends what was not acknowledged: again. */
export const replays: Generator = (random, scene) =>
  scene.sent.length === 0 ? oddStanzas(random, scene) : [{ as: 'frame', bytes: random.pick(scene.sent) }]
