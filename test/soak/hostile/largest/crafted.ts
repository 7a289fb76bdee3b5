// Messages that are large in several places at once, or whose cost comes with a later message or request: those that have cost the
// gateway most so far.
import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { proto } from 'baileys'
import { encryptWithSecret, type SecretUse } from '../../../../src/network/message-secrets.ts'
import type { HostileFrame, Scene } from '../scene.ts'
import { delimited, differentBytes } from './field-values.ts'

/** What the work of a case can do. */
export interface Stage {
  scene: Scene
  inject(frames: readonly HostileFrame[]): Promise<void>
  /** The id of the next message of the attacker, once the gateway has reported it. */
  sent(frame: HostileFrame): Promise<string>
  get(path: string): Promise<Response>
}

export interface CraftedCase {
  name: string
  /** Before the cost is measured. Returns the frames that are measured. */
  prepare?(stage: Stage, bytes: number): Promise<HostileFrame[]>
  frames?(scene: Scene, bytes: number): HostileFrame[]
  /** Nothing of it is a part of a message, or all of it is small. */
  mayBeWhole?: boolean
  /** After the frames were processed; its cost counts as well. */
  follow?(stage: Stage): Promise<void>
}

/** The padding that the library removes. */
const PADDING = Buffer.from([1])

export const plaintext = ({ attackers }: Scene, content: Uint8Array): HostileFrame => ({
  as: 'plaintext',
  from: attackers[0]?.number ?? '',
  bytes: Buffer.concat([content, PADDING]),
})

const encode = (message: proto.IMessage): Uint8Array => proto.Message.encode(message).finish()
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const numberAt = (index: number): number => 5_511_900_000_000 + index

const message = (name: string, make: (bytes: number) => proto.IMessage): CraftedCase => ({
  name,
  frames: (scene, bytes) => [plaintext(scene, encode(make(bytes)))],
})

const VCARD_HEAD = 'BEGIN:VCARD\nVERSION:3.0\nFN:A\n'
const telephones = (bytes: number): string => {
  const line = 'TEL:+5511900000000\n'
  return VCARD_HEAD + line.repeat(Math.floor(bytes / line.length))
}

/** Each level is one more message in the last one. */
function nested(depth: number, wrap: (inner: proto.IMessage) => proto.IMessage): proto.IMessage {
  let content: proto.IMessage = { conversation: 'deep' }
  for (let level = 0; level < depth; level += 1) content = wrap(content)
  return content
}

const QUOTE: (inner: proto.IMessage) => proto.IMessage = (inner) => ({
  extendedTextMessage: {
    text: 'x',
    contextInfo: { stanzaId: 'A', participant: '1@lid', quotedMessage: inner },
  },
})

/** As deep as bytes can be: each level is a tag and a length, written from the outside in. */
function deepest(bytes: number, ...ids: number[]): Buffer {
  const levels: number[] = []
  let size = 0
  const LENGTH_BYTES = 4
  while (size + LENGTH_BYTES * ids.length < bytes) {
    levels.push(size)
    size += (LENGTH_BYTES + 1) * ids.length
  }
  // From the innermost: lengths grow outwards, and always take four bytes.
  const chunks: Buffer[] = []
  let inner = 0
  for (const _ of levels)
    for (const id of ids.toReversed()) {
      const head = Buffer.from([
        id * 8 + 2,
        (inner & 0x7f) | 0x80,
        ((inner >> 7) & 0x7f) | 0x80,
        ((inner >> 14) & 0x7f) | 0x80,
        inner >> 21,
      ])
      chunks.push(head)
      inner += head.length
    }
  return Buffer.concat(chunks.toReversed())
}

const EPHEMERAL = [40, 1]
const START_GROUP = 0x0b
const UNKNOWN_FIELD = 2047

const raw = (name: string, make: (bytes: number) => Uint8Array): CraftedCase => ({
  name,
  mayBeWhole: true,
  frames: (scene, bytes) => [plaintext(scene, make(bytes))],
})

