// Malformed messages: this package refuses what the official library refuses. A port of that library is compared as well.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as wasm from 'whatsapp-rust-bridge-wasm'
import { calculateSignature, generateKeyPair } from '../src/curve.ts'
import { createSenderKey, decryptFromGroup, distributionOf, withDistribution } from '../src/index.ts'
import { readMessage } from '../src/message.ts'
import { PreKeyWhisperMessage, writeFields } from '../src/protobufs.ts'
import { createSide } from './sides.ts'

type Field = [number, number | Buffer]

const VERSION = Buffer.from([0x33])
const KEY = generateKeyPair().pubKey
const WRONG_KEYS = {
  'without type': KEY.subarray(1),
  'of another type': Buffer.concat([Buffer.from([4]), KEY.subarray(1)]),
  'too long': Buffer.concat([KEY, Buffer.alloc(1)]),
  empty: Buffer.alloc(0),
}
const WRONG_VERSIONS = [0x00, 0x13, 0x23, 0x2f, 0x43, 0x53, 0xf3]

const without = (fields: Field[], id: number): Field[] => fields.filter(([each]) => each !== id)
const replaced = (fields: Field[], id: number, value: number | Buffer): Field[] =>
  fields.map(([each, old]) => [each, each === id ? value : old])
const encode = (fields: Field[], version = VERSION): Buffer => Buffer.concat([version, writeFields(fields)])

describe('distributions of sender keys', () => {
  const fields: Field[] = [
    [1, 5],
    [2, 0],
    [3, Buffer.alloc(32, 1)],
    [4, KEY],
  ]
  const isAccepted = (parse: () => unknown): boolean => {
    try {
      parse()
      return true
    } catch {
      return false
    }
  }
  const cases: Record<string, Buffer> = {
    ...Object.fromEntries(fields.map(([id]) => [`without field ${id}`, encode(without(fields, id))])),
    'with a number in place of a key': encode(replaced(fields, 4, 7)),
    'with bytes in place of a number': encode(replaced(fields, 2, Buffer.from([1]))),
    'with a chain key of 31 bytes': encode(replaced(fields, 3, Buffer.alloc(31))),
    'with a chain key of 33 bytes': encode(replaced(fields, 3, Buffer.alloc(33))),
    ...Object.fromEntries(
      Object.entries(WRONG_KEYS).map(([what, key]) => [
        `with a key ${what}`,
        encode(replaced(fields, 4, key)),
      ]),
    ),
    ...Object.fromEntries(
      WRONG_VERSIONS.map((version) => [
        `with the version ${version.toString(16)}`,
        encode(fields, Buffer.from([version])),
      ]),
    ),
    'cut off': encode(fields).subarray(0, -1),
    empty: Buffer.alloc(0),
  }
  test('a well-formed one is accepted', () => {
    assert.ok(isAccepted(() => withDistribution(null, encode(fields))))
    assert.ok(isAccepted(() => wasm.SenderKeyDistributionMessage.deserialize(encode(fields))))
  })
  for (const [what, message] of Object.entries(cases))
    test(`${what} is refused`, () => assert.ok(!isAccepted(() => withDistribution(null, message))))

  test('nothing is accepted that the port of the official library refuses', () => {
    for (const [what, message] of Object.entries(cases))
      if (!isAccepted(() => wasm.SenderKeyDistributionMessage.deserialize(message)))
        assert.ok(!isAccepted(() => withDistribution(null, message)), what)
    for (let version = 0; version < 256; version += 1) {
      const message = encode(fields, Buffer.from([version]))
      const own = isAccepted(() => withDistribution(null, message))
      assert.equal(own, version >> 4 === 3, `version ${version}`)
      assert.equal(
        isAccepted(() => wasm.SenderKeyDistributionMessage.deserialize(message)),
        own,
        `version ${version}`,
      )
    }
  })
})

describe('messages to a group', () => {
  const sender = createSenderKey()
  const [key] = sender.keys
  const reader = withDistribution(null, distributionOf(sender))
  const sign = (signed: Buffer): Buffer =>
    Buffer.concat([signed, calculateSignature(key!.signingSecret as Buffer, signed)])
  const fields: Field[] = [
    [1, key!.id],
    [2, 0],
    [3, Buffer.alloc(16)],
  ]
  for (const [id] of fields)
    test(`without field ${id} is refused`, () =>
      assert.rejects(decryptFromGroup(reader, sign(encode(without(fields, id)))), /Missing field/))
  for (const version of WRONG_VERSIONS)
    test(`with the version ${version.toString(16)} is refused`, () =>
      assert.rejects(decryptFromGroup(reader, sign(encode(fields, Buffer.from([version])))), /version/))
  test('without a signature is refused', () =>
    assert.rejects(decryptFromGroup(reader, Buffer.alloc(65, 0x33)), /cut off/))
})

