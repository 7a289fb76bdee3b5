// Attack 17: a spoofed client address, with and without a trusted proxy.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readSettings, SettingsError } from '../../src/config.ts'
import { engines } from '../support/engines.ts'
import { type Answer, type Gateway, startGateway } from '../support/gateway.ts'

const WRONG_KEYS_A_MINUTE = 20
const [engine] = engines

/** The statuses of `count` calls with a wrong key. The header depends on the number of the call. */
async function guesses(
  { call }: Gateway,
  forwardedFor: (index: number) => string,
  count = WRONG_KEYS_A_MINUTE + 1,
): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) {
    const headers = { 'x-forwarded-for': forwardedFor(index) }
    const answer: Answer = await call('listInstances', { key: `wrong-${index}`, headers })
    statuses.push(answer.status)
  }
  return statuses
}

const REFUSED_AT_LAST = [...Array<number>(WRONG_KEYS_A_MINUTE).fill(401), 429]

describe('a spoofed X-Forwarded-For', () => {
  let gateway: Gateway
  before(async () => {
    assert.ok(engine)
    gateway = await startGateway(engine, { TRUST_PROXY: '127.0.0.2, 10.0.0.0/8' })
    gateway.clock.freeze()
  })
  after(() => gateway.stop())

  test('429 ignores the header from a peer that is not a trusted proxy', async () => {
    const statuses = await guesses(gateway, (index) => `198.51.100.${index}`)
    assert.deepEqual(statuses, REFUSED_AT_LAST)
  })
})

describe('behind a trusted proxy', () => {
  let gateway: Gateway
  before(async () => {
    assert.ok(engine)
    gateway = await startGateway(engine, { TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8' })
    gateway.clock.freeze()
  })
  after(() => gateway.stop())

  test('429 counts wrong keys per client, ignoring addresses that the client adds', async () => {
    const spoofed = await guesses(gateway, (index) => `203.0.113.${index}, 198.51.100.1, 10.0.0.7`)
    assert.deepEqual(spoofed, REFUSED_AT_LAST)
    assert.deepEqual(await guesses(gateway, () => '198.51.100.2', 1), [401])
    assert.deepEqual(await guesses(gateway, () => '::ffff:198.51.100.1', 1), [429])
  })

  test('429 counts invalid headers under the address of the proxy', async () => {
    const statuses = await guesses(gateway, (index) => `198.51.100.${index}, unknown-${index}`)
    assert.deepEqual(statuses, REFUSED_AT_LAST)
  })

  test('200 with a valid key despite the limit on wrong keys', async () => {
    const account = await gateway.account()
    const headers = { 'x-forwarded-for': '198.51.100.1' }
    assert.equal((await account.call('listInstances', { headers })).status, 200)
  })
})

for (const value of ['proxy.example', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0.1,', '10.0.0.1:80']) {
  test(`TRUST_PROXY=${value} is refused at start`, () => {
    assert.throws(
      () => readSettings({ TRUST_PROXY: value }),
      (error: Error) => {
        assert.ok(error instanceof SettingsError)
        assert.match(error.message, /TRUST_PROXY\.\d: expected IP addresses or blocks/)
        return true
      },
    )
  })
}
