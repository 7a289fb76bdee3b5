// The vectors were made with another program. The gateway's signatures, its verification and the public library must agree.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyDelivery } from '../contract/verify-delivery.ts'
import { deliveryHeaders } from './post-event.ts'

interface Vector {
  name: string
  secret: string
  previousSecret?: string
  id: string
  timestamp: number
  /** The body itself, or a text to repeat. */
  body: string | { repeat: string; times: number }
  signature: string
  previousSignature?: string
  standardSignature: string
}

const file = new URL('../../test/vectors/signatures.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[]
const bodyOf = ({ body }: Vector): string =>
  typeof body === 'string' ? body : body.repeat.repeat(body.times)
const headersOf = (vector: Vector) =>
  deliveryHeaders(
    {
      id: vector.id,
      event: 'messages.upsert',
      webhookId: 3,
      timestamp: vector.timestamp,
      body: bodyOf(vector),
    },
    { current: vector.secret, previous: vector.previousSecret ?? null },
  )

describe('signatures', () => {
  test('all twenty vectors are tested', () => assert.equal(vectors.length, 20))

  for (const vector of vectors) {
    test(`match the vector and verify: ${vector.name}`, async () => {
      const headers = headersOf(vector)
      assert.equal(headers['X-Service-Signature'], vector.signature)
      assert.equal(headers['X-Service-Signature-Previous'], vector.previousSignature)
      assert.equal(headers['webhook-signature'], vector.standardSignature)
      const body = bodyOf(vector)
      const now = vector.timestamp * 1000
      for (const secret of [vector.secret, vector.previousSecret ?? vector.secret]) {
        const delivery = { headers: new Headers(headers), secret, now }
        assert.equal(await verifyDelivery({ ...delivery, body }), true)
        assert.equal(await verifyDelivery({ ...delivery, body: Buffer.from(body) }), true)
        assert.equal(await verifyDelivery({ ...delivery, body: `${body} ` }), false)
      }
    })
  }

  test('of Standard Webhooks match the public library, for every form of secret', () => {
    for (const vector of vectors) {
      const at = new Date(vector.timestamp * 1000)
      const signatures = [vector.secret, vector.previousSecret].flatMap((secret) => {
        if (secret === undefined) return []
        const isEncoded = /^whsec_[A-Za-z0-9+/]+=*$/.test(secret)
        const library = isEncoded ? new Webhook(secret) : new Webhook(secret, { format: 'raw' })
        return [library.sign(vector.id, at, bodyOf(vector))]
      })
      assert.equal(headersOf(vector)['webhook-signature'], signatures.join(' '), vector.name)
    }
  })
})
