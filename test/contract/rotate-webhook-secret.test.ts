import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { lockWebhook } from '../../src/store/locks.ts'
import { contractOnEachEngine } from '../support/gateway.ts'
import type { Received } from '../support/receiver.ts'
import { atOnce } from './fixture.ts'
import { prepareHooks } from './webhook-rules.ts'

const HOUR_MS = 60 * 60 * 1000
const signatureOf = ({ headers, body }: Received, secret: string): string =>
  createHmac('sha256', secret)
    .update(`${String(headers['x-service-timestamp'])}.${body}`)
    .digest('hex')

contractOnEachEngine('POST /webhooks/{id}/rotate-secret', (gateway) => {
  const prepared = prepareHooks(gateway)

  test('200 signs with both secrets during the overlap, then only with the new one', async () => {
    const { mine, id, secret, receiver, happen, clock } = await prepared()
    const answer = await mine.call('rotateWebhookSecret', { params: { id }, body: { overlapHours: 1 } })
    const { secret: next, previousSecretExpiresAt } = answer.json.webhook
    assert.match(next, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.notEqual(next, secret)
    const leftMs = Date.parse(previousSecretExpiresAt) - clock.now()
    assert.ok(leftMs > HOUR_MS - 60_000 && leftMs <= HOUR_MS)
    await happen()
    const [during] = await receiver.until(1)
    assert.ok(during)
    assert.equal(during.headers['x-service-signature'], signatureOf(during, next))
    assert.equal(during.headers['x-service-signature-previous'], signatureOf(during, secret))
    assert.match(String(during.headers['webhook-signature']), /^v1,\S{44} v1,\S{44}$/)
    clock.advance(HOUR_MS)
    await happen()
    const [, later] = await receiver.until(2)
    assert.ok(later)
    assert.equal(later.headers['x-service-signature'], signatureOf(later, next))
    assert.equal(later.headers['x-service-signature-previous'], undefined)
    assert.match(String(later.headers['webhook-signature']), /^v1,\S{44}$/)
    const { webhook } = (await mine.call('getWebhook', { params: { id } })).json
    assert.equal(webhook.previousSecretExpiresAt, null)
    assert.equal(webhook.secret, `********${String(next).slice(-4)}`)
  })

  test('200 stops signing with the old secret without an overlap, or when a secret is given', async () => {
    const { mine, id, receiver, happen } = await prepared()
    const rotate = (overlapHours: number) =>
      mine.call('rotateWebhookSecret', { params: { id }, body: { overlapHours } })
    assert.equal((await rotate(0)).json.webhook.previousSecretExpiresAt, null)
    await rotate(168)
    const secret = 'a secret of our own'
    const saved = await mine.call('saveWebhook', { body: { id, secret } })
    assert.equal(saved.json.webhook.previousSecretExpiresAt, null)
    await happen()
    const [got] = await receiver.until(1)
    assert.ok(got)
    assert.equal(got.headers['x-service-signature'], signatureOf(got, secret))
    assert.equal(got.headers['x-service-signature-previous'], undefined)
  })

  test('200 uses 24 hours by default, and needs no body', async () => {
    const { mine, id, clock } = await prepared()
    const answer = await mine.call('rotateWebhookSecret', { params: { id } })
    const hours = (Date.parse(answer.json.webhook.previousSecretExpiresAt) - clock.now()) / HOUR_MS
    assert.ok(hours > 23.9 && hours <= 24, `${hours} h`)
  })

  test('400 when overlapHours is out of range or not a number', async () => {
    const { mine, id } = await prepared()
    for (const overlapHours of [-1, 169, 1.5, '1'])
      assert.equal(
        (await mine.call('rotateWebhookSecret', { params: { id }, body: { overlapHours } })).status,
        400,
      )
  })

  test('409 for all but one of several concurrent rotations; the previous secret still signs', async () => {
    const running = await gateway()
    const { mine, id, secret, receiver, happen } = await prepared()
    const rotate = () => mine.call('rotateWebhookSecret', { params: { id } })
    const answers = await atOnce(running, (tx) => lockWebhook(tx, id), [rotate, rotate, rotate])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
    const [won, ...others] = answers.sort((a, b) => a.status - b.status)
    for (const { json } of others) assert.equal(json.reason, 'rotated_meanwhile')
    await happen()
    const [got] = await receiver.until(1)
    assert.ok(got)
    assert.equal(got.headers['x-service-signature'], signatureOf(got, won?.json.webhook.secret))
    assert.equal(got.headers['x-service-signature-previous'], signatureOf(got, secret))
  })

  test('404 when the webhook does not exist', async () => {
    const { mine } = await prepared()
    const answer = await mine.call('rotateWebhookSecret', { params: { id: 999_999 } })
    assert.equal(answer.json.reason, 'webhook_not_found')
  })
})
