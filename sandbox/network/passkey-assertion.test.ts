import assert from 'node:assert/strict'
import { createPrivateKey, sign } from 'node:crypto'
import { test } from 'node:test'
import { createPasskey, type Passkey, sha256, signAssertion } from '../model/passkey.ts'
import { assertionFault } from './passkey-steps.ts'

const CHALLENGE = 'AAECAwQF'

/** Signs again, so that only the changed part is wrong. */
function resigned(passkey: Passkey, change: { client?: object; data?: (bytes: Buffer) => void }) {
  const assertion = signAssertion(passkey, CHALLENGE)
  const { response } = assertion
  const client = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
  const clientData = Buffer.from(JSON.stringify({ ...client, ...change.client }))
  const data = Buffer.from(response.authenticatorData, 'base64url')
  change.data?.(data)
  const key = createPrivateKey({ key: passkey.privateKey, format: 'der', type: 'pkcs8' })
  return {
    ...assertion,
    response: {
      ...response,
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', Buffer.concat([data, sha256(clientData)]), key).toString('base64url'),
    },
  }
}

const faultOf = (passkey: Passkey, assertion: object, credentialId = passkey.credentialId) =>
  assertionFault(passkey, {
    credentialId,
    json: Buffer.from(JSON.stringify(assertion)),
    challenge: CHALLENGE,
  })

test('a valid assertion is accepted once', () => {
  const passkey = createPasskey()
  const assertion = signAssertion(passkey, CHALLENGE)
  assert.equal(faultOf(passkey, assertion), undefined)
  assert.equal(faultOf(passkey, assertion), 'counter')
})

test('each part of an assertion is verified', () => {
  const passkey = createPasskey()
  const whole = signAssertion(passkey, CHALLENGE)
  const faults: [string, object][] = [
    ['rawId', { ...whole, rawId: 'AAAA' }],
    ['type', { ...whole, type: 'password' }],
    ['type', resigned(passkey, { client: { type: 'webauthn.create' } })],
    ['challenge', resigned(passkey, { client: { challenge: 'BBBB' } })],
    ['origin', resigned(passkey, { client: { origin: 'https://web.whatsapp.com.example' } })],
    ['rpIdHash', resigned(passkey, { data: (bytes) => bytes.fill(1, 0, 32) })],
    ['flags', resigned(passkey, { data: (bytes) => bytes.fill(1, 32, 33) })],
    ['flags', resigned(passkey, { data: (bytes) => bytes.fill(4, 32, 33) })],
    ['counter', resigned(passkey, { data: (bytes) => bytes.fill(0, 33) })],
    ['userHandle', { ...whole, response: { ...whole.response, userHandle: 'AAAA' } }],
    ['signature', { ...whole, response: { ...whole.response, signature: 'AAAA' } }],
    ['rawId', {}],
  ]
  for (const [fault, assertion] of faults) assert.equal(faultOf(passkey, assertion), fault)
  assert.equal(faultOf(passkey, whole, Buffer.from('other')), 'credential')
  assert.equal(faultOf(passkey, signAssertion(createPasskey(), CHALLENGE)), 'rawId')
  assert.equal(faultOf(passkey, { ...whole, response: { ...whole.response, userHandle: null } }), undefined)
})
