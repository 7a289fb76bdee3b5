import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { aesEncryptGCM, hmacSign, proto } from 'baileys'
import { ANA, envelope, GROUP, ME, receive, sendFacts } from '../../../test/support/wire-messages.ts'
import { toNetwork } from '../to-network/index.ts'
import { lookUpsOf } from './index.ts'
import { knownOriginal } from './originals.ts'

const OPTIONS = ['red', 'blue', 'grün']
const poll = toNetwork(
  { kind: 'poll', content: { pollName: 'Colour?', options: OPTIONS, selectableCount: 2 } },
  sendFacts(),
).message
const known = knownOriginal(poll)
const findOriginal = (messageId: string) => (messageId === 'POLL' ? known : null)

interface Seal {
  creator: string
  voter: string
  secret?: Uint8Array
}

/** As a phone casts a vote. */
function vote(
  chosen: string[],
  { creator, voter, secret = sendFacts().messageSecret }: Seal,
): proto.IMessage {
  const bound = [
    Buffer.from('POLL'),
    Buffer.from(creator),
    Buffer.from(voter),
    Buffer.from('Poll Vote'),
    Buffer.from([1]),
  ]
  const key = hmacSign(Buffer.concat(bound), hmacSign(secret, new Uint8Array(32)))
  const encIv = randomBytes(12)
  const plain = proto.Message.PollVoteMessage.encode({
    selectedOptions: chosen.map((option) => createHash('sha256').update(option).digest()),
  }).finish()
  const encPayload = aesEncryptGCM(plain, key, encIv, Buffer.from(`POLL\0${voter}`))
  return {
    pollUpdateMessage: { pollCreationMessageKey: { id: 'POLL', fromMe: false }, vote: { encPayload, encIv } },
  }
}

const names = ({ jid, lid }: typeof ME) => [jid, lid ?? '']

describe('votes', () => {
  for (const creator of names(ME)) {
    for (const voter of names(ANA)) {
      for (const chat of names(ANA)) {
        test(`a vote by ${voter} on a poll by ${creator}, in the chat with ${chat}, is read`, () => {
          const received = receive(vote(['blue', 'grün'], { creator, voter }), { chat }, { findOriginal })
          assert.equal(received.type, 'poll_vote')
          assert.deepEqual(received.content, {
            targetMessageId: 'POLL',
            options: ['blue', 'grün'],
            optionIndexes: [1, 2],
          })
        })
      }
    }
  }

  test('a vote in a group, on the poll of another member who is named in the key', () => {
    const creator = '300000000000009@lid'
    const message = vote(['red'], { creator, voter: ANA.lid ?? '' })
    const key = { id: 'POLL', participant: '300000000000009:4@lid', remoteJid: GROUP }
    const received = receive(
      { pollUpdateMessage: { ...message.pollUpdateMessage, pollCreationMessageKey: key } },
      { chat: GROUP, participant: ANA.jid },
      { findOriginal },
    )
    assert.deepEqual(received.content['options'], ['red'])
  })

  test('a vote of our own from another device, on a poll that the other side made', () => {
    const message = vote(['red'], { creator: ANA.jid, voter: ME.lid ?? '' })
    const received = receive(message, { chat: ANA.jid, fromMe: true }, { findOriginal })
    assert.deepEqual(received.content['options'], ['red'])
  })

  test('a vote that was taken back chooses nothing', () => {
    const received = receive(vote([], { creator: ME.jid, voter: ANA.jid }), {}, { findOriginal })
    assert.deepEqual(received.content, { targetMessageId: 'POLL', options: [], optionIndexes: [] })
  })

  test('a vote of another person that claims to be our own is not read', () => {
    const stolen = vote(['red'], { creator: ME.jid, voter: '5521900000009@s.whatsapp.net' })
    const received = receive(stolen, { chat: ANA.jid }, { findOriginal })
    assert.deepEqual(received.content, {
      targetMessageId: 'POLL',
      options: null,
      problem: 'vote_not_readable',
    })
  })

  test('a vote that cannot be decrypted is still reported', () => {
    const sealed = { creator: ME.jid, voter: ANA.jid }
    const notReadable = { targetMessageId: 'POLL', options: null, problem: 'vote_not_readable' }
    const otherSecret = vote(['red'], { ...sealed, secret: randomBytes(32) })
    assert.deepEqual(receive(otherSecret, {}, { findOriginal }).content, notReadable)
    const empty = { pollUpdateMessage: { pollCreationMessageKey: { id: 'POLL' } } }
    assert.deepEqual(receive(empty, {}, { findOriginal }).content, notReadable)
    assert.deepEqual(receive(vote(['red'], sealed)).content, {
      targetMessageId: 'POLL',
      options: null,
      problem: 'poll_not_known',
    })
    assert.equal(receive({ pollUpdateMessage: {} }).content['targetMessageId'], '')
  })

  test('the poll to look up is named beforehand', () => {
    const message = vote(['red'], { creator: ME.jid, voter: ANA.jid })
    assert.equal(lookUpsOf(envelope(), message, ME).originalId, 'POLL')
  })
})

describe('what is kept of a poll', () => {
  test('its options and its secret, from outside of a wrapping if needed', () => {
    assert.deepEqual(known.options, OPTIONS)
    const { messageContextInfo, ...inner } = poll
    const wrapped = knownOriginal({
      deviceSentMessage: { message: inner },
      messageContextInfo: messageContextInfo ?? null,
    })
    assert.deepEqual(wrapped, known)
  })

  test('no options of a message that is not a poll, and no secret of another length', () => {
    const info = poll.messageContextInfo ?? null
    assert.equal(knownOriginal({ conversation: 'x', messageContextInfo: info }).options, null)
    const short = { messageSecret: new Uint8Array(31) }
    assert.deepEqual(knownOriginal({ pollCreationMessage: { name: 'x' }, messageContextInfo: short }), {
      secrets: [],
      options: [],
    })
  })
})
