// What receivers verify with – the samples of the README, the public library, our own function – on deliveries as they arrive.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { verifyDelivery } from '../../src/contract/verify-delivery.ts'
import { engines, temporaryDirectory } from '../support/engines.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { type Received, startReceiver } from '../support/receiver.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const sampleOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ??
  assert.fail(`no sample in ${language}`)

/** What a verifier must say of a delivery, and of what somebody made of it. */
interface Trial {
  name: string
  body: string
  headers: Record<string, string>
  secret: string
  genuine: boolean
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
function trialsOf({ body, headers: sent }: Received, secret: string, previous: string): Trial[] {
  const headers: Record<string, string> = {}
  for (const name of ['x-service-timestamp', 'x-service-signature', 'x-service-signature-previous'])
    headers[name] = text(sent[name])
  const signature = text(sent['x-service-signature'])
  const bad = (name: string, change: Record<string, string>): Trial => ({
    name,
    body,
    headers: { ...headers, 'x-service-signature-previous': '', ...change },
    secret,
    genuine: false,
  })
  const old = String(Number(headers['x-service-timestamp']) - 1000)
  return [
    { name: 'as it came', body, headers, secret, genuine: true },
    { name: 'with the secret before', body, headers, secret: previous, genuine: true },
    { name: 'with another secret', body, headers, secret: 'whsec_of-somebody-else', genuine: false },
    { name: 'with another body', body: `${body} `, headers, secret, genuine: false },
    bad('with an empty signature', { 'x-service-signature': '' }),
    bad('with a cut signature', { 'x-service-signature': signature.slice(0, 32) }),
    bad('with a longer signature', { 'x-service-signature': `${signature}00` }),
    bad('with letters that are no digits', { 'x-service-signature': 'é'.repeat(64) }),
    bad('with an old timestamp', { 'x-service-timestamp': old }),
    bad('without a timestamp', { 'x-service-timestamp': '' }),
    bad('with words for a timestamp', { 'x-service-timestamp': 'now' }),
  ]
}

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

  test('is verified by the public library as it is, with either secret, and refused when changed', () => {
    const headers = delivery.headers as Record<string, string>
    for (const secret of [secrets.first, secrets.second])
      assert.deepEqual(new Webhook(secret).verify(delivery.body, headers), delivery.json)
    const other = new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`)
    assert.throws(() => other.verify(delivery.body, headers))
    assert.throws(() => new Webhook(secrets.second).verify(`${delivery.body} `, headers))
  })

  test('is verified by our own function', async () => {
    for (const { name, genuine, ...trial } of trials) assert.equal(await verifyDelivery(trial), genuine, name)
  })

  test('is verified by the sample for Node, which refuses what was tampered with', async () => {
    const file = join(await temporaryDirectory(), 'sample.mjs')
    await writeFile(file, sampleOf('js'))
    const { isGenuine } = (await import(pathToFileURL(file).href)) as {
      isGenuine(body: string, headers: object, secret: string): boolean
    }
    for (const { name, body, headers, secret, genuine } of trials)
      assert.equal(isGenuine(body, headers, secret), genuine, name)
  })

  test('is verified by the sample for Python, which refuses what was tampered with', (t) => {
    if (spawnSync('python3', ['--version']).status !== 0) return t.skip('there is no python3 here')
    const program = `${sampleOf('python')}
import json, sys

class Headers(dict):
    def get(self, name, default=None):
        return super().get(name.lower(), default)

print(json.dumps([
    is_genuine(trial["body"].encode(), Headers(trial["headers"]), trial["secret"])
    for trial in json.load(sys.stdin)
]))`
    const run = spawnSync('python3', ['-c', program], { input: JSON.stringify(trials), encoding: 'utf8' })
    assert.equal(run.status, 0, run.stderr)
    assert.deepEqual(
      JSON.parse(run.stdout),
      trials.map(({ genuine }) => genuine),
    )
    return undefined
  })
})
