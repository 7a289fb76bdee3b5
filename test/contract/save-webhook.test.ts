// POST /webhooks
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WEBHOOK_EVENTS } from '../../src/contract/webhooks.ts'
import { startCloudReceiver } from '../support/cloud.ts'
import { contractOnEachEngine } from '../support/gateway.ts'
import { faultPaths, withInstance } from './fixture.ts'

let count = 0
const newUrl = () => `https://example.com/hooks/${(count += 1)}`

contractOnEachEngine('POST /webhooks', (gateway) => {
  const fixture = withInstance(gateway)
  const save = async (body: Record<string, unknown>) => (await fixture()).mine.call('saveWebhook', { body })

  test('200 creates a webhook from a URL alone: all events of all instances, enabled, with a generated secret', async () => {
    const { clock } = await fixture()
    const before = clock.now()
    const url = newUrl()
    const answer = await save({ url })
    assert.equal(answer.status, 200)
    const { webhook } = answer.json
    assert.match(webhook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.ok(Date.parse(webhook.createdAt) >= before)
    assert.deepEqual(webhook, {
      id: webhook.id,
      name: 'example.com',
      url,
      events: ['*'],
      filter: { chats: 'all', from: null, directions: ['outgoing', 'incoming'] },
      history: false,
      batch: false,
      format: 'switchboard',
      enabled: true,
      secret: webhook.secret,
      instance: null,
      previousSecretExpiresAt: null,
      failingSince: null,
      disabledReason: null,
      disabledAt: null,
      createdAt: webhook.createdAt,
      updatedAt: webhook.createdAt,
    })
    assert.notEqual((await save({ url: newUrl() })).json.webhook.secret, webhook.secret)
  })

  test('200 stores every field', async () => {
    const { instance } = await fixture()
    const fields = {
      url: newUrl(),
      name: 'CRM',
      events: ['messages.upsert', 'connection.update'],
      filter: { chats: 'groups', from: ['5511912345678'], directions: ['incoming'] },
      history: true,
      batch: true,
      enabled: false,
      secret: 'my own secret, 16+',
    }
    const { webhook } = (await save({ ...fields, instanceName: instance.name })).json
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(webhook[name], value, name)
    const names = {
      instanceName: 'Support',
      displayName: 'Support',
      apiInstanceName: instance.name,
      internalName: instance.name,
    }
    assert.deepEqual(webhook.instance, names)
  })

  test('200 accepts each event name', async () => {
    for (const event of WEBHOOK_EVENTS)
      assert.deepEqual((await save({ url: newUrl(), events: [event] })).json.webhook.events, [event])
    assert.deepEqual(
      (await save({ url: newUrl(), events: WEBHOOK_EVENTS })).json.webhook.events,
      WEBHOOK_EVENTS,
    )
  })

  test('200 updates given fields, keeps the others, and returns the whole secret', async () => {
    const { clock, instance } = await fixture()
    let known = (await save({ url: newUrl() })).json.webhook
    const changes = {
      name: 'Renamed',
      url: newUrl(),
      events: ['chats.update'],
      filter: { chats: 'people', from: null, directions: ['outgoing'] },
      history: true,
      batch: true,
      enabled: false,
      secret: 'x'.repeat(256),
    }
    for (const [name, value] of Object.entries(changes)) {
      clock.advance(2)
      const answer = await save({ id: known.id, [name]: value })
      assert.equal(answer.status, 200)
      const { webhook } = answer.json
      assert.ok(webhook.updatedAt > known.updatedAt)
      assert.deepEqual(webhook, { ...known, [name]: value, updatedAt: webhook.updatedAt })
      known = webhook
    }
    const scoped = (await save({ id: known.id, instanceName: instance.name })).json.webhook
    assert.equal(scoped.instance.apiInstanceName, instance.name)
    assert.equal(scoped.secret, changes.secret)
  })

  test('200 replaces the whole filter, and null removes it', async () => {
    const open = { chats: 'all', from: null, directions: ['outgoing', 'incoming'] }
    const from = ['+55 (11) 91234-5678', '5521987654321']
    const made = (await save({ url: newUrl(), filter: { from } })).json.webhook
    assert.deepEqual(made.filter, { ...open, from: ['5511912345678', '5521987654321'] })
    const kept = (await save({ id: made.id, name: 'Omitting it changes nothing' })).json.webhook
    assert.deepEqual(kept.filter, made.filter)
    const again = (await save({ id: made.id, filter: kept.filter })).json.webhook
    assert.deepEqual(again.filter, made.filter, 'a filter of an answer can be sent back')
    const replaced = (await save({ id: made.id, filter: { chats: 'groups' } })).json.webhook
    assert.deepEqual(replaced.filter, { ...open, chats: 'groups' })
    assert.deepEqual((await save({ id: made.id, filter: null })).json.webhook.filter, open)
    assert.deepEqual((await save({ url: newUrl(), filter: {} })).json.webhook.filter, open)
  })

  test('400 when a filter is not valid', async () => {
    for (const [filter, path] of [
      [{ chats: 'status' }, 'filter.chats'],
      [{ chats: ['people'] }, 'filter.chats'],
      [{ from: [] }, 'filter.from'],
      [{ from: '5511912345678' }, 'filter.from'],
      [{ from: ['123'] }, 'filter.from.0'],
      [{ from: ['5511912345678', '+5511912345678'] }, 'filter.from'],
      [{ from: Array.from({ length: 101 }, (_, n) => `55119000${1000 + n}`) }, 'filter.from'],
      [{ directions: [] }, 'filter.directions'],
      [{ directions: ['both'] }, 'filter.directions.0'],
      [{ directions: ['incoming', 'incoming'] }, 'filter.directions'],
      [{ senders: ['5511912345678'] }, 'filter.senders'],
      ['people', 'filter'],
    ] as const) {
      const answer = await save({ url: newUrl(), filter })
      assert.deepEqual([answer.status, faultPaths(answer)], [400, [path]], JSON.stringify(filter))
    }
    const answer = await save({ url: newUrl(), history: 'yes' })
    assert.deepEqual([answer.status, faultPaths(answer)], [400, ['history']])
  })

  test('200 with instanceName null covers all instances, on create and on update', async () => {
    const { instance } = await fixture()
    assert.equal((await save({ url: newUrl(), instanceName: null })).json.webhook.instance, null)
    const scoped = (await save({ url: newUrl(), instanceName: instance.name })).json.webhook
    assert.equal(scoped.instance.apiInstanceName, instance.name)
    const kept = await save({ id: scoped.id, name: 'Omitting it changes nothing' })
    assert.equal(kept.json.webhook.instance.apiInstanceName, instance.name)
    const widened = await save({ id: scoped.id, instanceName: null })
    assert.deepEqual([widened.status, widened.json.webhook.instance], [200, null])
  })

  test('409 when a webhook is extended to all instances and another one already has the same URL for all', async () => {
    const { instance } = await fixture()
    const url = newUrl()
    await save({ url })
    const scoped = (await save({ url, instanceName: instance.name })).json.webhook
    const answer = await save({ id: scoped.id, instanceName: null })
    assert.deepEqual([answer.status, answer.json.reason], [409, 'webhook_exists'])
    const found = await (await fixture()).mine.call('getWebhook', { params: { id: scoped.id } })
    assert.equal(found.json.webhook.instance.apiInstanceName, instance.name)
  })

  test('200 stores the secret encrypted', async () => {
    const { store } = await fixture()
    const secret = 'canary-secret-that-must-not-be-stored'
    const { id } = (await save({ url: newUrl(), secret })).json.webhook
    const row = await store.db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.ok(!Buffer.from(row.sealed_secret).includes(secret))
    assert.ok(row.sealed_secret.length > secret.length)
  })

  test('200 with the format cloud after the handshake: messages of people, and the token is sealed', async () => {
    const { store } = await fixture()
    const receiver = await startCloudReceiver('a-token')
    const cloud = { url: `${receiver.namedUrl}?tenant=7`, format: 'cloud', verifyToken: 'a-token' }
    const { webhook } = (await save(cloud)).json
    assert.deepEqual(
      [webhook.format, webhook.filter.chats, webhook.events.length, 'verifyToken' in webhook],
      ['cloud', 'people', 4, false],
    )
    const [query] = receiver.handshakes
    assert.deepEqual([query?.get('hub.mode'), query?.get('tenant')], ['subscribe', '7'])
    const row = await store.db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', webhook.id)
      .executeTakeFirstOrThrow()
    assert.ok(!Buffer.from(row.sealed_options ?? []).includes('a-token'))
    const wanted = { events: ['messages.upsert'], filter: { chats: 'all' } }
    const own = (await save({ ...cloud, url: receiver.namedUrl, ...wanted })).json.webhook
    assert.deepEqual([own.events, own.filter.chats], [['messages.upsert'], 'all'])
    await receiver.close()
  })

  test('200 a change of the URL repeats the handshake, within its origin with the stored token, and another change does not', async () => {
    const [first, second] = [await startCloudReceiver('a-token'), await startCloudReceiver('a-token')]
    const made = await save({ url: first.namedUrl, format: 'cloud', verifyToken: 'a-token' })
    const { id } = made.json.webhook
    assert.equal((await save({ id, name: 'Renamed', enabled: true })).status, 200)
    assert.equal(first.handshakes.length, 1)
    assert.equal((await save({ id, url: `${first.namedUrl}?other` })).status, 200)
    assert.equal(first.handshakes.length, 2)
    const moved = await save({ id, url: second.namedUrl, verifyToken: 'a-token' })
    assert.deepEqual([moved.status, second.handshakes.length], [200, 1])
    const plain = (await save({ id, format: 'switchboard' })).json.webhook
    assert.equal(plain.format, 'switchboard')
    const late = await save({ id, format: 'cloud' })
    assert.deepEqual([late.status, faultPaths(late)], [400, ['verifyToken']])
    assert.equal((await save({ id, format: 'cloud', verifyToken: 'a-token' })).status, 200)
    for (const receiver of [first, second]) await receiver.close()
  })

  test('400 when a webhook of another format is to have batches, or one with batches another format', async () => {
    const { store } = await fixture()
    const receiver = await startCloudReceiver('a-token')
    const cloud = { format: 'cloud', verifyToken: 'a-token' }
    const refused = async (body: Record<string, unknown>) => {
      const answer = await save(body)
      assert.deepEqual([answer.status, faultPaths(answer)], [400, ['batch']], JSON.stringify(body))
    }
    const { id } = (await save({ url: receiver.namedUrl, ...cloud })).json.webhook
    await refused({ id, batch: true })
    for (const format of ['evolution', 'chatwoot']) {
      const made = (await save({ url: newUrl() })).json.webhook
      await store.db.updateTable('webhooks').set({ format }).where('id', '=', made.id).execute()
      await refused({ id: made.id, batch: true })
    }
    const batched = (await save({ url: `${receiver.namedUrl}?batched`, batch: true })).json.webhook
    await refused({ id: batched.id, ...cloud })
    const changed = await save({ id: batched.id, ...cloud, batch: false })
    assert.deepEqual([changed.json.webhook.format, changed.json.webhook.batch], ['cloud', false])
    await receiver.close()
  })

  test('400 webhook_not_verified when the receiver does not answer with the challenge; nothing is stored', async () => {
    const { mine } = await fixture()
    const receiver = await startCloudReceiver('another-token')
    const count = async () => (await mine.call('listWebhooks')).json.count
    const before = await count()
    const refused = await save({ url: receiver.namedUrl, format: 'cloud', verifyToken: 'a-token' })
    assert.deepEqual([refused.status, refused.json.reason], [400, 'webhook_not_verified'])
    assert.match(refused.json.error, /handshake: The host answered 403\.$/)
    assert.deepEqual(faultPaths(refused), ['url'])
    await receiver.close()
    const unreachable = await save({ url: receiver.namedUrl, format: 'cloud', verifyToken: 'a-token' })
    assert.deepEqual([unreachable.status, unreachable.json.reason], [400, 'webhook_not_verified'])
    assert.doesNotMatch(JSON.stringify(unreachable.json), /127\.0\.0\.1|receiver\.test/)
    assert.equal(await count(), before)
  })

  test('400 when a field is out of range', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ url: undefined }, 'url'],
      [{ url: `https://example.com/${'x'.repeat(2048)}` }, 'url'],
      [{ url: 5 }, 'url'],
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(129) }, 'name'],
      [{ name: 'a\r\nb' }, 'name'],
      [{ events: [] }, 'events'],
      [{ events: ['messages.delete'] }, 'events.0'],
      [{ events: ['*', '*'] }, 'events'],
      [{ events: '*' }, 'events'],
      [{ enabled: 'true' }, 'enabled'],
      [{ batch: 'true' }, 'batch'],
      [{ batch: true, format: 'cloud', verifyToken: 'a-token' }, 'batch'],
      [{ secret: 'x'.repeat(15) }, 'secret'],
      [{ secret: 'x'.repeat(257) }, 'secret'],
      [{ secret: 'sixteen\r\ncharacters' }, 'secret'],
      [{ secret: 'sécret of sixteen' }, 'secret'],
      [{ secret: '' }, 'secret'],
      [{ instanceName: '' }, 'instanceName'],
      [{ format: 'evolution' }, 'format'],
      [{ format: 'cloud' }, 'verifyToken'],
      [{ verifyToken: 'x' }, 'verifyToken'],
      [{ format: 'cloud', verifyToken: 'a b' }, 'verifyToken'],
      [{ format: 'cloud', verifyToken: 'x'.repeat(257) }, 'verifyToken'],
      [{ id: 0 }, 'id'],
      [{ id: '1' }, 'id'],
    ]
    for (const [fields, path] of wrong) {
      const answer = await save({ url: 'https://example.com/x', ...fields })
      assert.equal(answer.status, 400, JSON.stringify(fields).slice(0, 100))
      assert.equal(answer.json.reason, 'invalid_request')
      assert.deepEqual(faultPaths(answer), [path])
    }
    assert.equal((await save({ url: newUrl(), secret: 'x'.repeat(16) })).status, 200)
  })

  test('400 url_not_allowed when the URL is not https, on create and update', async () => {
    const { webhook } = (await save({ url: newUrl() })).json
    const wrong = [
      '',
      'http://example.com/a',
      'ftp://example.com',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'example.com',
      '//example.com',
      'https://',
      'https://user:pass@example.com',
      'https://user@example.com',
      'https://example.com:0/',
      'wss://example.com',
    ]
    for (const url of wrong)
      for (const id of [undefined, webhook.id]) {
        const answer = await save({ url, id })
        assert.equal(answer.status, 400, url)
        assert.equal(answer.json.reason, 'url_not_allowed')
        assert.deepEqual(faultPaths(answer), ['url'])
      }
  })

  test('403 when the account has 50 webhooks, also concurrently; updates stay possible', async () => {
    const running = await gateway()
    const account = await running.account()
    const create = () => account.call('saveWebhook', { body: { url: newUrl() } })
    const first = await create()
    for (let count = 0; count < 44; count += 1) await create()
    const answers = await Promise.all(Array.from({ length: 10 }, create))
    assert.equal(answers.filter((answer) => answer.status === 200).length, 5)
    const refused = answers.find((answer) => answer.status === 403)
    const { reason, resource, limit, used } = refused?.json ?? {}
    assert.deepEqual([reason, resource, limit, used], ['limit_reached', 'webhooks', 50, 50])
    const update = { id: first.json.webhook.id, name: 'Still possible' }
    assert.equal((await account.call('saveWebhook', { body: update })).status, 200)
    await account.call('deleteWebhook', { params: { id: first.json.webhook.id } })
    assert.equal((await create()).status, 200)
  })

  test('404 when the webhook or instance does not exist', async () => {
    const noWebhook = await save({ id: 999_999_999, name: 'x' })
    assert.deepEqual([noWebhook.status, noWebhook.json.reason], [404, 'webhook_not_found'])
    const noInstance = await save({ url: newUrl(), instanceName: 'unknown-00000000' })
    assert.deepEqual([noInstance.status, noInstance.json.reason], [404, 'instance_not_found'])
  })

  test('409 when the same instances already have a webhook with the URL', async () => {
    const running = await fixture()
    const url = newUrl()
    const first = (await save({ url })).json.webhook
    const scoped = (await save({ url, instanceName: running.instance.name })).json.webhook
    assert.notEqual(scoped.id, first.id)
    const other = (await save({ url: newUrl() })).json.webhook
    for (const body of [
      { url },
      { url, instanceName: running.instance.name },
      { id: other.id, url },
      { id: first.id, instanceName: running.instance.name },
    ]) {
      const answer = await save(body)
      assert.equal(answer.status, 409)
      assert.equal(answer.json.reason, 'webhook_exists')
    }
    assert.equal((await save({ id: first.id, url })).status, 200, 'its own URL does not conflict')
    const stranger = await running.account()
    assert.equal((await stranger.call('saveWebhook', { body: { url } })).status, 200)
    const twice = newUrl()
    const answers = await Promise.all(Array.from({ length: 5 }, () => save({ url: twice })))
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 409, 409, 409, 409])
  })
})
