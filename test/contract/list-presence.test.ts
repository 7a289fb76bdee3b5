// GET /people/presence
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, withInstance } from './fixture.ts'
import { sampleCalls, UNKNOWN } from './sample-calls.ts'

contract('GET /people/presence', (gateway) => {
  const fixture = withInstance(gateway)

  test('200 lists the followed people, also while the instance is not connected', async () => {
    const { mine, instance, sessions } = await fixture()
    const query = { instanceName: instance.name }
    assert.deepEqual((await mine.call('listPresence', { query })).json.subscriptions, [])
    await mine.call(
      'subscribePresence',
      sampleCalls.subscribePresence({ ...UNKNOWN, instance: instance.name }),
    )
    await sessions.move(instance.id, 'connection_lost')
    const answer = await mine.call('listPresence', { query })
    assert.deepEqual([answer.status, answer.json.count], [200, 1])
    assert.equal(answer.json.subscriptions[0].phone, '5511912345678')
  })

  test('400 when the instance is missing', async () => {
    const { mine } = await fixture()
    const answer = await mine.call('listPresence')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance does not exist', async () => {
    const { mine } = await fixture()
    const answer = await mine.call('listPresence', sampleCalls.listPresence(UNKNOWN))
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })
})
