// The verification methods for receivers – the samples of docs/webhooks.md, the clients, the public library, our own function – on deliveries
// as they arrive.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyDelivery } from '../../src/contract/verify-delivery.ts'
import { engines } from '../support/engines.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { SAMPLES, type Sample, type Trial } from '../support/verification-samples.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
/** Made of a delivery during a rotation, at the moment it came. */
function trialsOf({ body, headers: sent }: Received, secret: string, previous: string): Trial[] {
  const headers: Record<string, string> = {}
  for (const name of ['x-service-timestamp', 'x-service-signature', 'x-service-signature-previous'])
    headers[name] = text(sent[name])
  const signature = text(sent['x-service-signature'])
  const now = Number(headers['x-service-timestamp'])
  const good = { body, headers, secret, now, genuine: true }
  const bad = (name: string, change: Record<string, string>): Trial => ({
    ...good,
    name,
    headers: { ...headers, 'x-service-signature-previous': '', ...change },
    genuine: false,
  })
  return [
    { ...good, name: 'as it came' },
    { ...good, name: 'with the secret before', secret: previous },
    { ...good, name: 'with another secret', secret: 'whsec_of-another-webhook', genuine: false },
    { ...good, name: 'with another body', body: `${body} `, genuine: false },
    bad('with an empty signature', { 'x-service-signature': '' }),
    bad('with a cut signature', { 'x-service-signature': signature.slice(0, 32) }),
    bad('with a longer signature', { 'x-service-signature': `${signature}00` }),
    bad('with letters instead of digits', { 'x-service-signature': 'é'.repeat(64) }),
    bad('with another timestamp', { 'x-service-timestamp': String(now - 1) }),
    bad('without a timestamp', { 'x-service-timestamp': '' }),
    bad('with words for a timestamp', { 'x-service-timestamp': 'now' }),
  ]
}

interface Vector {
  name: string
  secret: string
  previousSecret?: string
  timestamp: number
  body: string | { repeat: string; times: number }
  signature: string
  previousSignature?: string
}

const vectors = JSON.parse(
  readFileSync(new URL('../vectors/signatures.json', import.meta.url), 'utf8'),
) as Vector[]

/** A committed vector, intact and tampered with. */
function trialsOfVector(vector: Vector): Trial[] {
  const { name, secret, previousSecret, timestamp: now, signature, previousSignature } = vector
  const body = typeof vector.body === 'string' ? vector.body : vector.body.repeat.repeat(vector.body.times)
  const headers = {
    'x-service-timestamp': String(now),
    'x-service-signature': signature,
    ...(previousSignature === undefined ? {} : { 'x-service-signature-previous': previousSignature }),
  }
  const trial = (what: string, genuine: boolean, change: Partial<Trial> = {}): Trial => ({
    name: `${name}: ${what}`,
    body,
    headers,
    secret,
    now,
    genuine,
    ...change,
  })
  const signed = (other: string) => ({
    headers: { 'x-service-timestamp': String(now), 'x-service-signature': other },
  })
  const flipped = signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  const underNothing = createHmac('sha256', '').update(`${now}.${body}`).digest('hex')
  return [
    trial('as it is', true),
    ...(previousSecret === undefined ? [] : [trial('the secret before', true, { secret: previousSecret })]),
    trial('five minutes ago', true, { now: now + 300 }),
    trial('a longer body', false, { body: `${body} ` }),
    trial('no signature', false, { headers: { 'x-service-timestamp': String(now) } }),
    trial('an empty signature', false, signed('')),
    trial('a cut signature', false, signed(signature.slice(0, 63))),
    trial('a longer signature', false, signed(`${signature}0`)),
    trial('one digit of the signature changed', false, signed(flipped)),
    trial('capitals', false, signed(signature.toUpperCase())),
    trial('more than five minutes ago', false, { now: now + 301 }),
    trial('more than five minutes ahead', false, { now: now - 301 }),
    trial('a secret that is not set', false, { secret: '', ...signed(underNothing) }),
  ]
}

/** Of this many trials, each the way it must be judged. Returns why it was skipped; with `CI=true` nothing is. */
async function judge({ missing, verdicts }: Sample, trials: Trial[]): Promise<string | undefined> {
  const reason = missing()
  if (reason !== undefined) {
    if (process.env.CI === 'true') assert.fail(reason)
    return reason
  }
  const judged = await verdicts(trials)
  assert.equal(judged.length, trials.length)
  assert.deepEqual(
    trials.filter(({ genuine }, index) => judged[index] !== genuine).map(({ name }) => name),
    [],
    'judged as they should not be',
  )
  return undefined
}

describe('the signature vectors', () => {
  const trials = vectors.flatMap(trialsOfVector)

  test('are judged correctly by our own function, intact and tampered with', async () => {
    for (const { name, genuine, now, ...trial } of trials)
      assert.equal(await verifyDelivery({ ...trial, now: now * 1000 }), genuine, name)
  })

  for (const sample of SAMPLES) {
    test(`are judged correctly by ${sample.name}, intact and tampered with`, async (t) => {
      const reason = await judge(sample, trials)
      if (reason !== undefined) t.skip(reason)
    })
  }
})

const [engine] = engines
describe('a delivery during a rotation', () => {
  let gateway: Gateway
  let delivery: Received
  let trials: Trial[] = []
  const secrets = { first: '', second: '' }
  before(async () => {
    assert.ok(engine)
    gateway = await startGateway(engine)
    const receiver = await startReceiver()
    const account = await gateway.account()
    const { name } = await gateway.openInstance(account)
    const made = await account.call('saveWebhook', { body: { url: receiver.url } })
    const { id, secret } = made.json.webhook
    secrets.first = secret
    const rotated = await account.call('rotateWebhookSecret', { params: { id } })
    secrets.second = rotated.json.webhook.secret
    const message = 'Olá 👋\u2028\u2029 "quoted" \\ é e\u0301 12345678901234567890'
    await account.call('sendText', { body: { instanceName: name, number: '5511912345678', message } })
    delivery = (await receiver.until(1))[0] as Received
    trials = trialsOf(delivery, secrets.second, secrets.first)
    await receiver.close()
  })
  after(() => gateway.stop())

  test('is verified by the public library with either secret, and refused when changed', () => {
    const headers = delivery.headers as Record<string, string>
    for (const secret of [secrets.first, secrets.second])
      assert.deepEqual(new Webhook(secret).verify(delivery.body, headers), delivery.json)
    const other = new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`)
    assert.throws(() => other.verify(delivery.body, headers))
    assert.throws(() => new Webhook(secrets.second).verify(`${delivery.body} `, headers))
  })

  test('is verified by our own function', async () => {
    for (const { name, genuine, now, ...trial } of trials)
      assert.equal(await verifyDelivery({ ...trial, now: now * 1000 }), genuine, name)
  })

  for (const sample of SAMPLES) {
    test(`is verified by ${sample.name}, which refuses what was tampered with`, async (t) => {
      const reason = await judge(sample, trials)
      if (reason !== undefined) t.skip(reason)
    })
  }
})