const MESSAGES: readonly CraftedCase[] = [
  message('text with 60,000 mentioned people', (bytes) => ({
    extendedTextMessage: {
      text: 'x',
      contextInfo: { mentionedJid: many(Math.floor(bytes / 21), (index) => `${numberAt(index)}@lid`) },
    },
  })),
  message('text with 700 kB of @ signs', (bytes) => ({
    extendedTextMessage: { text: '@1 '.repeat(bytes / 3), contextInfo: { mentionedJid: ['1@lid'] } },
  })),
  message('text with 700 kB of links', (bytes) => ({
    extendedTextMessage: { text: 'https://a.b/ '.repeat(bytes / 13), matchedText: 'https://a.b/' },
  })),
  message('contact array with 100,000 contacts', (bytes) => ({
    contactsArrayMessage: { displayName: 'x', contacts: many(Math.floor(bytes / 7), () => ({ vcard: 'x' })) },
  })),
  message('contact whose card has 40,000 telephones', (bytes) => ({
    contactMessage: { displayName: 'x', vcard: telephones(bytes) },
  })),
  message('contact whose card is one folded line', (bytes) => ({
    contactMessage: { displayName: 'x', vcard: `${VCARD_HEAD}NOTE:${'x\n '.repeat(bytes / 3)}` },
  })),
  message('contact whose card has 300,000 parameters', (bytes) => ({
    contactMessage: { displayName: 'x', vcard: `${VCARD_HEAD}TEL${';a'.repeat(bytes / 2)}:1` },
  })),
  message('reaction of 700 kB', (bytes) => ({
    reactionMessage: { key: { remoteJid: '1@s.whatsapp.net', id: 'A' }, text: '👍'.repeat(bytes / 4) },
  })),
  message('template with 100,000 buttons', (bytes) => ({
    templateMessage: {
      hydratedTemplate: {
        hydratedContentText: 'x',
        hydratedButtons: many(Math.floor(bytes / 7), () => ({ quickReplyButton: { id: 'x' } })),
      },
    },
  })),
  message('buttons message with 60,000 buttons', (bytes) => ({
    buttonsMessage: {
      contentText: 'x',
      buttons: many(Math.floor(bytes / 8), () => ({ buttonId: 'x', type: 1 })),
    },
  })),
  message('list with 1,000 sections of 100 rows', (bytes) => ({
    listMessage: {
      title: 'x',
      listType: 1,
      sections: many(Math.floor(bytes / 900), () => ({
        title: 'x',
        rows: many(100, () => ({ rowId: 'x', title: 'x' })),
      })),
    },
  })),
  message('interactive message with nested parameters', (bytes) => ({
    interactiveMessage: {
      body: { text: 'x' },
      nativeFlowMessage: { buttons: [{ name: 'quick_reply', buttonParamsJson: '{"a":'.repeat(bytes / 5) }] },
    },
  })),
  message('button reply with 100,000 parameters', (bytes) => ({
    interactiveResponseMessage: {
      body: { text: 'x' },
      nativeFlowResponseMessage: {
        name: 'menu_options',
        paramsJson: JSON.stringify({
          id: 'x',
          ...Object.fromEntries(many(Math.floor(bytes / 16), (i) => [`k${i}`, i])),
        }),
      },
    },
  })),
  message('list reply of 700 kB', (bytes) => ({
    listResponseMessage: { title: 'x', singleSelectReply: { selectedRowId: 'x'.repeat(bytes) } },
  })),
  message('poll with 60,000 equal options', (bytes) => ({
    pollCreationMessageV3: { name: 'x', options: many(Math.floor(bytes / 5), () => ({ optionName: 'x' })) },
    messageContextInfo: { messageSecret: randomBytes(32) },
  })),
  message('quotes in 200 levels', () => nested(200, QUOTE)),
  message('envelopes in 300 levels', () =>
    nested(300, (inner) => ({ ephemeralMessage: { message: inner } })),
  ),
  raw('envelopes as deep as a frame can have them', (bytes) => deepest(bytes, ...EPHEMERAL)),
  raw('quotes as deep as a frame can have them', (bytes) => deepest(bytes, 6, 17, 3)),
  message('quoted text of 700 kB', (bytes) => QUOTE({ conversation: 'x'.repeat(bytes) })),
  message('quoted poll with 60,000 options', (bytes) =>
    QUOTE({
      pollCreationMessage: { name: 'x', options: many(Math.floor(bytes / 5), () => ({ optionName: 'x' })) },
    }),
  ),
  message('edit of an unknown message, 700 kB', (bytes) => ({
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.MESSAGE_EDIT,
      key: { remoteJid: '1@s.whatsapp.net', id: 'A' },
      editedMessage: { conversation: 'x'.repeat(bytes) },
    },
  })),
  message('album of 700 kB', (bytes) => ({
    albumMessage: {
      expectedImageCount: 4_294_967_295,
      contextInfo: { conversionData: differentBytes(bytes) },
    },
  })),
  message('event of 700 kB', (bytes) => ({
    eventMessage: { name: 'x'.repeat(bytes / 2), description: 'x'.repeat(bytes / 2), startTime: 1 },
  })),
  message('location of 700 kB', (bytes) => ({
    locationMessage: {
      degreesLatitude: 1,
      degreesLongitude: 1,
      name: 'x'.repeat(bytes / 2),
      address: '\u0001'.repeat(bytes / 2),
    },
  })),
  message('keys that only the phone of the account sends', (bytes) => ({
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_SHARE,
      appStateSyncKeyShare: {
        keys: many(Math.floor(bytes / 12), () => ({ keyId: { keyId: differentBytes(6) } })),
      },
    },
  })),
  message('key distribution of 700 kB', (bytes) => ({
    conversation: 'x',
    senderKeyDistributionMessage: {
      groupId: '1@g.us',
      axolotlSenderKeyDistributionMessage: differentBytes(bytes),
    },
  })),
  message('history from a stranger', (bytes) => ({
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: { initialHistBootstrapInlinePayload: deflateSync(Buffer.alloc(bytes * 20)) },
    },
  })),
  raw('unknown fields', (bytes) => {
    const field = delimited(UNKNOWN_FIELD)
    return Buffer.alloc(bytes - (bytes % field.length), field)
  }),
  raw('groups that never end', (bytes) => Buffer.alloc(bytes, START_GROUP)),
  raw('one field again and again', (bytes) =>
    Buffer.alloc(bytes - (bytes % 3), delimited(1, Buffer.from('x'))),
  ),
  raw('bytes that are not a message', (bytes) => differentBytes(bytes)),
  {
    name: 'message whose padding is longer than its content',
    mayBeWhole: true,
    frames: ({ attackers }) => [
      { as: 'plaintext', from: attackers[0]?.number ?? '', bytes: Buffer.alloc(255, 255) },
    ],
  },
]

