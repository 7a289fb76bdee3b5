import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Curve, proto } from 'baileys'
import { createCertificates } from './certificates.ts'
import { isSignedBy } from './signatures.ts'

test('a signature is valid only for its key and its message', () => {
  for (let round = 0; round < 8; round++) {
    const pair = Curve.generateKeyPair()
    const message = randomBytes(40 + round)
    const signature = Buffer.from(Curve.sign(pair.private, message))
    assert.ok(isSignedBy(pair.public, message, signature))
    assert.ok(isSignedBy(Buffer.concat([Buffer.from([5]), pair.public]), message, signature))
    assert.equal(isSignedBy(Curve.generateKeyPair().public, message, signature), false)
    assert.equal(isSignedBy(pair.public, randomBytes(message.length), signature), false)
    const bit = (round * 67) % 512
    const changed = Buffer.from(signature)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.equal(isSignedBy(pair.public, message, changed), false, `bit ${bit}`)
  }
  assert.equal(isSignedBy(randomBytes(32), randomBytes(9), randomBytes(64)), false)
  assert.equal(isSignedBy(randomBytes(31), randomBytes(9), randomBytes(64)), false)
  assert.equal(isSignedBy(randomBytes(32), randomBytes(9), randomBytes(63)), false)
})

test('the certificate chain is signed from the root down to the key of the handshake', () => {
  const { chain, rootPublicKey, serverKey } = createCertificates(Date.now())
  const { intermediate, leaf } = proto.CertChain.decode(chain)
  const details = proto.CertChain.NoiseCertificate.Details
  const intermediateKey = details.decode(intermediate?.details ?? new Uint8Array()).key ?? new Uint8Array()
  const empty = new Uint8Array()
  assert.ok(isSignedBy(rootPublicKey, intermediate?.details ?? empty, intermediate?.signature ?? empty))
  assert.ok(isSignedBy(intermediateKey, leaf?.details ?? empty, leaf?.signature ?? empty))
  assert.deepEqual(
    Buffer.from(details.decode(leaf?.details ?? empty).key ?? empty),
    Buffer.from(serverKey.public),
  )
})
