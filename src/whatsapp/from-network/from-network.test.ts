import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { proto } from 'baileys'
import {
  ANA,
  envelope,
  GROUP,
  ME,
  NOW_MS,
  overTheWire,
  receive,
  receiveFacts,
  sendFacts,
  uploaded,
} from '../../../test/support/wire-messages.ts'
import { PIX_KEY_TYPES } from '../../contract/message-values.ts'
import type { ReceivedType } from '../../contract/messages.ts'
import type { JsonObject, OutgoingContent } from '../../network/message.ts'
import { toNetwork } from '../to-network/index.ts'
import { envelopeOf } from './envelope.ts'
import { fromNetwork, fromPlaceholder, lookUpsOf } from './index.ts'

const { Type } = proto.Message.ProtocolMessage
const quote: proto.IContextInfo = {
  stanzaId: 'QUOTED',
  participant: ANA.lid,
  quotedMessage: { ephemeralMessage: { message: { imageMessage: { caption: 'old' } } } },
}

describe('what was sent comes back as it was', () => {
  const mediaUrl = 'https://example.com/a.bin'
  const sent: [OutgoingContent, ReceivedType, string | null, JsonObject][] = [
    [{ kind: 'text', content: { message: 'hi *you* 👋' } }, 'text', 'hi *you* 👋', {}],
    [{ kind: 'image', content: { mediaUrl, message: 'cap' } }, 'image', 'cap', {}],
    [{ kind: 'video', content: { mediaUrl, message: '' } }, 'video', null, {}],
    [{ kind: 'document', content: { mediaUrl, message: 'doc' } }, 'document', 'doc', { title: 'a.bin' }],
    [{ kind: 'audio', content: { mediaUrl, mimetype: 'audio/opus' } }, 'audio', null, { voice: true }],
    [
      { kind: 'location', content: { latitude: -90, longitude: 180, name: 'Pole' } },
      'location',
      null,
      { latitude: -90, longitude: 180, name: 'Pole', address: null, live: false },
    ],
    ...PIX_KEY_TYPES.map((keyType): (typeof sent)[number] => {
      const content = { merchantName: 'Padaria', keyType, key: 'x' }
      return [{ kind: 'pix', content }, 'pix', null, content]
    }),
    [
      { kind: 'poll', content: { pollName: 'Q?', options: ['a', 'b'], selectableCount: 1 } },
      'poll',
      'Q?',
      { pollName: 'Q?', options: ['a', 'b'], selectableCount: 1 },
    ],
    [
      { kind: 'poll', content: { pollName: 'Q?', options: ['a', 'b'], selectableCount: 2 } },
      'poll',
      'Q?',
      { pollName: 'Q?', options: ['a', 'b'], selectableCount: 2 },
    ],
  ]
  for (const [outgoing, type, text, content] of sent) {
    test(`${outgoing.kind}: ${JSON.stringify(outgoing.content)}`, () => {
      const media = 'mediaUrl' in outgoing.content ? [uploaded()] : []
      const received = receive(toNetwork(outgoing, sendFacts(media)).message)
      assert.equal(received.type, type)
      assert.equal(received.text, text)
      assert.deepEqual(received.content, content)
      assert.equal(received.media?.kind ?? null, media.length > 0 ? type : null)
    })
  }

  test('buttons of all types have the fields of their request, one of several types or only replies', () => {
    const reply = { buttonId: 'yes', buttonText: { displayText: 'Yes' } }
    const whole = { title: 'Sure', body: 'Sure?', footer: 'Today' }
    const mixed = [
      { replyButton: { displayText: 'Yes', buttonId: 'yes' } },
      { copyButton: { displayText: 'Copy', copyCode: 'WELCOME10' } },
      { urlButton: { displayText: 'Site', url: 'https://example.com/' } },
      { callButton: { displayText: 'Ring', phoneNumber: '+5511912345678' } },
    ]
    const sentButtons: OutgoingContent[] = [
      { kind: 'button', content: { interactive: { ...whole, buttons: [reply] } } },
      { kind: 'cta', content: { interactive: { ...whole, buttons: mixed } } },
      { kind: 'cta', content: { interactive: { body: 'Sure?', buttons: mixed.slice(1, 2) } } },
    ]
    for (const outgoing of sentButtons) {
      const { type, text, content } = receive(toNetwork(outgoing, sendFacts()).message)
      assert.deepEqual([type, text], [outgoing.kind, 'Sure?'])
      assert.deepEqual(content, outgoing.content)
    }
  })
})