const SECRET = Buffer.alloc(32, 7)
const IV = Buffer.alloc(12, 9)

/** Encrypted by the attacker for a message of its own. */
function sealed(scene: Scene, use: SecretUse, messageId: string, plain: Uint8Array) {
  const author = `${scene.attackers[0]?.number}@s.whatsapp.net`
  const binding = { use, secret: SECRET, messageId, author, sender: author }
  return { encPayload: encryptWithSecret(plain, IV, binding), encIv: IV }
}

const keyOf = (scene: Scene, id: string): proto.IMessageKey => ({
  remoteJid: `${scene.target.number}@s.whatsapp.net`,
  fromMe: true,
  id,
})

/** The largest content that is decrypted, less what surrounds it. */
const MAX_SEALED = 500_000

interface Referring {
  original: (bytes: number) => proto.IMessage
  refer: (scene: Scene, id: string, bytes: number) => proto.IMessage
  votes?: boolean
  mayBeWhole?: boolean
}

/** A message of the attacker, and a second one that refers to it: the cost of the second is measured. */
const referring = (name: string, { original, refer, votes, mayBeWhole = false }: Referring): CraftedCase => {
  let id = ''
  return {
    name,
    mayBeWhole,
    async prepare(stage, bytes) {
      const secret = { messageContextInfo: { messageSecret: SECRET } }
      id = await stage.sent(plaintext(stage.scene, encode({ ...original(bytes), ...secret })))
      return [plaintext(stage.scene, encode(refer(stage.scene, id, bytes)))]
    },
    ...(votes && {
      async follow(stage: Stage) {
        const answer = await stage.get(`/messages/${id}/votes`)
        await answer.arrayBuffer()
      },
    }),
  }
}

