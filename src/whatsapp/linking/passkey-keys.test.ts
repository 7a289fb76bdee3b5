import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { describe, test } from 'node:test'
import { proto } from '../library/protocol.ts'
import * as keys from './passkey-keys.ts'

const filled = (byte: number, length = 32) => Buffer.alloc(length, byte)
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const publicOf = (privateKey: Buffer): Buffer => {
  const key = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), privateKey])
  return createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' }))
    .export({ type: 'spki', format: 'der' })
    .subarray(-32)
}

/** The vector was computed with another implementation of the same derivations. */
describe('the derivations of the passkey step equal a vector', () => {
  const identity = { publicKey: publicOf(filled(0x11)), deviceType: 1, ref: 'test-ref' }
  const encoded = keys.encodeIdentity(identity)
  const commitment = keys.commitmentOf(encoded, filled(0x33))
  const primary = { publicKey: publicOf(filled(0x22)), nonce: filled(0x44) }

  test('identity and commitment', () => {
    assert.equal(
      hex(encoded),
      '0a207b4e909bbe7ffe44c465a220037d608ee35897d31ef972f07f74892cb0f73f1310011a08746573742d726566',
    )
    assert.equal(hex(commitment), '46aa71643a5c338b6a809570e5e4d48821479ba21040b44d4caa0c5e272adc3c')
  })

  test('the proof that the phone has read the code of this client', () => {
    const proof = keys.handoffProof(filled(0x55), keys.encodePrologue(encoded, commitment))
    assert.equal(hex(proof), '187bd10ddca196e151ae2662e7081b86c19b6376faefb2886c07424265b274d3')
  })

  test('the code', () => assert.equal(keys.comparisonCode(filled(0x33), primary), 'PYSL-SH11'))

  test('the encrypted request', () => {
    const key = keys.encryptionKeyOf({ private: filled(0x11) }, primary.publicKey, identity)
    assert.equal(hex(key), '7f79b1fcbca81d90adc444ccb19374ce1ce856ff47cf4bcb297e66b85b139ca9')
    const request = { noiseKey: filled(7), identityKey: filled(8), advSecret: filled(0x66) }
    const { encryptedPayload, iv } = proto.EncryptedPairingRequest.decode(
      keys.sealPairingRequest(key, request, filled(0x77, 12)),
    )
    const payload = hex(encryptedPayload ?? new Uint8Array())
    assert.equal(payload.length, 2 * 118)
    assert.deepEqual(
      [payload.slice(0, 16), payload.slice(-16), hex(iv ?? new Uint8Array())],
      ['109d0342acaad136', 'a697cc50d8117073', hex(filled(0x77, 12))],
    )
  })
})

test('the answer of a phone needs a key and a nonce of 32 bytes', () => {
  const encode = (publicKey: Buffer, nonce: Buffer) =>
    proto.PrimaryEphemeralIdentity.encode({ publicKey, nonce }).finish()
  assert.deepEqual(keys.decodePrimaryIdentity(encode(filled(1), filled(2))), {
    publicKey: filled(1),
    nonce: filled(2),
  })
  for (const bytes of [
    encode(filled(1, 33), filled(2)),
    encode(filled(1), filled(2, 31)),
    encode(Buffer.alloc(0), filled(2)),
    Buffer.alloc(0),
    Buffer.from('no message'),
  ])
    assert.equal(keys.decodePrimaryIdentity(bytes), undefined)
})

test('key pairs are fresh, and both sides derive the same key from them', () => {
  const [one, other] = [keys.createEphemeralKeys(), keys.createEphemeralKeys()]
  assert.notDeepEqual(one.public, other.public)
  const context = { deviceType: 1, ref: 'r' }
  assert.deepEqual(
    keys.encryptionKeyOf(one, other.public, context),
    keys.encryptionKeyOf(other, one.public, context),
  )
})
