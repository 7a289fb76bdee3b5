// Expiry of a key, and the time of its last use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { contract, startGateway } from '../support/gateway.ts'

contract('lifetime of a key', (gateway) => {
  test('401 when the key has expired, also while it is in use', async () => {
    const { account, clock } = await gateway()
    const mine = await account()
    const expiresAt = new Date(clock.now() + 3_600_000).toISOString()
    const made = await mine.call('createApiKey', { body: { name: 'Short', expiresAt } })
    const use = () => mine.call('listInstances', { key: made.json.key })
    assert.equal((await use()).status, 200)
    clock.advance(3_540_000)
    assert.equal((await use()).status, 200)
    clock.advance(61_000)
    assert.equal((await use()).status, 401)
  })

  test('401 when one character of the key is changed', async () => {
    const { account, clock } = await gateway()
    const mine = await account()
    const changed = mine.key.slice(0, -1) + (mine.key.endsWith('0') ? '1' : '0')
    for (const key of [changed, mine.key.toLowerCase(), mine.key.slice(0, -1), `${mine.key}0`]) {
      clock.advance(3000)
      assert.equal((await mine.call('listInstances', { key })).status, 401)
    }
  })
})

for (const engine of behaviourEngines()) {
  test(`the time of the last use of a key survives a restart, on ${engine.name}`, async () => {
    const storeLocation = await engine.createLocation()
    const first = await startGateway(engine, {}, {}, storeLocation)
    const mine = await first.account()
    const made = await mine.call('createApiKey', { body: { name: 'Unused' } })
    const before = first.clock.now()
    await mine.call('listInstances')
    await first.app.stop()
    const second = await startGateway(engine, {}, {}, storeLocation)
    try {
      const { apiKeys } = (await second.call('listApiKeys', { key: mine.key })).json
      const [used, unused] = apiKeys
      assert.ok(Date.parse(used.lastUsedAt) >= before, used.lastUsedAt)
      assert.equal(unused.id, made.json.apiKey.id)
      assert.equal(unused.lastUsedAt, null)
    } finally {
      await second.stop()
    }
  })
}
