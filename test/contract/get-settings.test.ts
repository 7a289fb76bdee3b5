// GET /instance/settings
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, withInstance } from './fixture.ts'
import { sampleCalls, UNKNOWN } from './sample-calls.ts'
import { DEFAULTS } from './settings-rules.ts'

contract('GET /instance/settings', (gateway) => {
  const fixture = withInstance(gateway)

  test('200 returns the defaults, also of an instance that is not connected', async () => {
    const { mine, instance, sessions } = await fixture()
    await sessions.move(instance.id, 'connection_lost')
    const answer = await mine.call('getSettings', { query: { instanceName: instance.name } })
    assert.deepEqual([answer.status, answer.json.settings], [200, DEFAULTS])
  })

  test('400 when the instance is missing', async () => {
    const { mine } = await fixture()
    const answer = await mine.call('getSettings')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance does not exist, or belongs to another account', async () => {
    const { mine, account, openInstance } = await fixture()
    const other = await openInstance(await account())
    for (const instance of [UNKNOWN.instance, other.name]) {
      const answer = await mine.call('getSettings', sampleCalls.getSettings({ ...UNKNOWN, instance }))
      assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
    }
  })
})
