// What an outgoing message refers to: quotes, mentions, forwards, and the message that an action changes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { proto } from 'baileys'
import {
  ANA,
  GROUP,
  ME,
  overTheWire,
  receive,
  sendFacts,
  uploaded,
} from '../../../test/support/wire-messages.ts'
import type { MessageReference, OutgoingContent, OutgoingContext } from '../../network/message.ts'
import { encodePayload } from '../sending/payload.ts'
import { toNetwork } from './index.ts'

const { ProtocolMessage, PinInChatMessage } = proto.Message
const EMPTY = { payload: null, media: null, content: {} }

const theirs = (change: Partial<MessageReference> = {}): MessageReference => ({
  ...EMPTY,
  messageId: 'THEIRS',
  isOurs: false,
  type: 'text',
  text: 'How much?',
  addressedAs: { chat: ANA.lid as string, participant: null },
  ...change,
})
const ours = (message: proto.IMessage = { conversation: 'Ten' }): MessageReference => ({
  ...EMPTY,
  messageId: 'OURS',
  isOurs: true,
  type: 'text',
  text: 'Ten',
  addressedAs: { chat: ANA.jid, participant: null },
  payload: encodePayload({ chat: ANA.jid, message, additionalNodes: [] }),
})

function send(outgoing: OutgoingContent, context: OutgoingContext, media = [uploaded()]) {
  const sent = toNetwork(outgoing, { ...sendFacts(media), context })
  return { ...sent, message: overTheWire(sent.message) }
}
const TEXT: OutgoingContent = { kind: 'text', content: { message: 'Ten' } }
const IMAGE: OutgoingContent = { kind: 'image', content: { mediaUrl: 'https://example.com/a.png' } }

describe('a reply', () => {
  test('names the author as the network did, and contains the quoted text', () => {
    const { message } = send(TEXT, { quoted: theirs() })
    const info = message.extendedTextMessage?.contextInfo
    assert.equal(message.extendedTextMessage?.text, 'Ten')
    assert.deepEqual([info?.stanzaId, info?.participant], ['THEIRS', ANA.lid])
    assert.equal(info?.quotedMessage?.conversation, 'How much?')
    const inGroup = theirs({ addressedAs: { chat: GROUP, participant: ANA.jid } })
    const reply = send(TEXT, { quoted: inGroup }).message.extendedTextMessage
    assert.equal(reply?.contextInfo?.participant, ANA.jid)
  })

  test('to a sent message names this account, and copies the message as it was sent, without its own quote', () => {
    const sent = { extendedTextMessage: { text: 'Ten', contextInfo: { stanzaId: 'EARLIER' } } }
    const info = send(IMAGE, { quoted: ours(sent) }).message.imageMessage?.contextInfo
    assert.deepEqual([info?.stanzaId, info?.participant], ['OURS', ME.jid])
    assert.equal(info?.quotedMessage?.extendedTextMessage?.text, 'Ten')
    assert.equal(info?.quotedMessage?.extendedTextMessage?.contextInfo ?? null, null)
  })

  test('shows the type and caption of a received file', () => {
    const content = { media: { mimetype: 'application/pdf', fileName: 'bill.pdf' } }
    const quoted = theirs({ type: 'document', text: 'the bill', content })
    const preview = send(TEXT, { quoted }).message.extendedTextMessage?.contextInfo?.quotedMessage
    const { fileName, caption, mimetype } = preview?.documentMessage ?? {}
    assert.deepEqual([fileName, caption, mimetype], ['bill.pdf', 'the bill', 'application/pdf'])
  })

  test('is read by the receiving side as a quote', () => {
    const { message } = send(TEXT, { quoted: theirs({ addressedAs: { chat: ANA.jid, participant: null } }) })
    assert.deepEqual(receive(message).quoted, {
      messageId: 'THEIRS',
      text: 'How much?',
      participant: ANA.jid,
    })
  })
})

test('mentions are listed, or are all members', () => {
  const some = send(TEXT, { mentions: [ANA.jid] }).message.extendedTextMessage?.contextInfo
  assert.deepEqual(some?.mentionedJid, [ANA.jid])
  const all = send(TEXT, { mentions: 'all' }).message.extendedTextMessage?.contextInfo
  assert.deepEqual([all?.nonJidMentions, all?.mentionedJid], [1, []])
})

test('a view-once file is wrapped, and voice has a wrapper of its own', () => {
  const image = send(
    { kind: 'image', content: { mediaUrl: 'https://example.com/a.png', viewOnce: true } },
    {},
  )
  assert.equal(image.message.viewOnceMessage?.message?.imageMessage?.viewOnce, true)
  assert.equal(image.message.imageMessage, null)
  const audio: OutgoingContent = {
    kind: 'audio',
    content: { mediaUrl: 'https://example.com/a', viewOnce: true },
  }
  assert.ok(send(audio, {}).message.viewOnceMessageV2Extension?.message?.audioMessage)
})

