import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { proto, type WAMessage } from 'baileys'
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
} from '../../../../test/support/wire-messages.ts'
import type { JsonObject, OutgoingContent, ReceivedType } from '../../message.ts'
import { toNetwork } from '../to-network/index.ts'
import { envelopeOf } from './envelope.ts'
import { fromNetwork, lookUpsOf } from './index.ts'

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

  test('interactive kinds that a phone of ours or a business sends keep their words and say what they are', () => {
    const buttons = [{ buttonId: 'yes', buttonText: { displayText: 'Yes' } }]
    const { message } = toNetwork(
      { kind: 'button', content: { interactive: { body: 'Sure?', buttons } } },
      sendFacts(),
    )
    const received = receive(message)
    assert.equal(received.type, 'unsupported')
    assert.equal(received.text, 'Sure?')
    assert.deepEqual(received.content, { contentType: 'interactiveMessage' })
  })
})

describe('what phones send', () => {
  interface Case {
    name: string
    message: proto.IMessage
    type: ReceivedType
    text?: string | null
    replyId?: string | null
    content?: JsonObject
  }
  const cases: Case[] = [
    { name: 'an empty text', message: { conversation: '' }, type: 'text' },
    {
      name: 'a text with a link preview',
      message: {
        extendedTextMessage: {
          text: 'see x.test',
          matchedText: 'https://x.test',
          title: 'X',
          description: '',
        },
      },
      type: 'text',
      text: 'see x.test',
      content: { linkPreview: { url: 'https://x.test', title: 'X' } },
    },
    {
      name: 'a forwarded text that mentions people',
      message: {
        extendedTextMessage: {
          text: '@x',
          contextInfo: { mentionedJid: [ANA.lid ?? '', '77@lid'], isForwarded: true },
        },
      },
      type: 'text',
      text: '@x',
      content: { mentions: [ANA.jid, '77@lid'], forwarded: true },
    },
    {
      name: 'a moving picture',
      message: { videoMessage: { gifPlayback: true } },
      type: 'video',
      content: { gif: true },
    },
    {
      name: 'a video note',
      message: { ptvMessage: { seconds: 3 } },
      type: 'video',
      content: { videoNote: true },
    },
    {
      name: 'a music file',
      message: { audioMessage: { ptt: false } },
      type: 'audio',
      content: { voice: false },
    },
    {
      name: 'an animated sticker in its own wrapping',
      message: { lottieStickerMessage: { message: { stickerMessage: { isLottie: true } } } },
      type: 'sticker',
      content: { animated: true },
    },
    {
      name: 'a moving location',
      message: { liveLocationMessage: { degreesLatitude: 1.5, degreesLongitude: 2.5, caption: 'on my way' } },
      type: 'location',
      text: 'on my way',
      content: { latitude: 1.5, longitude: 2.5, name: null, address: null, live: true },
    },
    {
      name: 'a location that lies',
      message: { locationMessage: { degreesLatitude: Number.NaN, degreesLongitude: Infinity } },
      type: 'location',
      content: { latitude: null, longitude: null, name: null, address: null, live: false },
    },
    {
      name: 'one contact card',
      message: {
        contactMessage: {
          displayName: 'Zé',
          vcard: 'BEGIN:VCARD\nFN:Zé Silva\nTEL;waid=5511912345678:+55 11 91234-5678\nEND:VCARD',
        },
      },
      type: 'contact',
      content: {
        contacts: [
          {
            name: 'Zé Silva',
            organization: null,
            phones: [{ number: '+55 11 91234-5678', phone: '5511912345678' }],
          },
        ],
      },
    },
    {
      name: 'several contact cards, one without a card',
      message: {
        contactsArrayMessage: { contacts: [{ displayName: 'A' }, { vcard: 'FN:B\nTEL:1234567' }] },
      },
      type: 'contact',
      content: {
        contacts: [
          { name: 'A', organization: null, phones: [] },
          { name: 'B', organization: null, phones: [{ number: '1234567', phone: '1234567' }] },
        ],
      },
    },
    {
      name: 'a poll of the fourth form, wrapped',
      message: {
        pollCreationMessageV4: {
          message: { pollCreationMessage: { name: 'Q', options: [{ optionName: 'a' }, {}] } },
        },
      },
      type: 'poll',
      text: 'Q',
      content: { pollName: 'Q', options: ['a', ''], selectableCount: 2 },
    },
    {
      name: 'a reaction',
      message: { reactionMessage: { key: { id: 'T1' }, text: '👍' } },
      type: 'reaction',
      text: '👍',
      content: { targetMessageId: 'T1', emoji: '👍', removed: false },
    },
    {
      name: 'a reaction taken back',
      message: { reactionMessage: { key: { id: 'T1' }, text: '' } },
      type: 'reaction',
      content: { targetMessageId: 'T1', emoji: null, removed: true },
    },
    {
      name: 'an edit',
      message: {
        protocolMessage: {
          type: Type.MESSAGE_EDIT,
          key: { id: 'T2' },
          editedMessage: { conversation: 'new' },
        },
      },
      type: 'edit',
      text: 'new',
      content: { targetMessageId: 'T2' },
    },
    {
      name: 'an edited caption, wrapped twice',
      message: {
        ephemeralMessage: {
          message: {
            editedMessage: {
              message: {
                protocolMessage: {
                  type: Type.MESSAGE_EDIT,
                  key: { id: 'T2' },
                  editedMessage: { imageMessage: { caption: 'better' } },
                },
              },
            },
          },
        },
      },
      type: 'edit',
      text: 'better',
      content: { targetMessageId: 'T2' },
    },
    {
      name: 'a message taken back',
      message: { protocolMessage: { type: Type.REVOKE, key: { id: 'T3', fromMe: true } } },
      type: 'delete',
      content: { targetMessageId: 'T3', targetAuthor: null },
    },
    {
      name: "somebody's message taken back by an admin, the type left out",
      message: { protocolMessage: { key: { id: 'T3', participant: '100000000000002:7@lid' } } },
      type: 'delete',
      content: { targetMessageId: 'T3', targetAuthor: ANA.jid },
    },
    {
      name: 'a tap on a native flow button',
      message: {
        interactiveResponseMessage: {
          body: { text: 'Yes' },
          nativeFlowResponseMessage: { name: 'quick_reply', paramsJson: '{"id":"yes"}' },
        },
      },
      type: 'button_reply',
      text: 'Yes',
      replyId: 'yes',
      content: { name: 'quick_reply' },
    },
    {
      name: 'a tap whose words are in its parameters only',
      message: {
        interactiveResponseMessage: {
          nativeFlowResponseMessage: { name: 'quick_reply', paramsJson: '{"id":7,"display_text":"Seven"}' },
        },
      },
      type: 'button_reply',
      text: 'Seven',
      replyId: '7',
      content: { name: 'quick_reply' },
    },
    {
      name: 'a row chosen in a native flow list',
      message: {
        interactiveResponseMessage: {
          nativeFlowResponseMessage: { name: 'single_select', paramsJson: '{"id":"r1","title":"Row"}' },
        },
      },
      type: 'list_reply',
      text: 'Row',
      replyId: 'r1',
      content: { name: 'single_select' },
    },
    {
      name: 'a tap that is no JSON',
      message: { interactiveResponseMessage: { nativeFlowResponseMessage: { paramsJson: '{"id":' } } },
      type: 'button_reply',
      content: { parameters: '{"id":' },
    },
    {
      name: 'a filled form, which has no id',
      message: {
        interactiveResponseMessage: {
          nativeFlowResponseMessage: { name: 'flow', paramsJson: '{"name":"Ana","id":{"x":1}}' },
        },
      },
      type: 'button_reply',
      content: { name: 'flow', parameters: '{"name":"Ana","id":{"x":1}}' },
    },
    {
      name: 'a tap with nothing in it',
      message: { interactiveResponseMessage: {} },
      type: 'button_reply',
    },
    {
      name: 'a row chosen from a list',
      message: {
        listResponseMessage: {
          title: 'Coffee',
          description: 'Hot',
          singleSelectReply: { selectedRowId: 'coffee' },
        },
      },
      type: 'list_reply',
      text: 'Coffee',
      replyId: 'coffee',
      content: { description: 'Hot' },
    },
    {
      name: 'a tap on an old button',
      message: { buttonsResponseMessage: { selectedButtonId: 'b1', selectedDisplayText: 'One' } },
      type: 'button_reply',
      text: 'One',
      replyId: 'b1',
    },
    {
      name: 'a tap on a template button',
      message: {
        templateButtonReplyMessage: {
          selectedId: 't1',
          selectedDisplayText: 'Two',
          selectedCarouselCardIndex: 0,
        },
      },
      type: 'button_reply',
      text: 'Two',
      replyId: 't1',
      content: { cardIndex: 0 },
    },
    {
      name: 'content that nothing reads',
      message: { albumMessage: { expectedImageCount: 2 } },
      type: 'unsupported',
      content: { contentType: 'albumMessage' },
    },
    {
      name: 'an invitation, which has words',
      message: { groupInviteMessage: { caption: 'join us' } },
      type: 'unsupported',
      text: 'join us',
      content: { contentType: 'groupInviteMessage' },
    },
    {
      name: 'an encrypted edit',
      message: { secretEncryptedMessage: { targetMessageKey: { id: 'T4' } } },
      type: 'unsupported',
      content: { contentType: 'secretEncryptedMessage', targetMessageId: 'T4' },
    },
    {
      name: 'a protocol message that is not for own devices',
      message: { protocolMessage: { type: Type.EPHEMERAL_SETTING, ephemeralExpiration: 60 } },
      type: 'unsupported',
      content: { contentType: 'protocolMessage.EPHEMERAL_SETTING' },
    },
    {
      name: 'a message taken back without saying which',
      message: { protocolMessage: { type: Type.REVOKE } },
      type: 'unsupported',
      content: { contentType: 'protocolMessage.REVOKE' },
    },
    { name: 'nothing that we know', message: {}, type: 'unsupported', content: { contentType: 'unknown' } },
    {
      name: 'a wrapping with nothing in it',
      message: { viewOnceMessageV2: {} },
      type: 'unsupported',
      content: { contentType: 'viewOnceMessageV2' },
    },
  ]
  for (const { name, message, type, text = null, replyId = null, content = {} } of cases) {
    test(`${name} is ${type}`, () => {
      const received = receive(message)
      assert.deepEqual(
        {
          type: received.type,
          text: received.text,
          replyId: received.interactiveReplyId,
          content: received.content,
        },
        { type, text, replyId, content },
      )
    })
  }

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

  test('what is not a message to anybody gives null', () => {
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

  test('view once is told, whichever wrapping says it', () => {
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
    assert.equal(needed.pollId, null)
    const asked: string[] = []
    fromNetwork(
      where,
      message,
      receiveFacts({
        resolve(jid) {
          asked.push(jid)
          return { jid, lid: null, phone: null }
        },
      }),
    )
    assert.ok(asked.every((jid) => needed.jids.includes(jid)))
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
    ) as WAMessage
    assert.equal(typeof stored.messageTimestamp, 'object')
    const received = fromNetwork(envelopeOf(stored), { conversation: 'x' }, receiveFacts())
    assert.equal(received?.sentAtMs, 1_767_000_123_000)
    assert.equal(received?.from.jid, ANA.jid)
    assert.equal(received?.from.pushName, null)
    assert.equal(received?.chat, GROUP)
  })

  for (const timestamp of [null, undefined, 0, -5, Number.NaN, 'soon', 1e300]) {
    test(`a message from ${timestamp} was sent when it came`, () => {
      assert.equal(receive({ conversation: 'x' }, { timestamp }).sentAtMs, NOW_MS)
    })
  }
})
