// Content of strangers is cut to its bounds before anything else reads it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type BinaryNode, encodeWAMessage, proto } from 'baileys'
import { boundPlain, boundStanza, decodeBounded, decodeMessage, type WireType } from './received-limits.ts'

const plainOf = (content: proto.IMessage): Buffer =>
  Buffer.from(encodeWAMessage(proto.Message.create(content)))
const many = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index))
const textWith = (contextInfo: proto.IContextInfo): proto.IMessage => ({
  extendedTextMessage: { text: 'hello', contextInfo },
})

describe('a message', () => {
  test('within the bounds is passed on as it is', () => {
    const plain = plainOf(textWith({ mentionedJid: many(1024, (index) => `${index}@lid`) }))
    assert.deepEqual(boundPlain(plain), { plain, truncated: false })
  })

  test('with too many elements of a list keeps the first of them, and everything else', () => {
    const bounded = boundPlain(
      plainOf(textWith({ mentionedJid: many(2000, (index) => `${index}@lid`), stanzaId: 'Q' })),
    )
    assert.equal(bounded.truncated, true)
    const message = decodeMessage(bounded.plain)
    assert.equal(message?.truncated, false)
    const { text, contextInfo } = message?.content.extendedTextMessage ?? {}
    assert.equal(text, 'hello')
    assert.equal(contextInfo?.stanzaId, 'Q')
    assert.deepEqual(
      contextInfo?.mentionedJid,
      many(1024, (index) => `${index}@lid`),
    )
  })

  test('with more values than any real one is decoded up to a number, in every kind of list', () => {
    const lists: proto.IMessage[] = [
      textWith({ mentionedJid: many(300_000, () => '') }),
      { contactsArrayMessage: { contacts: many(300_000, () => ({})) } },
      { templateMessage: { hydratedTemplate: { hydratedButtons: many(300_000, () => ({})) } } },
      { messageContextInfo: { deviceListMetadata: { senderKeyIndexes: many(300_000, () => 1) } } },
      { listMessage: { sections: many(1000, () => ({ rows: many(300, () => ({})) })) } },
    ]
    for (const content of lists) {
      const decoded = decodeMessage(plainOf(content))
      assert.equal(decoded?.truncated, true)
      assert.ok(proto.Message.encode(decoded.content).finish().length < 100_000, Object.keys(content)[0])
    }
  })

  test('that ends in the middle of a nested one still has what came before', () => {
    const decoded = decodeMessage(
      plainOf({
        conversation: 'first',
        contactsArrayMessage: { contacts: many(100_000, () => ({ vcard: 'x' })) },
      }),
    )
    assert.equal(decoded?.content.conversation, 'first')
    assert.equal(decoded?.content.contactsArrayMessage?.contacts?.length, 256)
  })

  test('with a text, a name or an opaque field over its bound is cut or loses the field', () => {
    const decoded = decodeMessage(
      plainOf({
        reactionMessage: { text: '👍'.repeat(1000), key: { id: 'M1' } },
        imageMessage: {
          caption: 'y'.repeat(70_000),
          jpegThumbnail: Buffer.alloc(200_000),
          mediaKey: Buffer.alloc(32),
        },
      }),
    )
    assert.equal(decoded?.content.reactionMessage?.text, '👍'.repeat(32))
    assert.equal(decoded?.content.imageMessage?.caption?.length, 65_536)
    assert.equal(decoded?.content.imageMessage?.jpegThumbnail ?? null, null)
    assert.equal(decoded?.content.imageMessage?.mediaKey?.length, 32)
  })

  test('with too many buttons, or with too long a one, keeps what is within the bounds', () => {
    const button = { name: 'quick_reply', buttonParamsJson: 'x'.repeat(20_000) }
    const decoded = decodeMessage(
      plainOf({ interactiveMessage: { nativeFlowMessage: { buttons: many(100, () => button) } } }),
    )
    const { buttons } = decoded?.content.interactiveMessage?.nativeFlowMessage ?? {}
    assert.deepEqual(
      [decoded?.truncated, buttons?.length, buttons?.[0]?.buttonParamsJson?.length],
      [true, 32, 16_384],
    )
  })

  test('nested deeper than any real one ends where it is too deep, or is not a message', () => {
    const nested = (depth: number) => {
      let message: proto.IMessage = { conversation: 'deep' }
      for (let level = 0; level < depth; level += 1) message = textWith({ quotedMessage: message })
      return plainOf(message)
    }
    assert.equal(decodeMessage(nested(3))?.truncated, false)
    assert.equal(decodeMessage(nested(40))?.truncated, true)
    // The field of `quotedMessage`, as often as it takes to need more calls than there is stack.
    const endless = Buffer.concat([Buffer.alloc(1_000_000, Buffer.from([0x5b])), Buffer.from([1])])
    assert.equal(decodeMessage(endless), undefined)
  })

  test('a vote keeps the options that a poll can have', () => {
    const votes = { selectedOptions: many(5000, () => Buffer.alloc(32)) }
    const plain = proto.Message.PollVoteMessage.encode(votes).finish()
    const { content, truncated } = decodeBounded(proto.Message.PollVoteMessage, plain)
    assert.deepEqual([content.selectedOptions?.length, truncated], [100, true])
  })
})

