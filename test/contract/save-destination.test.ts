// POST /destinations
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { LOGIN } from './destination-rules.ts'
import { faultPaths, withInstance } from './fixture.ts'

let count = 0
const newUrl = () => `amqps://broker-${(count += 1)}.example.com`
const QUEUE = 'https://sqs.eu-central-1.amazonaws.com/123456789012/events'

contract('POST /destinations', (gateway) => {
  const fixture = withInstance(gateway)
  const save = async (body: Record<string, unknown>) =>
    (await fixture()).mine.call('saveDestination', { body })

  test('200 creates a destination from type and URL: all events of all instances, enabled', async () => {
    const answer = await save({ type: 'rabbitmq', url: newUrl() })
    assert.equal(answer.status, 200)
    const { destination } = answer.json
    assert.deepEqual(destination, {
      id: destination.id,
      type: 'rabbitmq',
      name: `broker-${count}.example.com:5671`,
      url: `amqps://broker-${count}.example.com:5671`,
      username: null,
      hasPassword: false,
      topic: 'switchboard.{instance}.{event}',
      exchange: '',
      maxLength: null,
      region: null,
      homeAssistant: false,
      events: ['*'],
      filter: { chats: 'all', from: null, directions: ['outgoing', 'incoming'] },
      history: false,
      enabled: true,
      failingSince: null,
      disabledReason: null,
      disabledAt: null,
      instance: null,
      createdAt: destination.createdAt,
      updatedAt: destination.createdAt,
    })
  })

  test('200 stores the fields of each type, and never returns the password', async () => {
    const { instance } = await fixture()
    const each = [
      {
        type: 'rabbitmq',
        url: 'amqps://a.example.com:5671/crm',
        exchange: 'events',
        topic: 'crm.{event}',
        ...LOGIN,
      },
      { type: 'nats', url: 'tls://b.example.com:4222', topic: 'crm.{instance}.{event}', password: 'a token' },
      { type: 'mqtt', url: 'mqtts://c.example.com:8883', homeAssistant: true, ...LOGIN },
      { type: 'redis', url: 'rediss://d.example.com:6379/3', topic: 'crm:{instance}', maxLength: 5000 },
      { type: 'sqs', url: QUEUE, ...LOGIN },
    ]
    const common = { name: 'CRM', events: ['messages.upsert'], history: true, enabled: false }
    for (const fields of each) {
      const answer = await save({ ...fields, ...common, instanceName: instance.name })
      assert.equal(answer.status, 200, JSON.stringify(answer.json))
      const { password, ...shown } = fields as { password?: string }
      for (const [name, value] of Object.entries({ ...shown, ...common }))
        assert.deepEqual(answer.json.destination[name], value, name)
      assert.equal(answer.json.destination.hasPassword, password !== undefined)
      assert.equal(answer.json.destination.instance.apiInstanceName, instance.name)
      if (password !== undefined) assert.ok(!answer.bytes.includes(password))
    }
  })

  test('200 updates given fields and keeps the others; enabled pauses and resumes', async () => {
    const made = (await save({ type: 'rabbitmq', url: newUrl(), exchange: 'events', ...LOGIN })).json
      .destination
    const changed = (await save({ id: made.id, topic: 'other.{event}' })).json.destination
    assert.deepEqual(changed, { ...made, topic: 'other.{event}', updatedAt: changed.updatedAt })
    const paused = (await save({ id: made.id, enabled: false, type: 'rabbitmq' })).json.destination
    assert.deepEqual(paused, { ...changed, enabled: false, updatedAt: paused.updatedAt })
    assert.equal((await save({ id: made.id, enabled: true })).json.destination.enabled, true)
    const open = (await save({ id: made.id, username: null, password: null })).json.destination
    assert.deepEqual([open.username, open.hasPassword], [null, false])
  })

  test('200 stores several topics of one broker', async () => {
    const url = newUrl()
    for (const topic of ['one', 'two'])
      assert.equal((await save({ type: 'rabbitmq', url, topic })).status, 200)
  })

  test('400 when a field is not valid, or not one of the type', async () => {
    const { id } = (await save({ type: 'redis', url: 'rediss://fields.example.com', ...LOGIN })).json
      .destination
    const rabbit = { type: 'rabbitmq', url: newUrl() }
    const wrong: [Record<string, unknown>, string][] = [
      [{ url: newUrl() }, 'type'],
      [{ type: 'rabbitmq' }, 'url'],
      [{ ...rabbit, type: 'kafka' }, 'type'],
      [{ ...rabbit, topic: 'with space' }, 'topic'],
      [{ ...rabbit, topic: '{number}' }, 'topic'],
      [{ ...rabbit, topic: 'x'.repeat(151) }, 'topic'],
      [{ ...rabbit, exchange: 'with space' }, 'exchange'],
      [{ ...rabbit, region: 'eu-central-1' }, 'region'],
      [{ ...rabbit, username: 'a' }, 'password'],
      [{ ...rabbit, events: [] }, 'events'],
      [{ ...rabbit, secret: 'x'.repeat(20) }, ''],
      [{ ...rabbit, url: 'amqps://a.example.com/one/two' }, 'url'],
      [{ type: 'redis', url: 'rediss://a.example.com', maxLength: 5 }, 'maxLength'],
      [{ type: 'sqs', url: QUEUE }, 'username'],
      [{ type: 'mqtt', url: 'mqtts://a.example.com', homeAssistant: true, topic: 'all' }, 'topic'],
      [{ id, type: 'nats' }, 'type'],
      [{ id, exchange: 'events' }, 'exchange'],
      [{ id, url: 'rediss://elsewhere.example.com' }, 'password'],
    ]
    for (const [body, path] of wrong) {
      const answer = await save(body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.equal(answer.json.reason, 'invalid_request')
      if (path !== '') assert.deepEqual(faultPaths(answer), [path], JSON.stringify(body))
    }
  })

  test('400 url_not_allowed when the URL has credentials, another scheme or a private host', async () => {
    const wrong: [type: string, url: string][] = [
      ['rabbitmq', 'https://example.com'],
      ['rabbitmq', 'amqp://example.com'],
      ['rabbitmq', 'amqps://user:pass@example.com'],
      ['rabbitmq', 'amqps://example.com?heartbeat=1'],
      ['rabbitmq', 'amqps://127.0.0.1'],
      ['rabbitmq', 'amqps://2130706433'],
      ['nats', 'tls://localhost'],
      ['nats', 'tls://[::1]:4222'],
      ['mqtt', 'mqtts://169.254.169.254'],
      ['redis', 'rediss://10.0.0.1'],
      ['redis', 'redis://example.com'],
      ['sqs', 'http://sqs.eu-central-1.amazonaws.com/1/q'],
    ]
    for (const [type, url] of wrong) {
      const answer = await save({ type, url, ...LOGIN })
      assert.deepEqual([answer.status, answer.json.reason], [400, 'url_not_allowed'], url)
      assert.deepEqual(faultPaths(answer), ['url'])
    }
    const named = await save({ type: 'redis', url: 'redis://receiver.test' })
    assert.equal(named.status, 200, 'a host in ALLOW_TARGETS may be used without TLS')
  })

  test('403 when the account has 50 webhooks and destinations', async () => {
    const account = await (await gateway()).account()
    const hook = (path: number) =>
      account.call('saveWebhook', { body: { url: `https://example.com/${path}` } })
    for (let made = 0; made < 49; made += 1) assert.equal((await hook(made)).status, 200)
    const create = () => account.call('saveDestination', { body: { type: 'rabbitmq', url: newUrl() } })
    assert.equal((await create()).status, 200)
    const refused = await create()
    assert.deepEqual([refused.status, refused.json.reason], [403, 'limit_reached'])
    assert.equal((await hook(50)).status, 403)
  })

  test('404 when the destination or instance does not exist, or the id is one of a webhook', async () => {
    const { mine } = await fixture()
    const hook = await mine.call('saveWebhook', { body: { url: 'https://example.com/hook' } })
    for (const id of [999_999_999, hook.json.webhook.id]) {
      const answer = await save({ id, name: 'x' })
      assert.deepEqual([answer.status, answer.json.reason], [404, 'destination_not_found'])
    }
    const noInstance = await save({ type: 'rabbitmq', url: newUrl(), instanceName: 'unknown-00000000' })
    assert.deepEqual([noInstance.status, noInstance.json.reason], [404, 'instance_not_found'])
  })

  test('404 when a call about webhooks names a destination', async () => {
    const { mine } = await fixture()
    const { id } = (await save({ type: 'rabbitmq', url: newUrl() })).json.destination
    const answers = [
      await mine.call('getWebhook', { params: { id } }),
      await mine.call('saveWebhook', { body: { id, name: 'x' } }),
      await mine.call('deleteWebhook', { params: { id } }),
      await mine.call('testWebhook', { params: { id } }),
      await mine.call('listDeliveries', { params: { id } }),
      await mine.call('rotateWebhookSecret', { params: { id }, body: {} }),
    ]
    for (const answer of answers) assert.equal(answer.json.reason, 'webhook_not_found')
    const { webhooks } = (await mine.call('listWebhooks')).json
    assert.ok(!webhooks.some((webhook: { id: number }) => webhook.id === id))
  })

  test('409 when the same instances have a destination with the URL and topic', async () => {
    const url = newUrl()
    const first = (await save({ type: 'rabbitmq', url, topic: 'one' })).json.destination
    const other = (await save({ type: 'rabbitmq', url, topic: 'two' })).json.destination
    for (const body of [
      { type: 'rabbitmq', url, topic: 'one' },
      { id: other.id, topic: 'one' },
    ]) {
      const answer = await save(body)
      assert.deepEqual([answer.status, answer.json.reason], [409, 'destination_exists'])
    }
    assert.equal((await save({ id: first.id, topic: 'one' })).status, 200)
  })
})