describe('what phones send', () => {
  const quoting: [string, proto.IMessage][] = [
    ['text', { extendedTextMessage: { text: 'x', contextInfo: quote } }],
    ['image', { imageMessage: { contextInfo: quote } }],
    ['video', { videoMessage: { contextInfo: quote } }],
    ['document', { documentMessage: { contextInfo: quote } }],
    ['audio', { audioMessage: { contextInfo: quote } }],
    ['sticker', { stickerMessage: { contextInfo: quote } }],
    ['location', { locationMessage: { contextInfo: quote } }],
    ['moving location', { liveLocationMessage: { contextInfo: quote } }],
    ['contact', { contactMessage: { contextInfo: quote } }],
    ['contacts', { contactsArrayMessage: { contextInfo: quote } }],
    ['event', { eventMessage: { contextInfo: quote } }],
    ['poll', { pollCreationMessageV3: { contextInfo: quote } }],
    ['tap', { interactiveResponseMessage: { contextInfo: quote } }],
    ['old tap', { buttonsResponseMessage: { contextInfo: quote } }],
    ['template tap', { templateButtonReplyMessage: { contextInfo: quote } }],
    ['list reply', { listResponseMessage: { contextInfo: quote } }],
    ['unsupported', { productMessage: { contextInfo: quote } }],
  ]
  for (const [name, message] of quoting) {
    test(`${name}: the quoted message is named, with its words and its author by number`, () => {
      assert.deepEqual(receive(message).quoted, { messageId: 'QUOTED', text: 'old', participant: ANA.jid })
    })
  }

  test('content that is not a message gives null', () => {
    const nothing: proto.IMessage[] = [
      { senderKeyDistributionMessage: { groupId: GROUP } },
      { senderKeyDistributionMessage: { groupId: GROUP }, messageContextInfo: {} },
      { protocolMessage: { type: Type.APP_STATE_SYNC_KEY_REQUEST } },
      { protocolMessage: { type: Type.PEER_DATA_OPERATION_REQUEST_MESSAGE } },
    ]
    for (const message of nothing)
      assert.equal(fromNetwork(envelope(), overTheWire(message), receiveFacts()), null)
  })

  test('keys that travel with a message do not hide it', () => {
    const received = receive({ senderKeyDistributionMessage: { groupId: GROUP }, conversation: 'hi' })
    assert.equal(received.text, 'hi')
  })

  test("a stranger's NUL and broken pairs reach no store", () => {
    const received = fromNetwork(
      envelope({ pushName: 'A\0na' }),
      { extendedTextMessage: { text: 'a\0b\ud800c', contextInfo: { stanzaId: 'Q\0' } } },
      receiveFacts(),
    )
    assert.equal(received?.text, 'ab\ufffdc')
    assert.equal(received?.from.pushName, 'Ana')
    assert.equal(received?.quoted?.messageId, 'Q')
  })

  test('view once is reported for every wrapping', () => {
    for (const wrapping of ['viewOnceMessage', 'viewOnceMessageV2', 'viewOnceMessageV2Extension'] as const) {
      const message = { ephemeralMessage: { message: { [wrapping]: { message: { imageMessage: {} } } } } }
      assert.deepEqual(receive(message).content, { viewOnce: true })
    }
    assert.deepEqual(receive({ videoMessage: { viewOnce: true } }).content, { viewOnce: true })
  })

  test('the look-ups named beforehand are all that the conversion asks', () => {
    const message = overTheWire({
      extendedTextMessage: { text: 'x', contextInfo: { ...quote, mentionedJid: ['77@lid', GROUP] } },
    })
    const where = envelope({ chat: GROUP, participant: '88:3@lid' })
    const needed = lookUpsOf(where, message, ME)
    assert.deepEqual(needed.jids.toSorted(), ['100000000000002@lid', '77@lid', '88@lid'].toSorted())
    assert.equal(needed.originalId, null)
    const requested: string[] = []
    fromNetwork(
      where,
      message,
      receiveFacts({
        resolve(jid) {
          requested.push(jid)
          return { jid, lid: null, phone: null }
        },
      }),
    )
    assert.ok(requested.every((jid) => needed.jids.includes(jid)))
  })
})

describe('the facts around a message', () => {
  test('are read from the library, with seconds as a Long and an author outside the key', () => {
    const stored = proto.WebMessageInfo.decode(
      proto.WebMessageInfo.encode({
        key: { id: 'X', remoteJid: GROUP },
        participant: ANA.lid,
        messageTimestamp: 1_767_000_123,
        pushName: '',
      }).finish(),
    )
    assert.equal(typeof stored.messageTimestamp, 'object')
    const received = fromNetwork(envelopeOf(stored), { conversation: 'x' }, receiveFacts())
    assert.equal(received?.sentAtMs, 1_767_000_123_000)
    assert.equal(received?.from.jid, ANA.jid)
    assert.equal(received?.from.pushName, null)
    assert.equal(received?.chat, GROUP)
  })

  for (const timestamp of [null, undefined, 0, -5, Number.NaN, 'soon', 1e300, 253_402_300_800]) {
    test(`a message from ${timestamp} was sent when it came`, () => {
      assert.equal(receive({ conversation: 'x' }, { timestamp }).sentAtMs, NOW_MS)
    })
  }
})

test('a placeholder of a view-once message has author, chat and time, and no content', () => {
  const where = envelope({ chat: GROUP, participant: ANA.lid })
  const received = fromPlaceholder(where, receiveFacts())
  assert.deepEqual(
    [received.type, received.chat, received.from.jid, received.sentAtMs, received.text, received.media],
    ['view_once_unavailable', GROUP, ANA.jid, NOW_MS, null, null],
  )
  assert.deepEqual(received.content, { viewOnce: true })
})
