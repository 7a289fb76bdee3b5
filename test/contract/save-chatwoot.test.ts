// PUT /chatwoot/{instanceName}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCloudReceiver } from '../support/cloud.ts'
import { contractOnEachEngine } from '../support/gateway.ts'
import { withChatwoot } from './chatwoot-fixture.ts'
import { faultPaths } from './fixture.ts'

contractOnEachEngine('PUT /chatwoot/{instanceName}', (gateway) => {
  const fixture = withChatwoot(gateway)
  const save = async (instanceName: string, body: object) =>
    (await fixture()).mine.call('saveChatwoot', { params: { instanceName }, body })

  test('200 creates the inbox and shows the connection without its secrets', async () => {
    const { chatwoot, valid, instance } = await fixture()
    const answer = await save(instance.name, { ...valid, inboxName: 'Sales' })
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
    const { bridge } = answer.json
    const inbox = chatwoot.inboxes.find(({ name }) => name === 'Sales')
    assert.deepEqual(bridge, {
      instance: bridge.instance,
      webhookId: bridge.webhookId,
      url: valid.url,
      accountId: valid.accountId,
      inboxId: inbox?.id,
      inboxName: 'Sales',
      enabled: true,
      isSigned: true,
      gatewayUrl: valid.gatewayUrl,
      signAgentNames: false,
      ignoreGroups: false,
      reopenConversation: true,
      conversationPending: false,
      failingSince: null,
      updatedAt: bridge.updatedAt,
    })
    assert.equal(inbox?.lock_to_single_conversation, true)
    assert.ok(inbox.webhook_url.startsWith(`${valid.gatewayUrl}/chatwoot/hooks/${instance.id}-`))
    for (const secret of [valid.token, inbox.secret]) assert.ok(!JSON.stringify(bridge).includes(secret))
  })

  test('200 changes the connection, keeps token and inbox, and an omitted setting gets its default', async () => {
    const { chatwoot, valid, another } = await fixture()
    const name = await another()
    const first = (await save(name, { ...valid, inboxName: 'Again', signAgentNames: true })).json.bridge
    const { token: _, ...withoutToken } = valid
    const later = (await save(name, { ...withoutToken, inboxName: 'Again', reopenConversation: false })).json
      .bridge
    assert.equal(later.webhookId, first.webhookId)
    assert.equal(later.inboxId, first.inboxId)
    assert.deepEqual([later.signAgentNames, later.reopenConversation], [false, false])
    const inboxes = chatwoot.inboxes.filter((inbox) => inbox.name === 'Again')
    assert.deepEqual(
      inboxes.map((inbox) => inbox.lock_to_single_conversation),
      [false],
    )
  })

  test('200 two instances with the same name get an inbox each', async () => {
    const { valid, another } = await fixture()
    const bridges = [await another(), await another()].map((name) => save(name, valid))
    const [one, two] = (await Promise.all(bridges)).map(({ json }) => json.bridge)
    assert.equal(one.inboxName, two.inboxName)
    assert.notEqual(one.inboxId, two.inboxId)
  })

  test('200 a Chatwoot that does not sign is connected by the secret path alone', async () => {
    const { chatwoot, valid, another } = await fixture()
    chatwoot.signs = false
    const answer = await save(await another(), { ...valid, inboxName: 'Unsigned' })
    chatwoot.signs = true
    assert.equal(answer.json.bridge.isSigned, false)
  })

  test('400 when a field is missing or not valid', async () => {
    const { valid, another } = await fixture()
    const name = await another()
    for (const [change, path] of [
      [{ accountId: 0 }, 'accountId'],
      [{ token: 'with blank' }, 'token'],
      [{ token: undefined }, 'token'],
      [{ gatewayUrl: undefined }, 'gatewayUrl'],
      [{ gatewayUrl: 'ftp://example.com' }, 'gatewayUrl'],
      [{ inboxName: '' }, 'inboxName'],
      [{ unknown: 1 }, 'unknown'],
    ] as const) {
      const answer = await save(name, { ...valid, ...change })
      assert.deepEqual([answer.status, faultPaths(answer)], [400, [path]], JSON.stringify(change))
    }
  })

  test('400 when a new URL is given without a token: the stored one is sent to its own host only', async () => {
    const { valid, another } = await fixture()
    const name = await another()
    await save(name, valid)
    const answer = await save(name, { ...valid, url: 'https://example.com', token: undefined })
    assert.deepEqual([answer.status, faultPaths(answer)], [400, ['token']])
  })

  test('400 when the webhook of a connection is led to another host or instance', async () => {
    const { mine, valid, another } = await fixture()
    const { webhookId: id } = (await save(await another(), valid)).json.bridge
    for (const change of [{ url: 'https://example.com/steal' }, { instanceName: null }]) {
      const answer = await mine.call('saveWebhook', { body: { id, ...change } })
      assert.deepEqual([answer.status, faultPaths(answer)], [400, ['id']])
    }
    assert.equal((await mine.call('saveWebhook', { body: { id, enabled: false } })).status, 200)
  })

  test('400 when the routes of webhooks change the webhook of a connection; they only pause, name and test it', async () => {
    const { mine, valid, another } = await fixture()
    const receiver = await startCloudReceiver('a-token')
    const name = await another()
    const made = (await save(name, valid)).json.bridge
    const id: number = made.webhookId
    const params = { id: String(id) }
    const change = (body: object) => mine.call('saveWebhook', { body: { id, ...body } })
    const hook = async () => (await mine.call('getWebhook', { params })).json.webhook
    const before = await hook()
    for (const body of [
      { format: 'switchboard' },
      { format: 'switchboard', url: 'https://example.com/steal' },
      { format: 'cloud', verifyToken: 'a-token', url: receiver.namedUrl },
      { events: ['*'] },
      { filter: null },
      { filter: { chats: 'groups' } },
      { history: true },
      { batch: false },
      { secret: 'a secret of the caller' },
    ]) {
      const answer = await change(body)
      assert.deepEqual([answer.status, faultPaths(answer)], [400, ['id']], JSON.stringify(body))
    }
    assert.equal(receiver.handshakes.length, 0)
    await receiver.close()
    const rotated = await mine.call('rotateWebhookSecret', { params, body: {} })
    assert.deepEqual([rotated.status, faultPaths(rotated)], [400, ['id']])
    const deleted = await mine.call('deleteWebhook', { params })
    assert.deepEqual([deleted.status, faultPaths(deleted)], [400, ['id']])
    assert.deepEqual(await hook(), before)
    const asItIs = { url: before.url, instanceName: name, name: 'Help desk', enabled: false }
    assert.equal((await change(asItIs)).status, 200)
    const { updatedAt, ...paused } = await hook()
    assert.deepEqual({ ...paused, updatedAt }, { ...before, name: 'Help desk', enabled: false, updatedAt })
    assert.equal((await mine.call('testWebhook', { params })).json.delivered, true)
    const shown = await mine.call('getChatwoot', { params: { instanceName: name } })
    assert.deepEqual([shown.status, shown.json.bridge.enabled], [200, false])
    const removed = await mine.call('deleteChatwoot', { params: { instanceName: name } })
    assert.equal(removed.status, 200)
    assert.equal((await mine.call('getWebhook', { params })).status, 404)
  })

  test('400 when the URL is not allowed', async () => {
    const { valid, instance } = await fixture()
    for (const url of ['http://example.com', 'https://192.168.1.1', 'https://user:secret@example.com']) {
      const answer = await save(instance.name, { ...valid, url })
      assert.deepEqual([answer.status, answer.json.reason], [400, 'url_not_allowed'])
    }
  })

  test('403 when the account has 50 webhooks', async () => {
    const { account, openInstance, valid } = await fixture()
    const full = await account()
    for (let count = 0; count < 50; count += 1)
      await full.call('saveWebhook', { body: { url: `https://example.com/${count}` } })
    const { name } = await openInstance(full)
    const answer = await full.call('saveChatwoot', { params: { instanceName: name }, body: valid })
    assert.deepEqual([answer.status, answer.json.reason], [403, 'limit_reached'])
  })

  test('404 when the instance does not exist', async () => {
    const { valid } = await fixture()
    const answer = await save('support-00000000', valid)
    assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
  })

  test('502 when Chatwoot refuses, fails or cannot be reached, without its address or the token', async () => {
    const { chatwoot, valid, another } = await fixture()
    const name = await another()
    chatwoot.fault(/^GET \/inboxes/, 'fail')
    for (const change of [{}, { token: 'wrong-token' }, { accountId: 999 }, { url: 'https://example.com' }]) {
      const answer = await save(name, { ...valid, ...change })
      assert.deepEqual([answer.status, answer.json.reason], [502, 'chatwoot_failed'], JSON.stringify(change))
      assert.ok(!JSON.stringify(answer.json).includes(valid.token))
    }
    assert.equal(
      (await (await fixture()).mine.call('getChatwoot', { params: { instanceName: name } })).status,
      404,
    )
  })
})
