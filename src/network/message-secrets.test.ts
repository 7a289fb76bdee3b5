// Keys from the secret of a message: as other clients derive them, and bound to everything that they name.
import assert from 'node:assert/strict'
import { createCipheriv, createHmac, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { decryptEventResponse, decryptPollVote, proto } from 'baileys'
import { type Binding, decryptWithAny, decryptWithSecret, encryptWithSecret } from './message-secrets.ts'

const [ANA, BEN] = ['5511900000001@s.whatsapp.net', '300000000000002@lid']
const edit: Binding = {
  use: 'Message Edit',
  secret: Buffer.alloc(32, 7),
  messageId: 'M1',
  author: ANA,
  sender: BEN,
}
const encIv = Buffer.alloc(12, 9)
const plain = Buffer.from('new text')

describe('what is encrypted with the secret of a message', () => {
  test('an edit has a key of HKDF without salt, and no additional data', () => {
    const hmac = (key: Uint8Array, ...parts: (string | Uint8Array)[]) =>
      parts.reduce((hash, part) => hash.update(part), createHmac('sha256', key)).digest()
    const key = hmac(hmac(Buffer.alloc(32), edit.secret), 'M1', ANA, BEN, 'Message Edit', Buffer.from([1]))
    const cipher = createCipheriv('aes-256-gcm', key, encIv)
    const expected = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    assert.deepEqual(encryptWithSecret(plain, encIv, edit), expected)
  })

  test('a vote is one that the network library decrypts', () => {
    const chosen = randomBytes(32)
    const vote = proto.Message.PollVoteMessage.encode({ selectedOptions: [chosen] }).finish()
    const encPayload = encryptWithSecret(vote, encIv, { ...edit, use: 'Poll Vote' })
    const opened = decryptPollVote(
      { encPayload, encIv },
      { pollCreatorJid: ANA, pollMsgId: 'M1', pollEncKey: edit.secret, voterJid: BEN },
    )
    assert.deepEqual(Buffer.from(opened.selectedOptions?.[0] ?? []), chosen)
  })

  test('an answer to an event is one that the network library decrypts', () => {
    const answer = proto.Message.EventResponseMessage.encode({ extraGuestCount: 3 }).finish()
    const encPayload = encryptWithSecret(answer, encIv, { ...edit, use: 'Event Response' })
    const opened = decryptEventResponse(
      { encPayload, encIv },
      { eventCreatorJid: ANA, eventMsgId: 'M1', eventEncKey: edit.secret, responderJid: BEN },
    )
    assert.equal(opened.extraGuestCount, 3)
  })

  test('opens with the same secret, message, people and use only', () => {
    const encPayload = encryptWithSecret(plain, encIv, edit)
    assert.deepEqual(decryptWithSecret({ encPayload, encIv }, edit), plain)
    const others: Partial<Binding>[] = [
      { secret: Buffer.alloc(32, 8) },
      { messageId: 'M2' },
      { author: BEN },
      { sender: ANA },
      { use: 'Event Edit' },
    ]
    for (const other of others)
      assert.equal(decryptWithSecret({ encPayload, encIv }, { ...edit, ...other }), undefined)
  })

  test('every pair of names is tried', () => {
    const encPayload = encryptWithSecret(plain, encIv, edit)
    const secrets = [randomBytes(32), edit.secret]
    const names = { authors: ['x', ANA], senders: ['y', BEN] }
    const candidates = { use: 'Message Edit', messageId: 'M1', secrets, ...names } as const
    assert.deepEqual(decryptWithAny({ encPayload, encIv }, candidates), plain)
    assert.equal(decryptWithAny({ encPayload, encIv }, { ...candidates, senders: ['y'] }), undefined)
  })

  test('malformed and oversized content is refused', () => {
    for (const encPayload of [undefined, null, Buffer.alloc(0), Buffer.alloc(15), Buffer.alloc(600_000)])
      assert.equal(decryptWithSecret({ encPayload, encIv }, edit), undefined)
    const encPayload = encryptWithSecret(plain, encIv, edit)
    for (const iv of [undefined, null, Buffer.alloc(0), Buffer.alloc(16)])
      assert.equal(decryptWithSecret({ encPayload, encIv: iv }, edit), undefined)
  })
})
