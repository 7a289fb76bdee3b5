// DELETE /instance/delete
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractOnEachEngine } from '../support/gateway.ts'
import { faultPaths, withInstance } from './fixture.ts'

contractOnEachEngine('DELETE /instance/delete', (gateway) => {
  const fixture = withInstance(gateway)
  const remove = async (instanceName: string) =>
    (await fixture()).mine.call('deleteInstance', { query: { instanceName } })

  test('200 deletes a logged-out instance; a second call returns instanceMissing', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine)
    await running.mine.call('logoutInstance', { query: { instanceName: name } })
    const first = await remove(name)
    assert.equal(first.status, 200)
    const expected = {
      success: true,
      instance: { id, instanceName: 'Support', displayName: 'Support' },
      connectionState: 'close',
      instanceDeleted: true,
      instanceMissing: false,
    }
    assert.deepEqual({ ...first.json, message: undefined }, { ...expected, message: undefined })
    const second = await remove(name)
    assert.equal(second.status, 200)
    assert.deepEqual(
      { ...second.json, message: undefined },
      { ...expected, instanceMissing: true, message: undefined },
    )
  })

  test('200 deletes an instance that was never logged in, and returns its last state', async () => {
    const { mine } = await fixture()
    const created = await mine.call('createInstance', { body: { instanceName: 'New' } })
    const answer = await remove(created.json.instance.apiInstanceName)
    assert.equal(answer.status, 200)
    assert.equal(answer.json.connectionState, 'connecting')
  })

  test('200 deletes contacts, chats, groups and webhooks of the instance and frees their quota', async () => {
    const running = await gateway()
    const account = await running.account()
    const { name, id } = await running.openInstance(account)
    const contact = await account.call('saveContact', {
      body: { instanceName: name, phone: '5511912345678', name: 'Ana' },
    })
    await account.call('saveContact', {
      body: { instanceName: name, remoteJid: '120363000000000000@g.us', name: 'Team' },
    })
    const hook = await account.call('saveWebhook', {
      body: { url: 'https://example.com/a', instanceName: name },
    })
    const kept = await account.call('saveWebhook', { body: { url: 'https://example.com/b' } })
    const used = async () => {
      const { limits } = (await account.call('accountLimits')).json
      return [limits.instances.used, limits.contacts.used]
    }
    assert.deepEqual(await used(), [1, 2])
    await account.call('logoutInstance', { query: { instanceName: name } })
    await account.call('deleteInstance', { query: { instanceName: name } })
    await account.call('deleteInstance', { query: { instanceName: name } })
    assert.deepEqual(await used(), [0, 0])
    assert.equal((await account.call('getContact', { params: { id: contact.json.contact.id } })).status, 404)
    assert.equal((await account.call('getWebhook', { params: { id: hook.json.webhook.id } })).status, 404)
    assert.equal((await account.call('getWebhook', { params: { id: kept.json.webhook.id } })).status, 200)
    for (const table of ['contacts', 'chats', 'groups', 'lanes', 'session_keys'] as const) {
      const rows = await running.store.db
        .selectFrom(table)
        .selectAll()
        .where('instance_id', '=', id)
        .execute()
      assert.deepEqual(rows, [], table)
    }
  })

  test('200 deletes once for ten concurrent calls, and frees the quota once', async () => {
    const running = await gateway()
    const account = await running.account()
    await running.openInstance(account)
    const { name } = await running.openInstance(account)
    await account.call('logoutInstance', { query: { instanceName: name } })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => account.call('deleteInstance', { query: { instanceName: name } })),
    )
    assert.ok(answers.every((answer) => answer.status === 200))
    assert.equal(answers.filter((answer) => !answer.json.instanceMissing).length, 1)
    assert.equal((await account.call('accountLimits')).json.limits.instances.used, 1)
  })

  test('400 when instanceName is missing', async () => {
    const answer = await (await fixture()).mine.call('deleteInstance')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance never existed, or was deleted by another account', async () => {
    const running = await gateway()
    const other = await running.account()
    const { name } = await running.openInstance(other)
    await other.call('logoutInstance', { query: { instanceName: name } })
    await other.call('deleteInstance', { query: { instanceName: name } })
    for (const unknown of ['unknown-00000000', name]) {
      const answer = await remove(unknown)
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'instance_not_found')
    }
  })

  test('409 when the instance is still connected', async () => {
    const { instance, mine } = await fixture()
    const answer = await remove(instance.name)
    assert.equal(answer.status, 409)
    const { requestId: _requestId, error, ...rest } = answer.json
    assert.deepEqual(rest, { success: false, reason: 'instance_still_connected', connectionState: 'open' })
    assert.equal(typeof error, 'string')
    const state = await mine.call('instanceState', { query: { instanceName: instance.name } })
    assert.equal(state.json.instance.state, 'open')
  })

  test('409 when the connection is lost but the instance is still logged in', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine)
    await running.sessions.move(id, 'connection_lost')
    const answer = await remove(name)
    assert.equal(answer.status, 409)
    assert.equal(answer.json.connectionState, 'connecting')
  })
})