describe('an action', () => {
  const act = (outgoing: OutgoingContent, target: MessageReference) => send(outgoing, { target }, [])

  test('a reaction names its target; without an emoji it is withdrawn', () => {
    const reaction = (emoji: string | null, target: MessageReference) =>
      act({ kind: 'reaction', content: { emoji } }, target).message.reactionMessage
    assert.deepEqual([reaction('👍', theirs())?.text, reaction(null, theirs())?.text], ['👍', ''])
    const inGroup = theirs({ addressedAs: { chat: GROUP, participant: ANA.lid } })
    const { id, remoteJid, participant, fromMe } = reaction('👍', inGroup)?.key ?? {}
    assert.deepEqual([id, remoteJid, participant, fromMe], ['THEIRS', GROUP, ANA.lid, false])
    const own = reaction('👍', ours())?.key
    assert.deepEqual([own?.id, own?.remoteJid, own?.fromMe], ['OURS', ANA.jid, true])
  })

  test('an edit is plain, in the wrapper that phones expect, with the new text, or the file with its new caption, and the attribute of an edit', () => {
    const edit: OutgoingContent = { kind: 'edit', content: { message: 'Twelve' } }
    const { message, attributes } = act(edit, ours())
    assert.deepEqual(attributes, { edit: '1' })
    const change = message.editedMessage?.message?.protocolMessage
    assert.equal(change?.type, ProtocolMessage.Type.MESSAGE_EDIT)
    assert.equal(change?.editedMessage?.conversation, 'Twelve')
    const image = act(edit, ours({ imageMessage: { caption: 'old', directPath: '/a' } })).message
    const edited = image.editedMessage?.message?.protocolMessage?.editedMessage?.imageMessage
    assert.deepEqual([edited?.caption, edited?.directPath], ['Twelve', '/a'])
  })

  test('a deletion by the author and by an admin have different attributes', () => {
    const remove: OutgoingContent = { kind: 'delete', content: {} }
    assert.deepEqual(act(remove, ours()).attributes, { edit: '7' })
    const admin = act(remove, theirs({ addressedAs: { chat: GROUP, participant: ANA.lid } }))
    assert.deepEqual(admin.attributes, { edit: '8' })
    assert.equal(admin.message.protocolMessage?.key?.participant, ANA.lid)
  })

  test('a pin lasts for the given time; null removes it', () => {
    const pin = (seconds: number | null) => act({ kind: 'pin', content: { seconds } }, theirs()).message
    assert.equal(pin(86_400).pinInChatMessage?.type, PinInChatMessage.Type.PIN_FOR_ALL)
    assert.equal(pin(86_400).messageContextInfo?.messageAddOnDurationInSecs, 86_400)
    assert.equal(pin(null).pinInChatMessage?.type, PinInChatMessage.Type.UNPIN_FOR_ALL)
  })
})

describe('a forwarded message', () => {
  test('of this account is the same message with a new secret, marked as forwarded, without its quote', () => {
    const sent = { extendedTextMessage: { text: 'Ten', contextInfo: { stanzaId: 'EARLIER' } } }
    const { message } = send(TEXT, { forwarded: ours(sent) }, [])
    const info = message.extendedTextMessage?.contextInfo
    assert.deepEqual([message.extendedTextMessage?.text, info?.isForwarded], ['Ten', true])
    assert.equal(info?.stanzaId ?? null, null)
    assert.equal(message.messageContextInfo?.messageSecret?.length, 32)
  })

  test('of another person refers to the file that is on the servers of the network', () => {
    const bytes = (fill: number) => Buffer.alloc(32, fill).toString('base64')
    const source = theirs({
      type: 'image',
      text: 'look',
      content: { media: { mimetype: 'image/png', width: 3, height: 2 } },
      media: {
        type: 'image',
        directPath: '/v/t62.7118-24/file',
        sizeBytes: 9,
        mediaKey: bytes(1),
        fileSha256: bytes(2),
        fileEncSha256: bytes(3),
      },
    })
    const image = send(IMAGE, { forwarded: source }, []).message.imageMessage
    assert.deepEqual([image?.caption, image?.mimetype, image?.width], ['look', 'image/png', 3])
    assert.deepEqual([image?.directPath, Number(image?.fileLength)], ['/v/t62.7118-24/file', 9])
    assert.ok(image?.mediaKey?.length === 32 && image.contextInfo?.isForwarded)
  })

  test('whose payload is gone is prepared again from its content', () => {
    const { message } = send(TEXT, { forwarded: 'again' })
    assert.equal(message.extendedTextMessage?.contextInfo?.isForwarded, true)
  })
})

describe('a message in a chat with disappearing messages', () => {
  const DAY: OutgoingContext = { disappearingSeconds: 86_400 }
  const expirationOf = ({ message }: ReturnType<typeof send>): unknown =>
    Object.values(message as Record<string, { contextInfo?: proto.IContextInfo } | null>)
      .map((part) => part?.contextInfo?.expiration)
      .find((expiration) => expiration)

  const KINDS: OutgoingContent[] = [
    TEXT,
    IMAGE,
    { kind: 'poll', content: { pollName: 'Which?', options: ['a', 'b'], selectableCount: 1 } },
    { kind: 'location', content: { latitude: 1, longitude: 2 } },
    { kind: 'contact', content: { contacts: [{ name: 'Ana', phone: '5511912345678' }] } },
  ]
  for (const outgoing of KINDS)
    test(`says how long it stays: ${outgoing.kind}`, () => {
      assert.equal(expirationOf(send(outgoing, DAY)), 86_400)
      assert.equal(expirationOf(send(outgoing, { disappearingSeconds: 0 })), undefined)
    })

  test('that is forwarded has the timer of its new chat, not of the old one', () => {
    const old = { extendedTextMessage: { text: 'Ten', contextInfo: { expiration: 604_800 } } }
    assert.equal(expirationOf(send(TEXT, { forwarded: ours(old) })), undefined)
    assert.equal(expirationOf(send(TEXT, { ...DAY, forwarded: ours(old) })), 86_400)
  })

  test('a new timer is sent as a setting of the chat', () => {
    const { message } = send({ kind: 'disappearing', content: { seconds: 604_800 } }, {})
    const setting = message.ephemeralMessage?.message?.protocolMessage
    assert.equal(setting?.type, ProtocolMessage.Type.EPHEMERAL_SETTING)
    assert.equal(setting?.ephemeralExpiration, 604_800)
  })
})
