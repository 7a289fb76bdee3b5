// GET /webhooks
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, shared, withInstance } from './fixture.ts'

contract('GET /webhooks', (gateway) => {
  const fixture = withInstance(gateway)
  const seeded = shared(async () => {
    const running = await fixture()
    const save = async (body: Record<string, unknown>) =>
      (await running.mine.call('saveWebhook', { body })).json.webhook
    const all = await save({ url: 'https://example.com/all' })
    const one = await save({
      url: 'https://example.com/one',
      instanceName: running.instance.name,
      secret: 'a secret of mine 9f3a',
    })
    return { ...running, all, one }
  })

  test('200 returns webhooks in order of creation, with all but the last 4 characters of secrets masked', async () => {
    const { mine, all, one } = await seeded()
    const answer = await mine.call('listWebhooks')
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, {
      success: true,
      count: 2,
      webhooks: [
        { ...all, secret: `********${all.secret.slice(-4)}` },
        { ...one, secret: '********9f3a' },
      ],
    })
    assert.ok(!answer.bytes.includes(all.secret))
  })

  test('200 returns only webhooks of the instance', async () => {
    const running = await seeded()
    const list = async (instanceName: string) =>
      (await running.mine.call('listWebhooks', { query: { instanceName } })).json.webhooks
    assert.deepEqual(
      (await list(running.instance.name)).map((webhook: { id: number }) => webhook.id),
      [running.one.id],
    )
    const second = await running.openInstance(running.mine)
    assert.deepEqual(await list(second.name), [])
  })

  test('400 when instanceName is not valid', async () => {
    const answer = await (await seeded()).mine.call('listWebhooks', { query: { instanceName: '' } })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance does not exist', async () => {
    const answer = await (await seeded()).mine.call('listWebhooks', {
      query: { instanceName: 'unknown-00000000' },
    })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })
})