const smallPoll = (): proto.IMessage => ({
  pollCreationMessageV3: {
    name: 'x',
    options: [{ optionName: 'a' }, { optionName: 'b' }],
    selectableOptionsCount: 1,
  },
})
const vote = (scene: Scene, id: string, selectedOptions: Uint8Array[]): proto.IMessage => ({
  pollUpdateMessage: {
    pollCreationMessageKey: keyOf(scene, id),
    vote: sealed(scene, 'Poll Vote', id, proto.Message.PollVoteMessage.encode({ selectedOptions }).finish()),
  },
})
const HASH_OF_X = Buffer.from('2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881', 'hex')

const REFERENCES: readonly CraftedCase[] = [
  referring('vote of 200 bytes on a poll of 100,000 options', {
    original: (bytes) => ({
      pollCreationMessageV3: {
        name: 'x',
        options: many(100_000, (index) => ({
          optionName: index < 60_000 ? 'x' : `${index}`.slice(0, bytes),
        })),
      },
    }),
    refer: (scene, id) => vote(scene, id, [HASH_OF_X]),
    votes: true,
    mayBeWhole: true,
  }),
  referring('vote for 15,000 options', {
    original: smallPoll,
    refer: (scene, id) =>
      vote(
        scene,
        id,
        many(MAX_SEALED / 34, (index) => Buffer.alloc(32, index % 251)),
      ),
    votes: true,
    mayBeWhole: true,
  }),
  referring('vote for 250,000 empty options', {
    original: smallPoll,
    refer: (scene, id) =>
      vote(
        scene,
        id,
        many(MAX_SEALED / 2, () => Buffer.alloc(0)),
      ),
    mayBeWhole: true,
  }),
  referring('encrypted reaction of 500 kB', {
    original: () => ({ conversation: 'x' }),
    refer: (scene, id) => ({
      encReactionMessage: {
        targetMessageKey: keyOf(scene, id),
        ...sealed(
          scene,
          'Enc Reaction',
          id,
          proto.Message.ReactionMessage.encode({ text: '\u0001'.repeat(MAX_SEALED) }).finish(),
        ),
      },
    }),
  }),
  referring('encrypted edit of 500 kB', {
    original: () => ({ conversation: 'x' }),
    refer: (scene, id) => ({
      secretEncryptedMessage: {
        targetMessageKey: keyOf(scene, id),
        secretEncType: proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT,
        ...sealed(scene, 'Message Edit', id, encode({ conversation: '\u0001'.repeat(MAX_SEALED) })),
      },
    }),
  }),
  referring('encrypted edit with 25,000 mentioned people', {
    original: () => ({ conversation: 'x' }),
    refer: (scene, id) => ({
      secretEncryptedMessage: {
        targetMessageKey: keyOf(scene, id),
        secretEncType: proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT,
        ...sealed(
          scene,
          'Message Edit',
          id,
          encode({
            extendedTextMessage: {
              text: 'x',
              contextInfo: { mentionedJid: many(MAX_SEALED / 20, (index) => `${numberAt(index)}@lid`) },
            },
          }),
        ),
      },
    }),
  }),
  referring('encrypted answer of 500 kB to an event', {
    original: () => ({ eventMessage: { name: 'x', startTime: 1 } }),
    refer: (scene, id) => ({
      encEventResponseMessage: {
        eventCreationMessageKey: keyOf(scene, id),
        ...sealed(scene, 'Event Response', id, differentBytes(MAX_SEALED)),
      },
    }),
    mayBeWhole: true,
  }),
  referring('edit of 700 kB', {
    original: () => ({ conversation: 'x' }),
    refer: (scene, id, bytes) => ({
      protocolMessage: {
        type: proto.Message.ProtocolMessage.Type.MESSAGE_EDIT,
        key: keyOf(scene, id),
        editedMessage: { conversation: '\u0001'.repeat(bytes) },
      },
    }),
  }),
  referring('reaction of 700 kB to a known message', {
    original: () => ({ conversation: 'x' }),
    refer: (scene, id, bytes) => ({
      reactionMessage: { key: keyOf(scene, id), text: '\u0001'.repeat(bytes) },
    }),
  }),
]

export const CRAFTED: readonly CraftedCase[] = [...MESSAGES, ...REFERENCES]
