// DELETE /admin/v1/accounts/{id}
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Engine, engines } from '../support/engines.ts'
import { contract, startGateway } from '../support/gateway.ts'
import { makeThings } from './sample-calls.ts'

contract('DELETE /admin/v1/accounts/{id}', (gateway) => {
  test('200 deletes the account with its data, and refuses its keys within a second', async () => {
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

  test('200 deletes the files of its instances and keeps those of other accounts', async () => {
    const { engine } = await gateway()
    const storeLocation = await (engines.find(({ name }) => name === engine) as Engine).createLocation()
    const running = await startGateway(
      engines.find(({ name }) => name === engine) as Engine,
      {},
      {},
      storeLocation,
    )
    try {
      const folderOf = (id: number) => join(storeLocation.directory, 'media', 'received', String(id))
      const [mine, other] = [await running.account(), await running.account()]
      const instances = [await running.openInstance(mine), await running.openInstance(mine)]
      const kept = await running.openInstance(other)
      for (const { id } of [...instances, kept]) {
        mkdirSync(folderOf(id), { recursive: true })
        writeFileSync(join(folderOf(id), '1'), 'sealed')
      }
      const [deleted, left] = instances as [{ id: number; name: string }, { id: number; name: string }]
      await mine.call('logoutInstance', { query: { instanceName: deleted.name } })
      await mine.call('deleteInstance', { query: { instanceName: deleted.name } })
      assert.deepEqual([existsSync(folderOf(deleted.id)), existsSync(folderOf(left.id))], [false, true])
      // Simulates a process that ended before it removed the files of the first account.
      mkdirSync(folderOf(deleted.id))
      await mine.call('logoutInstance', { query: { instanceName: left.name } })
      await running.store.db
        .updateTable('instances')
        .set({ deleted_at: 1 })
        .where('id', '=', left.id)
        .execute()
      assert.equal((await running.call('adminDeleteAccount', { params: { id: mine.id } })).status, 200)
      assert.deepEqual(readdirSync(join(storeLocation.directory, 'media', 'received')), [String(kept.id)])
    } finally {
      await running.stop()
    }
  })

  test('404 when the id never existed or is deleted', async () => {
    const running = await gateway()
    const { id } = await running.account()
    await running.call('adminDeleteAccount', { params: { id } })
    for (const unknown of [id, 999_999_999]) {
      const answer = await running.call('adminDeleteAccount', { params: { id: unknown } })
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'account_not_found')
    }
  })

  test('409 when the account has instances, and nothing is deleted', async () => {
    const running = await gateway()
    const mine = await running.account()
    await mine.call('createInstance', { body: { instanceName: 'One' } })
    const answer = await running.call('adminDeleteAccount', { params: { id: mine.id } })
    assert.equal(answer.status, 409)
    assert.equal(answer.json.reason, 'account_has_instances')
    assert.equal((await mine.call('listInstances')).json.count, 1)
  })
})
