import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { verifyDelivery } from './verify-delivery.ts'

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const NOW = 1_767_268_800_000
const body = '{"event":"messages.upsert"}'
const sign = (secret: string, seconds: number | string = NOW / 1000): string =>
  createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
const headers = (change: Record<string, string | string[] | undefined> = {}) => ({
  'x-service-timestamp': String(NOW / 1000),
  'x-service-signature': sign(SECRET),
  ...change,
})
const verify = (change: Record<string, string | string[] | undefined> = {}, secret = SECRET) =>
  verifyDelivery({ headers: headers(change), body, secret, now: NOW })

describe('verifying a delivery', () => {
  test('accepts a valid signature, with Headers or plain headers', async () => {
    assert.equal(await verify(), true)
    assert.equal(
      await verifyDelivery({ headers: new Headers(headers()), body, secret: SECRET, now: NOW }),
      true,
    )
  })

  test('accepts the previous signature with the previous secret', async () => {
    const old = 'the secret before this one'
    const rotated = { 'x-service-signature': sign(SECRET), 'x-service-signature-previous': sign(old) }
    assert.equal(await verify(rotated, old), true)
    assert.equal(await verify(rotated), true)
    assert.equal(await verify(rotated, 'yet another secret'), false)
  })

  test('refuses a signature that is empty, truncated, too long, upper-case, repeated or of another body', async () => {
    const good = sign(SECRET)
    for (const signature of [
      '',
      undefined,
      good.slice(0, 63),
      good.slice(0, 32),
      `${good}0`,
      `${good}${good}`,
      ` ${good}`,
      good.toUpperCase(),
      good.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      good.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      [good, good],
    ])
      assert.equal(await verify({ 'x-service-signature': signature }), false, String(signature))
    const other = { headers: headers(), secret: SECRET, now: NOW }
    assert.equal(await verifyDelivery({ ...other, body: `${body}\n` }), false)
    assert.equal(await verifyDelivery({ ...other, body: '' }), false)
  })

  test('refuses a timestamp that is missing, not a number, or more than five minutes off', async () => {
    const at = (seconds: number | string | undefined) =>
      verify({
        'x-service-timestamp': seconds === undefined ? undefined : String(seconds),
        'x-service-signature': sign(SECRET, seconds ?? ''),
      })
    const seconds = NOW / 1000
    assert.equal(await at(seconds - 300), true)
    assert.equal(await at(seconds + 300), true)
    assert.equal(await at(seconds - 301), false)
    assert.equal(await at(seconds + 301), false)
    for (const invalid of [undefined, '', 'now', '1e9', `${seconds}.0`, '-1', 'NaN'])
      assert.equal(await at(invalid), false, String(invalid))
  })

  test('refuses everything with an empty secret', async () => {
    assert.equal(await verify({}, ''), false)
  })
})
