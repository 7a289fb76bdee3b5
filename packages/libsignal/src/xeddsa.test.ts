// Signatures and agreements against published values, and against three independent implementations of verification.
import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { describe, test } from 'node:test'
import * as javascript from 'libsignal-javascript/src/curve.js'
import * as wasm from 'whatsapp-rust-bridge-wasm'
import { calculateAgreement, calculateSignature, getPublicFromPrivateKey, verifySignature } from './curve.ts'
import { sign, signingKeyOf } from './xeddsa.ts'

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
const publicKey = (hex: string): Buffer => bytes(`05${hex}`)

describe('published values', () => {
  test('agreements of RFC 7748, sections 5.2 and 6.1', () => {
    const scalar = bytes('a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4')
    const point = publicKey('e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c')
    const product = 'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552'
    assert.equal(calculateAgreement(point, scalar).toString('hex'), product)
    const bob = bytes('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb')
    const alicePublic = publicKey('8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a')
    const bobPublic = 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f'
    const shared = '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742'
    assert.equal(getPublicFromPrivateKey(bob).toString('hex'), `05${bobPublic}`)
    assert.equal(calculateAgreement(alicePublic, bob).toString('hex'), shared)
  })

  test('the signature in the tests of the official library', () => {
    const secret = bytes('c097248412e58bf05df487968205132794178e367637f5818f81e0e6ce73e865')
    const key = publicKey('ab7e717d4a163b7d9a1d8071dfe9dcf8cdcd1cea3339b6356be84d887e322c64')
    const message = publicKey('edce9d9c415ca78cb7252e72c2c4a554d3eb29485a0e1d503118d1a82d99fb4a')
    const signature = bytes(
      '5de88ca9a89b4a115da79109c67c9c7464a3e4180274f1cb8c63c2984e286dfb' +
        'ede82deb9dcd9fae0bfbb821569b3d9001bd8130cd11d486cef047bd60b86e88',
    )
    assert.deepEqual(getPublicFromPrivateKey(secret), key)
    assert.ok(verifySignature(key, message, signature))
    for (let index = 0; index < signature.length; index += 1) {
      const changed = Buffer.from(signature)
      changed[index]! ^= 1
      assert.throws(() => verifySignature(key, message, changed), /Invalid signature/, `byte ${index}`)
    }
    assert.ok(verifySignature(key, message, calculateSignature(secret, message)))
  })

  // The secret scalar of an Ed25519 key is a Curve25519 key with the same point, so the signatures must be valid Ed25519 signatures.
  for (const [seed, point] of [
    [
      '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    ],
    [
      '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    ],
    [
      'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    ],
  ] as const)
    test(`the key ${point.slice(0, 8)} of RFC 8032, section 7.1`, () => {
      const secret = createHash('sha512').update(bytes(seed)).digest().subarray(0, 32)
      assert.equal(signingKeyOf(secret).point.toString('hex'), point)
      const message = bytes('af82')
      const signature = calculateSignature(secret, message)
      signature[63]! &= 0x7f
      const key = createPublicKey({
        key: Buffer.concat([bytes('302a300506032b6570032100'), bytes(point)]),
        format: 'der',
        type: 'spki',
      })
      assert.ok(verify(null, message, key, signature))
    })
})

describe('signatures with given random bytes', () => {
  const secrets = ['00', '01', '7f', '80', 'ff'].map((byte) => Buffer.alloc(32, Number.parseInt(byte, 16)))
  for (const secret of secrets)
    test(`of the key ${secret.toString('hex').slice(0, 2)}… are valid for all implementations`, () => {
      const key = getPublicFromPrivateKey(secret)
      const message = Buffer.from('message')
      // Both signs of the nonce occur.
      for (let random = 0; random < 4; random += 1) {
        const signature = sign(signingKeyOf(secret), message, Buffer.alloc(64, random))
        assert.deepEqual(sign(signingKeyOf(secret), message, Buffer.alloc(64, random)), signature)
        assert.ok(verifySignature(key, message, signature))
        assert.ok(javascript.verifySignature(key, message, signature))
        assert.ok(wasm.verifySignature(key, message, signature))
      }
      assert.ok(verifySignature(key, message, Buffer.from(wasm.calculateSignature(secret, message))))
    })

  test('other random bytes make another signature', () => {
    const key = signingKeyOf(Buffer.alloc(32, 3))
    const [one, other] = [1, 2].map((random) => sign(key, Buffer.alloc(1), Buffer.alloc(64, random)))
    assert.notDeepEqual(one, other)
  })
})
