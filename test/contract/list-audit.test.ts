// GET /audit
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, withInstance } from './fixture.ts'

contract('GET /audit', (gateway) => {
  const fixture = withInstance(gateway)
  const list = async (query: Record<string, string | number> = {}) =>
    (await fixture()).mine.call('listAudit', { query })

  test('200 lists what keys changed and what they were denied, newest first, without texts', async () => {
    const { mine, instance } = await fixture()
    const body = { name: 'Agent', scopes: ['send', 'read'], chats: ['5511987654321@s.whatsapp.net'] }
    const agent = (await mine.call('createApiKey', { body })).json
    const send = (number: string) =>
      mine.call('sendText', {
        body: { instanceName: instance.name, number, message: 'a secret text' },
        key: agent.key,
      })
    await send('5511912345678')
    await send('5511987654321')
    await mine.call('getMessage', { params: { messageId: '3EB0FOREIGN' }, key: agent.key })
    await mine.call('listMessages', { key: agent.key })
    await mine.call('listWebhooks', { key: agent.key })
    const answer = await list({ keyId: agent.apiKey.id })
    const common = { keyId: agent.apiKey.id, keyName: 'Agent', instanceName: null, chat: null, subject: null }
    const entries = answer.json.entries.map(
      ({ id: _id, at: _at, ...entry }: Record<string, unknown>) => entry,
    )
    const sent = { ...common, action: 'POST /api/v1/send/text', instanceName: instance.name }
    assert.deepEqual(entries, [
      { ...common, action: 'GET /api/v1/webhooks', status: 403, reason: 'scope_missing' },
      {
        ...common,
        action: 'GET /api/v1/messages/{messageId}',
        subject: '3EB0FOREIGN',
        status: 404,
        reason: 'message_not_found',
      },
      { ...sent, chat: '5511987654321', status: 200, reason: null },
      { ...sent, chat: '5511912345678', status: 403, reason: 'outside_walls' },
    ])
    assert.ok(!answer.bytes.toString().includes('secret text'))
    assert.ok(!answer.bytes.toString().includes(agent.key))
  })

  test('200 returns pages', async () => {
    const { mine } = await fixture()
    for (let count = 0; count < 3; count += 1)
      await mine.call('createApiKey', { body: { name: `Key ${count}` } })
    const first = (await list({ limit: 2 })).json
    const second = (await list({ limit: 2, page: 2 })).json
    assert.deepEqual([first.count, first.hasMore], [2, true])
    assert.ok(first.entries[1].id > second.entries[0].id)
  })

  test('200 contains nothing from another account', async () => {
    const { account } = await fixture()
    const other = await account()
    assert.equal((await other.call('listAudit')).json.count, 0)
  })

  test('400 when a filter is not valid', async () => {
    assert.deepEqual(faultPaths(await list({ keyId: 'x', limit: 0 })), ['keyId', 'limit'])
  })
})
