// Content that is encrypted with the secret of another message: read, or reported with its kind and the reason.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { proto } from 'baileys'
import { ANA, envelope, GROUP, ME, receive } from '../../../test/support/wire-messages.ts'
import { encryptWithSecret, type SecretUse } from '../../network/message-secrets.ts'
import { lookUpsOf } from './index.ts'

const { MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
const { SecretEncType } = proto.Message.SecretEncryptedMessage
const secret = randomBytes(32)
const findOriginal = (messageId: string) =>
  messageId === 'M1' ? { secrets: [randomBytes(32), secret], options: null } : null

interface Seal {
  author: string
  sender?: string
  use?: SecretUse
}

function sealed(plain: Uint8Array, { author, sender = author, use = 'Message Edit' }: Seal) {
  const encIv = randomBytes(12)
  return {
    encIv,
    encPayload: encryptWithSecret(plain, encIv, { use, secret, messageId: 'M1', author, sender }),
  }
}

const targetMessageKey = { id: 'M1', fromMe: true, remoteJid: ME.jid }
const messageBytes = (message: proto.IMessage) => proto.Message.encode(message).finish()
const plainEdit = (text: string): proto.IMessage => ({
  protocolMessage: { key: { id: 'OTHER' }, type: MESSAGE_EDIT, editedMessage: { conversation: text } },
})
const secretEdit = (plain: proto.IMessage, seal: Seal, type: number = SecretEncType.MESSAGE_EDIT) => ({
  secretEncryptedMessage: { targetMessageKey, ...sealed(messageBytes(plain), seal), secretEncType: type },
})
const names = ({ jid, lid }: typeof ME) => [jid, lid ?? '']

describe('an encrypted edit', () => {
  for (const author of names(ANA))
    for (const sender of names(ANA))
      for (const chat of [...names(ANA), GROUP])
        test(`by ${sender} of a message by ${author} in ${chat} is read`, () => {
          const participant = chat === GROUP ? { participant: ANA.jid } : {}
          const edit = secretEdit(plainEdit('better'), { author, sender })
          const { type, text, target, content } = receive(edit, { chat, ...participant }, { findOriginal })
          assert.deepEqual([type, text, content], ['edit', 'better', { targetMessageId: 'M1' }])
          assert.equal(
            target?.messageId,
            'M1',
            'the message that the key is bound to, not the one named inside',
          )
        })

  test('may contain the new content alone, or a caption', () => {
    const read = (plain: proto.IMessage) =>
      receive(secretEdit(plain, { author: ANA.jid }), {}, { findOriginal }).text
    assert.equal(read({ conversation: 'better' }), 'better')
    assert.equal(read({ imageMessage: { caption: 'sharper' } }), 'sharper')
    assert.equal(read({ editedMessage: { message: plainEdit('wrapped') } }), 'wrapped')
  })

  test('that cannot be decrypted is reported as unsupported, with its kind, its target and the reason', () => {
    const edit = secretEdit(plainEdit('x'), { author: ANA.jid })
    const report = (problem: string) => ({
      contentType: 'secretEncryptedMessage.MESSAGE_EDIT',
      targetMessageId: 'M1',
      problem,
    })
    const content = (known: typeof findOriginal) => {
      const received = receive(edit, {}, { findOriginal: known })
      assert.equal(received.type, 'unsupported')
      return received.content
    }
    assert.deepEqual(
      content(() => null),
      report('original_not_known'),
    )
    assert.deepEqual(
      content(() => ({ secrets: [] as Buffer<ArrayBuffer>[], options: null })),
      report('secret_not_known'),
    )
    assert.deepEqual(
      content(() => ({ secrets: [randomBytes(32)], options: null })),
      report('not_readable'),
    )
  })

  test('of another person does not open under the name of the sender', () => {
    const forged = secretEdit(plainEdit('x'), { author: ANA.jid, sender: '5521900000009@s.whatsapp.net' })
    assert.equal(receive(forged, {}, { findOriginal }).type, 'unsupported')
  })

  test('with content that is not a message is unsupported', () => {
    const broken = sealed(Buffer.from('ff', 'hex'), { author: ANA.jid })
    const message = {
      secretEncryptedMessage: { targetMessageKey, ...broken, secretEncType: SecretEncType.MESSAGE_EDIT },
    }
    assert.equal(receive(message, {}, { findOriginal }).type, 'unsupported')
    const deletion = secretEdit({ protocolMessage: { key: { id: 'M1' } } }, { author: ANA.jid })
    assert.equal(receive(deletion, {}, { findOriginal }).type, 'unsupported')
  })

  test('names the message to look up beforehand', () => {
    const edit = secretEdit(plainEdit('x'), { author: ANA.jid })
    assert.equal(lookUpsOf(envelope(), edit, ME).originalId, 'M1')
  })
})

describe('other content under the secret of a message', () => {
  test('a reaction is read', () => {
    const plain = proto.Message.ReactionMessage.encode({ text: '👍' }).finish()
    const message = {
      encReactionMessage: {
        targetMessageKey,
        ...sealed(plain, { author: ME.jid, sender: ANA.lid ?? '', use: 'Enc Reaction' }),
      },
    }
    const { type, text, content } = receive(message, {}, { findOriginal })
    assert.deepEqual([type, text], ['reaction', '👍'])
    assert.deepEqual(content, { targetMessageId: 'M1', emoji: '👍', removed: false })
  })

  test('what is over a limit is cut, and marked', () => {
    const reaction = proto.Message.ReactionMessage.encode({ text: '👍'.repeat(500) }).finish()
    const seal = { author: ME.jid, sender: ANA.lid ?? '', use: 'Enc Reaction' } as const
    const message = { encReactionMessage: { targetMessageKey, ...sealed(reaction, seal) } }
    const { text, content } = receive(message, {}, { findOriginal })
    assert.deepEqual([text?.length, content['truncated']], [64, true])
    const edit = secretEdit(plainEdit('x'.repeat(100_000)), { author: ANA.jid })
    const edited = receive(edit, {}, { findOriginal })
    assert.deepEqual([edited.text?.length, edited.content['truncated']], [65_536, true])
  })

  const { EventResponseMessage } = proto.Message
  const { GOING, NOT_GOING, MAYBE, UNKNOWN } = EventResponseMessage.EventResponseType
  const eventAnswer = (plain: Uint8Array) => ({
    encEventResponseMessage: {
      eventCreationMessageKey: { id: 'M1', fromMe: false, remoteJid: ANA.jid },
      ...sealed(plain, { author: ME.lid ?? '', sender: ANA.jid, use: 'Event Response' }),
    },
  })
  test('an answer to an event is read', () => {
    for (const [response, extraGuestCount, answer, extraGuests] of [
      [GOING, 2, 'going', 2],
      [NOT_GOING, 0, 'not_going', 0],
      [MAYBE, -5, 'maybe', 0],
      [GOING, 2_000_000_000, 'going', 1000],
    ] as const) {
      const plain = EventResponseMessage.encode({ response, extraGuestCount }).finish()
      const { type, text, target, content } = receive(eventAnswer(plain), {}, { findOriginal })
      assert.deepEqual([type, text, target?.messageId], ['event_answer', null, 'M1'])
      assert.deepEqual(content, { targetMessageId: 'M1', answer, extraGuests })
    }
    const { type } = receive(eventAnswer(EventResponseMessage.encode({ response: GOING }).finish()))
    assert.equal(type, 'unsupported', 'of an event that is not known')
  })

  test('an answer to an event that says nothing known is unsupported', () => {
    for (const plain of [
      EventResponseMessage.encode({ response: UNKNOWN }).finish(),
      Buffer.from('ff', 'hex'),
    ]) {
      const { type, content } = receive(eventAnswer(plain), {}, { findOriginal })
      assert.deepEqual([type, content['contentType']], ['unsupported', 'encEventResponseMessage'])
    }
  })

  test('kinds that are not read are reported with their name', () => {
    const kind = (type: number) =>
      receive(secretEdit({ conversation: 'x' }, { author: ANA.jid }, type), {}, { findOriginal }).content[
        'contentType'
      ]
    assert.deepEqual(
      [1, 3, 4, 5, 9].map(kind),
      ['EVENT_EDIT', 'MESSAGE_SCHEDULE', 'POLL_EDIT', 'POLL_ADD_OPTION', '9'].map(
        (name) => `secretEncryptedMessage.${name}`,
      ),
    )
  })
})

describe('the secret of a received message', () => {
  test('is kept, and is not part of the content that callers see', () => {
    const received = receive({ conversation: 'hello', messageContextInfo: { messageSecret: secret } })
    assert.equal(received.secret, secret.toString('base64'))
    assert.ok(!JSON.stringify(received.content).includes(received.secret ?? ''))
    assert.equal(receive({ conversation: 'hello' }).secret, undefined)
    const odd = { conversation: 'x', messageContextInfo: { messageSecret: new Uint8Array(5) } }
    assert.equal(receive(odd).secret, undefined)
  })
})
