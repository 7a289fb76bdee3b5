// DELETE /admin/v1/accounts/{id} (decisions 4)
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { makeThings } from './sample-calls.ts'

contract('DELETE /admin/v1/accounts/{id}', (gateway) => {
  test('200: with all that it had, and its keys open nothing within a second', async () => {
    const running = await gateway()
    const mine = await running.account()
    const things = await makeThings(running, mine)
    const query = { instanceName: things.instance }
    await mine.call('sendText', {
      body: { ...query, number: '5511912345678', message: 'hi' },
      headers: { 'idempotency-key': 'k' },
    })
    await mine.call('logoutInstance', { query })
    await mine.call('deleteInstance', { query })
    const answer = await running.call('adminDeleteAccount', { params: { id: mine.id } })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, { success: true, id: mine.id })
    running.clock.advance(3000)
    assert.equal((await mine.call('listInstances')).status, 401)
    assert.equal((await running.call('adminGetAccount', { params: { id: mine.id } })).status, 404)
    for (const table of [
      'users',
      'api_keys',
      'usage',
      'instances',
      'messages',
      'contacts',
      'webhooks',
      'idempotency_keys',
    ] as const) {
      const rows = await running.store.db
        .selectFrom(table)
        .selectAll()
        .where('account_id', '=', mine.id)
        .execute()
      assert.deepEqual(rows, [], table)
    }
    const sealed = await running.store.db
      .selectFrom('data_keys')
      .select('scope')
      .where('scope', '=', `account:${mine.id}`)
      .execute()
    assert.deepEqual(sealed, [])
  })

  test('404: an id that was never given or is deleted', async () => {
    const running = await gateway()
    const { id } = await running.account()
    await running.call('adminDeleteAccount', { params: { id } })
    for (const unknown of [id, 999_999_999]) {
      const answer = await running.call('adminDeleteAccount', { params: { id: unknown } })
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'account_not_found')
    }
  })

  test('409: an account that has instances keeps everything', async () => {
    const running = await gateway()
    const mine = await running.account()
    await mine.call('createInstance', { body: { instanceName: 'One' } })
    const answer = await running.call('adminDeleteAccount', { params: { id: mine.id } })
    assert.equal(answer.status, 409)
    assert.equal(answer.json.reason, 'account_has_instances')
    assert.equal((await mine.call('listInstances')).json.count, 1)
  })
})
