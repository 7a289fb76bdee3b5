// Stanzas whose one list, attribute or content is as large as a frame can be. The schema of the library does not contain them, so this
// is a table: a kind of stanza and the parts of it that may be large.
import type { BinaryNode } from 'baileys'
import type { Scene } from '../scene.ts'
import { encodeNode } from './encode-node.ts'
import { differentBytes } from './field-values.ts'

interface StanzaKind {
  tag: string
  attrs?: Record<string, string>
  /** Who it claims to come from; the attacker by default. */
  from?: 'person' | 'group' | 'network' | 'account' | 'channel'
  /** Elements that may be repeated: the tags from the root on. */
  lists?: readonly string[]
  /** Attributes of the root, or of the element before the `@`. */
  texts?: readonly string[]
  /** Elements with content. */
  contents?: readonly string[]
}

const group = (change: string, more: Omit<StanzaKind, 'tag'> = {}): StanzaKind => ({
  tag: 'notification',
  attrs: { type: 'w:gp2' },
  from: 'group',
  lists: [`${change}/participant`],
  ...more,
})
const notification = (type: string, more: Omit<StanzaKind, 'tag'>): StanzaKind => ({
  tag: 'notification',
  attrs: { type },
  ...more,
})

const KINDS: readonly StanzaKind[] = [
  {
    tag: 'receipt',
    lists: ['list/item', 'participants/user'],
    texts: ['id', 'type', 'participant', 'notify'],
  },
  { tag: 'receipt', attrs: { type: 'read' }, lists: ['list/item'], texts: ['id', 'sender_lid', 'recipient'] },
  { tag: 'receipt', attrs: { type: 'played' }, from: 'group', lists: ['list/item', 'participants/user'] },
  { tag: 'receipt', attrs: { type: 'sender' }, from: 'account', lists: ['list/item'] },
  {
    tag: 'receipt',
    attrs: { type: 'retry' },
    lists: ['list/item', 'retry', 'keys/key'],
    contents: ['registration', 'keys/identity', 'keys/device-identity'],
    texts: ['retry@id', 'retry@count'],
  },
  { tag: 'receipt', attrs: { type: 'server-error' }, lists: ['error'], contents: ['encrypt/enc_p'] },
  group('add', { texts: ['notify', 'participant', 'participant_pn', 'add@reason'] }),
  group('remove'),
  group('promote'),
  group('demote'),
  group('leave'),
  group('modify'),
  group('create', {
    lists: ['create/group/participant', 'create/group'],
    texts: ['create/group@subject', 'create/group@id', 'create@key'],
    contents: ['create/group/description/body'],
  }),
  group('subject', { lists: ['subject'], texts: ['subject@subject', 'subject@s_o'] }),
  group('description', { texts: ['description@id'], contents: ['description/body', 'description'] }),
  group('invite', { lists: ['invite'], texts: ['invite@code'] }),
  group('ephemeral', { lists: ['ephemeral'], texts: ['ephemeral@expiration'] }),
  group('member_add_mode', { lists: ['member_add_mode'], contents: ['member_add_mode'] }),
  group('created_membership_requests', {
    lists: ['created_membership_requests/requested_user', 'created_membership_requests/participant'],
  }),
  group('revoked_membership_requests'),
  notification('picture', {
    lists: ['set', 'delete'],
    texts: ['set@id', 'set@author', 'set@hash', 'notify'],
  }),
  notification('devices', {
    lists: ['update/device', 'add/device', 'remove/device'],
    texts: ['update@hash', 'update@device_hash'],
    contents: ['update/key-index-list'],
  }),
  notification('status', { lists: ['set'], contents: ['set'], texts: ['notify'] }),
  notification('contacts', { lists: ['update', 'modify', 'sync'], texts: ['update@jid', 'modify@new'] }),
  notification('encrypt', { from: 'network', lists: ['count'], texts: ['count@value'] }),
  notification('encrypt', { lists: ['identity'] }),
  notification('privacy_token', { lists: ['tokens/token'], contents: ['tokens/token'] }),
  notification('business', {
    lists: ['verified_name', 'product_catalog/product', 'remove'],
    contents: ['verified_name'],
  }),
  notification('disappearing_mode', { lists: ['disappearing_mode'], texts: ['disappearing_mode@duration'] }),
  notification('account_sync', {
    from: 'account',
    lists: ['blocklist/item', 'devices/device', 'privacy/category', 'disappearing_mode'],
  }),
  notification('server_sync', { from: 'network', lists: ['collection'], texts: ['collection@name'] }),
  notification('mediaretry', {
    lists: ['error', 'encrypt/enc_p'],
    contents: ['encrypt/enc_p', 'encrypt/enc_iv'],
  }),
  notification('newsletter', {
    from: 'channel',
    lists: ['reaction', 'view', 'participant', 'message/plaintext'],
    contents: ['message/plaintext', 'update/settings/description'],
  }),
  notification('mex', { from: 'network', lists: ['update'], contents: ['mex', 'update'] }),
  notification('psa', { from: 'network', lists: ['update'], contents: ['update'] }),
  notification('link_code_companion_reg', {
    from: 'network',
    lists: ['link_code_companion_reg/link_code_pairing_ref'],
    contents: ['link_code_companion_reg/link_code_pairing_ref'],
  }),
  { tag: 'presence', lists: ['odd'], texts: ['type', 'last', 'name'] },
  { tag: 'presence', from: 'group', lists: ['odd'], texts: ['participant'] },
  { tag: 'chatstate', lists: ['composing', 'paused'], texts: ['composing@media', 'participant'] },
  { tag: 'chatstate', from: 'group', lists: ['composing'], texts: ['participant'] },
  {
    tag: 'call',
    lists: [
      'offer',
      'offer/audio',
      'offer/group_info/user',
      'offer/destination/to',
      'terminate',
      'relaylatency',
    ],
    texts: ['notify', 'platform', 'offer@call-id', 'offer@call-creator', 'offer@caller_pn'],
    contents: ['offer/privacy', 'offer/enc', 'offer/capability'],
  },
  { tag: 'call', lists: ['accept', 'reject', 'preaccept', 'transport'], texts: ['terminate@reason'] },
  { tag: 'ack', attrs: { class: 'message' }, lists: ['error'], texts: ['id', 'error', 'phash'] },
  { tag: 'ib', from: 'network', lists: ['dirty', 'offline_preview'], texts: ['dirty@type', 'offline@count'] },
  { tag: 'status', lists: ['odd'], contents: ['odd'] },
  {
    tag: 'message',
    attrs: { type: 'text' },
    lists: ['enc', 'participants/to', 'meta', 'unavailable', 'odd'],
    texts: ['id', 'notify', 'participant', 'sender_lid', 'phash', 'edit', 'verified_name', 'meta@target_id'],
    contents: [
      'odd',
      'device-identity',
      'verified_name',
      'reporting/reporting_token',
      'franking/franking_tag',
    ],
  },
  { tag: 'message', attrs: { type: 'text' }, from: 'group', lists: ['enc', 'participants/to'] },
  {
    tag: 'message',
    attrs: { type: 'text', server_id: '1' },
    from: 'channel',
    lists: ['plaintext'],
    contents: ['plaintext'],
  },
  { tag: 'odd', lists: ['odd'], texts: ['odd'], contents: ['odd'] },
]

