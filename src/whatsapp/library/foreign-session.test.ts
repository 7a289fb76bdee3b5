// Logins and keys of other programs are taken in their published forms, and refused with the name of the field otherwise.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { Curve, signedKeyPair } from 'baileys'
import { asNumbers, base64, json, linkedCreds, sessionRecord } from '../../../test/support/foreign-session.ts'
import { FOREIGN_KINDS, ForeignKeyError, readForeignKey, readForeignLogin } from './foreign-session.ts'
import { decodeKey } from './key-codec.ts'

describe('a foreign login', () => {
  for (const [form, write] of [
    ['base64', json],
    ['lists of numbers', asNumbers],
  ] as const)
    test(`is taken with its bytes as ${form}`, () => {
      const creds = linkedCreds()
      const login = readForeignLogin(write(creds))
      assert.deepEqual(login.account, { number: '5511912345678', lid: '123456789012345', name: 'Support' })
      assert.equal(login.device, 7)
      const stored = decodeKey('creds', login.creds.value as Uint8Array) as typeof creds
      assert.deepEqual(stored.noiseKey, creds.noiseKey)
      assert.deepEqual(stored.signedPreKey, creds.signedPreKey)
      assert.deepEqual([stored.me, stored.account, stored.nextPreKeyId], [creds.me, creds.account, 813])
    })

  test('of an older release, without newer fields, gets their defaults', () => {
    const { pairingEphemeralKeyPair: _pair, accountSyncCounter: _counter, ...older } = linkedCreds()
    const { value } = readForeignLogin(json(older)).creds
    const stored = decodeKey('creds', value as Uint8Array) as ReturnType<typeof linkedCreds>
    assert.equal(stored.pairingEphemeralKeyPair.public.length, 32)
    assert.equal(stored.accountSyncCounter, 0)
  })

  test('leaves out what is not part of a login', () => {
    const { value } = readForeignLogin(json({ ...linkedCreds(), extra: 'x', additionalData: { a: 1 } })).creds
    const stored = decodeKey('creds', value as Uint8Array) as Record<string, unknown>
    assert.deepEqual([stored.extra, stored.additionalData], [undefined, undefined])
  })

  const other = Curve.generateKeyPair()
  for (const [what, change, text] of [
    ['without a phone', { me: undefined }, 'creds: not linked with a phone'],
    ['without the identity of the account', { account: undefined }, 'creds: not linked with a phone'],
    [
      'of a group',
      { me: { id: '120363000000000000@g.us' } },
      'creds.me.id: expected the jid of a phone number',
    ],
    [
      'with a short key',
      { noiseKey: { ...other, private: Buffer.alloc(31) } },
      'creds.noiseKey.private: expected 32 bytes',
    ],
    [
      'with text for a key',
      { noiseKey: { ...other, public: 'a' } },
      'creds.noiseKey.public: expected 32 bytes',
    ],
    [
      'with a number out of range',
      { registrationId: -1 },
      'creds.registrationId: missing or of another type',
    ],
    [
      'with halves of two key pairs',
      { signedIdentityKey: { ...other, private: Curve.generateKeyPair().private } },
      'creds.signedIdentityKey: the two keys do not belong together',
    ],
    [
      'with the pre-key of another identity',
      { signedPreKey: signedKeyPair(other, 1) },
      'creds.signedPreKey: its signature is not of the identity key',
    ],
  ] as const)
    test(`${what} is refused: ${text}`, () =>
      assert.throws(() => readForeignLogin(json({ ...linkedCreds(), ...change })), {
        constructor: ForeignKeyError,
        message: text,
      }))

  for (const text of ['', '{', 'null', '[]', '"creds"', '{"type":"Buffer","data":""}'])
    test(`is refused when it is ${text || 'empty'}`, () =>
      assert.throws(() => readForeignLogin(text), ForeignKeyError))
})

const pair = { public: randomBytes(32), private: randomBytes(32) }
const senderKey = [
  {
    senderKeyId: 7,
    senderChainKey: { iteration: 3, seed: randomBytes(32) },
    senderSigningKey: { public: randomBytes(33) },
    senderMessageKeys: [],
  },
]
const version = { version: 3, hash: randomBytes(128), indexValueMap: { 'a=': { valueMac: randomBytes(32) } } }

const SOUND: Record<string, [name: string, value: unknown]> = {
  'pre-key': ['1', pair],
  session: ['5511912345678.0', sessionRecord()],
  'sender-key': ['1@g.us::5511912345678::0', Buffer.from(json(senderKey))],
  'sender-key-memory': ['1@g.us', { '5511912345678:1@s.whatsapp.net': true }],
  'app-state-sync-key': ['AAAA', { keyData: base64(32), timestamp: '1', fingerprint: { rawId: 1 } }],
  'app-state-sync-version': ['regular_low', version],
  'lid-mapping': ['123_reverse', '5511912345678'],
  'device-list': ['5511912345678', ['0', '7']],
  tctoken: ['123@lid', { token: randomBytes(16), timestamp: '1700000000' }],
  'identity-key': ['123_1.0', randomBytes(33)],
}

describe('a foreign key', () => {
  test('has a sound example of every kind here', () =>
    assert.deepEqual(Object.keys(SOUND).toSorted(), FOREIGN_KINDS.toSorted()))

  for (const [kind, [name, value]] of Object.entries(SOUND)) {
    test(`of the kind ${kind} is stored so that a session can read it`, () => {
      for (const write of [json, asNumbers]) {
        const key = readForeignKey(kind, name, write(value))
        assert.deepEqual([key.kind, key.name], [kind, name])
        assert.ok(decodeKey(kind, key.value as Uint8Array))
      }
    })
    test(`of the kind ${kind} is refused in any other form`, () => {
      for (const wrong of [
        null,
        7,
        {},
        [],
        'x'.repeat(2000),
        { public: 'a', private: [] },
        { _sessions: { a: 1 } },
      ]) {
        const isFittingList = kind === 'device-list' && Array.isArray(wrong)
        const isFittingRecord = kind === 'sender-key-memory' && json(wrong) === '{}'
        if (isFittingList || isFittingRecord) continue
        assert.throws(
          () => readForeignKey(kind, name, json(wrong)),
          ForeignKeyError,
          json(wrong).slice(0, 40),
        )
      }
      assert.throws(() => readForeignKey(kind, '../../etc', json(value)), ForeignKeyError)
      assert.throws(() => readForeignKey(kind, '', json(value)), ForeignKeyError)
    })
  }

  test('of an unknown kind is refused, also under the name of a property that every object has', () => {
    for (const kind of ['creds', 'arrival', 'signed-pre-key', 'constructor', '__proto__'])
      assert.throws(() => readForeignKey(kind, '1', json(pair)), /an unknown kind/)
  })

  test('of a sender is taken as a list, as older releases store it', () => {
    const key = readForeignKey('sender-key', '1@g.us::5511912345678::0', asNumbers(senderKey))
    assert.ok(decodeKey('sender-key', key.value as Uint8Array))
  })

  test('of a session with a short root key is refused', () => {
    const record = sessionRecord()
    const [session] = Object.values(record._sessions)
    assert.ok(session)
    session.currentRatchet.rootKey = base64(31)
    assert.throws(() => readForeignKey('session', '1.0', json(record)), /keys of another length/)
  })
})