describe('messages to a device', () => {
  const fields: Field[] = [
    [1, KEY],
    [2, 0],
    [3, 0],
    [4, Buffer.alloc(16)],
  ]
  const message = (changed: Field[], version = VERSION) =>
    Buffer.concat([encode(changed, version), Buffer.alloc(8)])
  test('a well-formed one is read, with or without the length of the previous chain', () => {
    assert.equal(readMessage(message(fields)).counter, 0)
    assert.equal(readMessage(message(without(fields, 3))).previousCounter, 0)
  })
  for (const id of [1, 2, 4])
    test(`without field ${id} is refused`, () =>
      assert.throws(() => readMessage(message(without(fields, id))), /Missing field/))
  for (const [what, key] of Object.entries(WRONG_KEYS))
    test(`with a ratchet key ${what} is refused`, () =>
      assert.throws(() => readMessage(message(replaced(fields, 1, key))), /Invalid public key/))
  for (const version of WRONG_VERSIONS)
    test(`with the version ${version.toString(16)} is refused`, () =>
      assert.throws(() => readMessage(message(fields, Buffer.from([version]))), /version/))
  test('with a field of number 0 or of another type is refused', () => {
    assert.throws(
      () => readMessage(Buffer.concat([VERSION, Buffer.from([0, 1]), Buffer.alloc(8)])),
      /Invalid field/,
    )
    assert.throws(() => readMessage(message(replaced(fields, 2, Buffer.alloc(1)))), /Invalid field/)
  })
})

describe('first messages of a session', () => {
  const inner = Buffer.alloc(40)
  const fields: Field[] = [
    [1, 1],
    [2, KEY],
    [3, KEY],
    [4, inner],
    [5, 1],
    [6, 7],
  ]
  for (const id of [2, 3, 4, 6])
    test(`without field ${id} is refused`, () =>
      assert.throws(() => PreKeyWhisperMessage.decode(writeFields(without(fields, id))), /Missing field/))
  for (const id of [2, 3])
    for (const [what, key] of Object.entries(WRONG_KEYS))
      test(`with field ${id} a key ${what} is refused`, () =>
        assert.throws(
          () => PreKeyWhisperMessage.decode(writeFields(replaced(fields, id, key))),
          /Invalid public key/,
        ))

  test('the first byte names version 3; nothing else is accepted, and that by the port of the official library as well', async () => {
    for (const kind of ['own', 'wasm'] as const) {
      const [a, b] = [createSide('own', 'b'), createSide(kind, 'a')]
      await a.begin(b.publish())
      const { type, body } = await a.encrypt('first')
      const before = b.save()
      for (const version of [...WRONG_VERSIONS, 0x30, 0x33, 0x34, 0x3f]) {
        const changed = Buffer.concat([Buffer.from([version]), body.subarray(1)])
        const read = await b.decrypt({ type, body: changed }).catch(() => null)
        // The port also accepts version 4, which the network does not use.
        if (version >> 4 === 3 || kind === 'own')
          assert.equal(read !== null, version >> 4 === 3, `${kind}, version ${version.toString(16)}`)
        b.restore(before)
      }
    }
  })

  test('published keys of a wrong length, and signatures of another length, begin no session', async () => {
    const [a, b] = [createSide('own', 'b'), createSide('own', 'a')]
    const bundle = b.publish()
    const { signedPreKey, identityKey, preKey } = bundle
    const wrong = [
      { ...bundle, identityKey: identityKey.subarray(1) },
      { ...bundle, signedPreKey: { ...signedPreKey, publicKey: signedPreKey.publicKey.subarray(1) } },
      { ...bundle, signedPreKey: { ...signedPreKey, signature: signedPreKey.signature.subarray(1) } },
      { ...bundle, preKey: { ...preKey!, publicKey: preKey!.publicKey.subarray(1) } },
      { ...bundle, registrationId: 2 ** 32 },
      { ...bundle, signedPreKey: { ...signedPreKey, keyId: 2 ** 53 } },
    ]
    for (const each of wrong) await assert.rejects(a.begin(each), /Invalid/)
    await a.begin(bundle)
  })
})