/** Bytes of the head of a list say how many elements it has. */
const MAX_ELEMENTS = 65_000
const FIRST_NUMBER = 5_511_900_000_000

const senders: Record<NonNullable<StanzaKind['from']>, (scene: Scene) => string> = {
  person: ({ attackers }) => `${attackers[0]?.lid}@lid`,
  group: ({ groups }) => groups[0] ?? '',
  network: () => 's.whatsapp.net',
  account: ({ target }) => `${target.number}@s.whatsapp.net`,
  channel: () => '120363000000000009@newsletter',
}

export interface LargeStanza {
  name: string
  encode(scene: Scene, bytes: number): Buffer
}

/** Elements of this tag, with the attributes by which the kinds of lists name people, messages and devices. */
function elements(tag: string, shape: 'equal' | 'different', bytes: number): BinaryNode[] {
  const element = (index: number): BinaryNode => ({
    tag,
    attrs: shape === 'equal' ? { id: 'x' } : { id: `3EB0${index}`, jid: `${FIRST_NUMBER + index}@lid` },
  })
  const size = encodeNode(element(MAX_ELEMENTS)).length
  return Array.from({ length: Math.min(MAX_ELEMENTS, Math.floor(bytes / size)) }, (_, index) =>
    element(index),
  )
}

/** The tags from the outermost on, around the content of the last one. */
function within(
  tags: readonly string[],
  attrs: Record<string, string>,
  content?: BinaryNode['content'],
): BinaryNode {
  const [tag = '', ...others] = tags
  if (others.length === 0) return { tag, attrs, ...(content !== undefined && { content }) }
  return { tag, attrs: {}, content: [within(others, attrs, content)] }
}

interface Part {
  attrs?: Record<string, string>
  content?: BinaryNode['content']
}

function partsOf({
  lists = [],
  texts = [],
  contents = [],
}: StanzaKind): [name: string, make: (bytes: number) => Part][] {
  const long = (bytes: number) => 'x'.repeat(bytes)
  return [
    ...lists.flatMap((path) =>
      (['equal', 'different'] as const).map((shape): [string, (bytes: number) => Part] => {
        const tags = path.split('/')
        const last = tags.at(-1) ?? ''
        const make = (bytes: number): BinaryNode[] =>
          tags.length === 1
            ? elements(last, shape, bytes)
            : [within(tags.slice(0, -1), { 'call-id': 'C', id: 'A' }, elements(last, shape, bytes))]
        return [`${path}[] ${shape}`, (bytes) => ({ content: make(bytes) })]
      }),
    ),
    ...texts.map((text): [string, (bytes: number) => Part] => {
      const [path = '', name] = text.split('@')
      if (name === undefined) return [`@${path}`, (bytes) => ({ attrs: { [path]: long(bytes) } })]
      return [text, (bytes) => ({ content: [within(path.split('/'), { [name]: long(bytes) })] })]
    }),
    ...contents.map((path): [string, (bytes: number) => Part] => [
      path,
      (bytes) => ({ content: [within(path.split('/'), {}, differentBytes(bytes))] }),
    ]),
  ]
}

export const LARGE_STANZAS: readonly LargeStanza[] = KINDS.flatMap((kind) => {
  const { tag, attrs = {}, from = 'person' } = kind
  const origin = from === 'person' ? '' : ` from ${from}`
  return partsOf(kind).map(([name, make]) => ({
    name: `${[tag, ...Object.values(attrs)].join(' ')}${origin}: ${name}`,
    encode(scene: Scene, bytes: number) {
      const { attrs: more, content } = make(bytes)
      const sender = senders[from](scene)
      const author = from === 'group' ? { participant: senders.person(scene) } : {}
      const head = { id: `3EB0${Math.random().toString(16).slice(2, 14)}`, from: sender, t: '1700000000' }
      return encodeNode({
        tag,
        attrs: { ...head, ...author, ...attrs, ...more },
        ...(content && { content }),
      })
    },
  }))
})
