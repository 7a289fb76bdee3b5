import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { prepareHooks } from './webhook-rules.ts'

contract('POST /webhooks/{id}/replay', (gateway) => {
  const prepared = prepareHooks(gateway)

  test('200 sends delivered, failed and missed events again, in order, each with its id', async () => {
    const { mine, id, receiver, happen, clock, deliveryLike } = await prepared({
      events: ['messages.upsert'],
    })
    await happen('before')
    await receiver.until(1)
    clock.advance(1000)
    const since = new Date(clock.now()).toISOString()
    await happen('delivered')
    await receiver.until(2)
    receiver.answer = (response) => void response.writeHead(500, { 'Retry-After': '3600' }).end()
    await happen('failed')
    await deliveryLike((each) => each.status === 'retrying')
    await mine.call('saveWebhook', { body: { id, enabled: false } })
    await happen('missed')
    receiver.answer = (response) => void response.end()
    const seen = receiver.received.length
    const answer = await mine.call('replayWebhook', { params: { id }, body: { since } })
    assert.deepEqual([answer.json.queued, answer.json.complete], [3, true])
    assert.ok(Date.parse(answer.json.until) >= Date.parse(since))
    await mine.call('saveWebhook', { body: { id, enabled: true } })
    const got = (await receiver.until(seen + 3)).slice(seen)
    assert.deepEqual(
      got.map(({ json }) => json.data.text),
      ['delivered', 'failed', 'missed'],
    )
    const earlier = receiver.received.find(({ json }) => json.data.text === 'delivered')
    assert.equal(got[0]?.headers['webhook-id'], earlier?.headers['webhook-id'])
  })

  test('200 sends only events that pass the filter', async () => {
    const { mine, id, receiver, happen, clock } = await prepared({ events: ['messages.upsert'] })
    const since = new Date(clock.now()).toISOString()
    await happen('before the filter')
    await receiver.until(1)
    await mine.call('saveWebhook', { body: { id, filter: { directions: ['incoming'] } } })
    await happen('filtered')
    const none = await mine.call('replayWebhook', { params: { id }, body: { since } })
    assert.equal(none.json.queued, 0)
    await mine.call('saveWebhook', { body: { id, filter: { directions: ['outgoing'] } } })
    const both = await mine.call('replayWebhook', { params: { id }, body: { since } })
    assert.equal(both.json.queued, 2)
    const texts = (await receiver.until(3)).map(({ json }) => json.data.text)
    assert.deepEqual(texts, ['before the filter', 'before the filter', 'filtered'])
  })

  test('200 returns 0 when there are no events since then', async () => {
    const { mine, id } = await prepared()
    const answer = await mine.call('replayWebhook', {
      params: { id },
      body: { since: '2099-01-01T00:00:00.000Z' },
    })
    assert.deepEqual([answer.json.queued, answer.json.complete, answer.json.until], [0, true, null])
  })

  test('400 when since is missing or not a time', async () => {
    const { mine, id } = await prepared()
    for (const body of [{}, { since: 'yesterday' }, { since: 5 }])
      assert.equal((await mine.call('replayWebhook', { params: { id }, body })).status, 400)
  })

  test('404 when the webhook does not exist', async () => {
    const { mine } = await prepared()
    const body = { since: '2026-01-31T12:00:00.000Z' }
    const answer = await mine.call('replayWebhook', { params: { id: 999_999 }, body })
    assert.equal(answer.json.reason, 'webhook_not_found')
  })
})