/** Every type of the schema, nested ones included. */
function* typesIn(scope: object, name = ''): Iterable<[name: string, type: WireType<object>]> {
  for (const [key, value] of Object.entries(scope) as [string, unknown][]) {
    if (typeof value !== 'function' || !('decode' in value)) continue
    yield [`${name}${key}`, value as unknown as WireType<object>]
    yield* typesIn(value, `${name}${key}.`)
  }
}

/** The tags of the fields that its decoder knows. */
const fieldsOf = ({ decode }: WireType<object>): number[] =>
  [...decode.toString().matchAll(/case (\d+):/g)].map(([, number]) => Number(number))

/** A field of the wire type of texts, lists and messages, which says that it has far more bytes than follow. */
function lyingField(number: number, following: number): Buffer {
  const head: number[] = []
  for (let tag = number * 8 + 2; ; tag >>>= 7) {
    head.push(tag > 127 ? (tag & 127) | 128 : tag)
    if (tag <= 127) break
  }
  // Each following byte is a value of a packed list, and each pair of them a field of a message.
  return Buffer.concat([Buffer.from([...head, 0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(following, 0x78)])
}

/** Decodes with an error instead of an endless loop. */
const counted = (type: WireType<object>): WireType<object> => ({
  decode(reader) {
    const read = reader.uint32.bind(reader)
    let calls = 0
    reader.uint32 = () => {
      calls += 1
      if (calls > 50_000) throw new Error('the decoder does not end')
      return read()
    }
    return type.decode(reader)
  },
})

describe('a length that exceeds the bytes', () => {
  // A decoder reads until a position that the sender has named. After the last value that is read, this position must be reached too.
  test('ends the decoding of every field of every type', () => {
    let fields = 0
    for (const [name, type] of typesIn(proto))
      for (const number of fieldsOf(type)) {
        fields += 1
        try {
          decodeBounded(counted(type), lyingField(number, 100_000))
        } catch (error) {
          assert.ok(error instanceof RangeError, `${name}, field ${number}: ${String(error)}`)
        }
      }
    assert.ok(fields > 1000, `${fields} fields were found`)
  })
})

describe('a stanza', () => {
  const receipt = (ids: number): BinaryNode => ({
    tag: 'receipt',
    attrs: { id: 'A', from: '2@lid', type: 'read' },
    content: [
      { tag: 'list', attrs: {}, content: many(ids, (index) => ({ tag: 'item', attrs: { id: `${index}` } })) },
    ],
  })
  const idsOf = ({ content }: BinaryNode) => {
    const [list] = content as BinaryNode[]
    return (list?.content as BinaryNode[] | undefined)?.length
  }

  test('within the bounds stays as it is', () => {
    const stanza = receipt(256)
    assert.equal(boundStanza(stanza), false)
    assert.equal(idsOf(stanza), 256)
  })

  test('with more children, longer attributes or longer texts is cut', () => {
    const stanza = receipt(60_000)
    assert.equal(boundStanza(stanza), true)
    assert.equal(idsOf(stanza), 256)
    const group: BinaryNode = {
      tag: 'notification',
      attrs: { id: 'B', notify: 'n'.repeat(100_000) },
      content: [
        {
          tag: 'create',
          attrs: {},
          content: many(50_000, () => ({ tag: 'participant', attrs: { jid: '2@lid' } })),
        },
      ],
    }
    assert.equal(boundStanza(group), true)
    assert.equal(group.attrs['notify']?.length, 1024)
    assert.equal(idsOf({ ...group, content: group.content as BinaryNode[] }), 2048)
  })

  test('a ciphertext and an answer to a query are not touched', () => {
    const enc: BinaryNode = {
      tag: 'message',
      attrs: { id: 'C' },
      content: [{ tag: 'enc', attrs: {}, content: Buffer.alloc(900_000) }],
    }
    assert.equal(boundStanza(enc), false)
    const answer: BinaryNode = {
      tag: 'iq',
      attrs: {},
      content: many(5000, () => ({ tag: 'group', attrs: {} })),
    }
    assert.equal(boundStanza(answer), false)
  })

  test('a patch of the app state keeps the changes that can be read, up to a number', () => {
    const blob = Buffer.alloc(48, 1)
    const change = { record: { index: { blob }, value: { blob }, keyId: { id: blob } } }
    const answerWith = (mutations: proto.ISyncdMutation[]): BinaryNode => {
      const content = proto.SyncdPatch.encode({ mutations, snapshotMac: blob }).finish()
      const collection = { tag: 'collection', attrs: {}, content: [{ tag: 'patch', attrs: {}, content }] }
      return { tag: 'iq', attrs: {}, content: [{ tag: 'sync', attrs: {}, content: [collection] }] }
    }
    const patchIn = ({ content }: BinaryNode): proto.SyncdPatch => {
      const [sync] = content as [BinaryNode]
      const [collection] = sync.content as [BinaryNode]
      const [patch] = collection.content as [BinaryNode]
      return proto.SyncdPatch.decode(patch.content as Uint8Array)
    }
    const whole = answerWith(many(1024, () => change))
    assert.equal(boundStanza(whole), false)
    assert.equal(patchIn(whole).mutations.length, 1024)
    for (const mutations of [
      many(1030, () => change),
      [...many(1024, () => change), {}, { record: {} }],
      many(1024, (index) => (index === 0 ? { record: { keyId: {} } } : change)),
    ]) {
      const answer = answerWith(mutations)
      assert.equal(boundStanza(answer), true)
      assert.ok(patchIn(answer).mutations.every(({ record }) => record?.value?.blob))
      assert.ok(patchIn(answer).mutations.length >= 1023)
      assert.ok(blob.equals(patchIn(answer).snapshotMac as Uint8Array))
    }
    const flood = answerWith(many(300_000, () => ({})))
    assert.equal(boundStanza(flood), true)
    assert.equal(patchIn(flood).mutations.length, 0)
  })

  test('content of a channel, which is not encrypted, is bounded as a message is', () => {
    const content = proto.Message.encode(
      proto.Message.create(textWith({ mentionedJid: many(3000, () => '2@lid') })),
    ).finish()
    const stanza: BinaryNode = {
      tag: 'message',
      attrs: { id: 'D' },
      content: [{ tag: 'plaintext', attrs: {}, content }],
    }
    assert.equal(boundStanza(stanza), true)
    const [part] = stanza.content as BinaryNode[]
    const message = proto.Message.decode(part?.content as Uint8Array)
    assert.equal(message.extendedTextMessage?.contextInfo?.mentionedJid?.length, 1024)
  })
})
