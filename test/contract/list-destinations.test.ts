// GET /destinations, GET /destinations/{id} and DELETE /destinations/{id}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { LOGIN } from './destination-rules.ts'
import { faultPaths, shared, withInstance } from './fixture.ts'

const REDIS = { type: 'redis', url: 'rediss://list.example.com', ...LOGIN }

contract('GET /destinations', (gateway) => {
  const fixture = withInstance(gateway)
  const seeded = shared(async () => {
    const running = await fixture()
    const save = async (body: Record<string, unknown>) =>
      (await running.mine.call('saveDestination', { body })).json.destination
    await running.mine.call('saveWebhook', { body: { url: 'https://example.com/all' } })
    const all = await save(REDIS)
    const one = await save({ ...REDIS, instanceName: running.instance.name })
    return { ...running, all, one }
  })

  test('200 returns destinations in order of creation, without webhooks and passwords', async () => {
    const { mine, all, one } = await seeded()
    const answer = await mine.call('listDestinations')
    assert.deepEqual(answer.json, { success: true, count: 2, destinations: [all, one] })
    assert.ok(!answer.bytes.includes(LOGIN.password))
  })

  test('200 returns only destinations of the instance', async () => {
    const { mine, one, instance } = await seeded()
    const answer = await mine.call('listDestinations', { query: { instanceName: instance.name } })
    assert.deepEqual(answer.json.destinations, [one])
  })

  test('400 when instanceName is not valid', async () => {
    const answer = await (await seeded()).mine.call('listDestinations', { query: { instanceName: '' } })
    assert.deepEqual([answer.status, faultPaths(answer)], [400, ['instanceName']])
  })

  test('404 when the instance does not exist', async () => {
    const query = { instanceName: 'unknown-00000000' }
    const answer = await (await seeded()).mine.call('listDestinations', { query })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })
})

contract('GET /destinations/{id}', (gateway) => {
  const account = shared(async () => (await gateway()).account())

  test('200 returns the destination', async () => {
    const mine = await account()
    const { destination } = (await mine.call('saveDestination', { body: REDIS })).json
    const answer = await mine.call('getDestination', { params: { id: destination.id } })
    assert.deepEqual(answer.json, { success: true, destination })
  })

  test('404 when the id does not exist', async () => {
    const answer = await (await account()).call('getDestination', { params: { id: 999_999_999 } })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'destination_not_found'])
  })
})

contract('DELETE /destinations/{id}', (gateway) => {
  const account = shared(async () => (await gateway()).account())

  test('200 deletes the destination and frees its URL and topic', async () => {
    const mine = await account()
    const save = () => mine.call('saveDestination', { body: REDIS })
    const { id } = (await save()).json.destination
    const answer = await mine.call('deleteDestination', { params: { id } })
    assert.deepEqual(answer.json, { success: true, id })
    assert.equal((await mine.call('listDestinations')).json.count, 0)
    assert.equal((await save()).status, 200)
  })

  test('404 when the id does not exist or is one of a webhook', async () => {
    const mine = await account()
    const hook = (await mine.call('saveWebhook', { body: { url: 'https://example.com/b' } })).json.webhook
    for (const id of [hook.id, 999_999_999]) {
      const answer = await mine.call('deleteDestination', { params: { id } })
      assert.deepEqual([answer.status, answer.json.reason], [404, 'destination_not_found'])
    }
  })
})
