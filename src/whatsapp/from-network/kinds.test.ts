import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { proto } from 'baileys'
import { ANA, receive } from '../../../test/support/wire-messages.ts'
import type { ReceivedType } from '../../contract/messages.ts'
import type { JsonObject } from '../../network/message.ts'

const { Type } = proto.Message.ProtocolMessage

const timer = (ephemeralExpiration: number): proto.IMessage => ({
  protocolMessage: { type: Type.EPHEMERAL_SETTING, ephemeralExpiration },
})

describe('each kind that phones send', () => {
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
      name: 'an event with a place on the map and a call',
      message: {
        eventMessage: {
          name: 'Dinner',
          description: 'At ours',
          startTime: 1_767_000_000,
          endTime: 1_767_003_600,
          location: { name: 'Rua A 1', degreesLatitude: -23.5, degreesLongitude: -46.5 },
          joinLink: 'https://call.whatsapp.com/video/x',
          isCanceled: true,
        },
      },
      type: 'event',
      text: 'Dinner',
      content: {
        name: 'Dinner',
        description: 'At ours',
        startsAt: '2025-12-29T09:20:00.000Z',
        endsAt: '2025-12-29T10:20:00.000Z',
        place: 'Rua A 1',
        canceled: true,
        latitude: -23.5,
        longitude: -46.5,
        callLink: 'https://call.whatsapp.com/video/x',
      },
    },
    {
      name: 'an event without anything',
      message: { eventMessage: {} },
      type: 'event',
      content: { name: null, description: null, startsAt: null, endsAt: null, place: null, canceled: false },
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
      name: "another member's message deleted by an admin, without a type",
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
      name: 'a tap with an id beside odd things',
      message: {
        interactiveResponseMessage: {
          nativeFlowResponseMessage: {
            name: 'quick_reply',
            paramsJson: '{"id":"yes","display_text":{"x":[]}}',
          },
        },
      },
      type: 'button_reply',
      replyId: 'yes',
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
      name: 'a tap that is not JSON',
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
      message: { placeholderMessage: { type: 0 } },
      type: 'unsupported',
      content: { contentType: 'placeholderMessage' },
    },
    {
      name: 'an invitation, which has words',
      message: { groupInviteMessage: { caption: 'join us' } },
      type: 'unsupported',
      text: 'join us',
      content: { contentType: 'groupInviteMessage' },
    },
    {
      name: 'an encrypted change of an unknown kind',
      message: { secretEncryptedMessage: { targetMessageKey: { id: 'T4' } } },
      type: 'unsupported',
      content: {
        contentType: 'secretEncryptedMessage.UNKNOWN',
        targetMessageId: 'T4',
        problem: 'original_not_known',
      },
    },
    {
      name: 'a protocol message that is not for devices of the account',
      message: { protocolMessage: { type: Type.SHARE_PHONE_NUMBER } },
      type: 'unsupported',
      content: { contentType: 'protocolMessage.SHARE_PHONE_NUMBER' },
    },
    {
      name: 'a timer of disappearing messages',
      message: { ephemeralMessage: { message: timer(86_400) } },
      type: 'disappearing',
      content: { seconds: 86_400 },
    },
    {
      name: 'the end of a timer',
      message: timer(0),
      type: 'disappearing',
      content: { seconds: 0 },
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
})
