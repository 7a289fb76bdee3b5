// Keys and signatures agree with the JavaScript library that other programs on the network use.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as javascript from 'libsignal-javascript/src/curve.js'
import * as own from './curve.ts'

test('both sides of an agreement have the same secret, in either implementation', () => {
  const [a, b] = [own.generateKeyPair(), javascript.generateKeyPair()]
  const expected = javascript.calculateAgreement(a.pubKey, b.privKey)
  assert.deepEqual(own.calculateAgreement(b.pubKey, a.privKey), expected)
  assert.deepEqual(own.getPublicFromPrivateKey(a.privKey), a.pubKey)
})

test('signatures of one implementation are valid for the other', () => {
  for (let round = 0; round < 12; round += 1) {
    const { pubKey, privKey } = own.generateKeyPair()
    const message = randomBytes(round * 7 + 1)
    assert.ok(javascript.verifySignature(pubKey, message, own.calculateSignature(privKey, message)))
    assert.ok(own.verifySignature(pubKey, message, javascript.calculateSignature(privKey, message)))
  }
})

test('a signature is invalid for another message, another key or with a changed byte', () => {
  const { pubKey, privKey } = own.generateKeyPair()
  const message = randomBytes(40)
  const signature = own.calculateSignature(privKey, message)
  assert.throws(
    () => own.verifySignature(own.generateKeyPair().pubKey, message, signature),
    /Invalid signature/,
  )
  assert.throws(() => own.verifySignature(pubKey, randomBytes(40), signature), /Invalid signature/)
  for (let index = 0; index < signature.length; index += 1) {
    const changed = Buffer.from(signature)
    changed[index]! ^= 4
    assert.throws(() => own.verifySignature(pubKey, message, changed), /Invalid signature/, `byte ${index}`)
  }
  for (const length of [0, 63, 65])
    assert.throws(() => own.verifySignature(pubKey, message, Buffer.alloc(length)), /Invalid signature/)
})

test('keys of a wrong length or type are refused', () => {
  const { pubKey, privKey } = own.generateKeyPair()
  const wrongType = Buffer.from(pubKey)
  wrongType[0] = 4
  assert.throws(() => own.calculateAgreement(wrongType, privKey), /Invalid public key/)
  assert.throws(() => own.calculateAgreement(pubKey.subarray(0, 31), privKey), /Invalid public key/)
  assert.throws(() => own.calculateAgreement(pubKey, privKey.subarray(1)), /Invalid private key/)
  // A point of low order would make the secret a constant.
  assert.throws(() => own.calculateAgreement(Buffer.concat([Buffer.from([5]), Buffer.alloc(32)]), privKey))
})
