// DELETE /instance/logout
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'

contract('DELETE /instance/logout', (gateway) => {
  const fixture = withInstance(gateway)
  const logOut = async (instanceName: string) =>
    (await fixture()).mine.call('logoutInstance', { query: { instanceName } })

  test('200 logs out at the network, and again when repeated', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine)
    const first = await logOut(name)
    assert.equal(first.status, 200)
    const { message, ...rest } = first.json
    assert.deepEqual(rest, {
      success: true,
      instance: { id, instanceName: 'Support', displayName: 'Support' },
      connectionState: 'close',
    })
    assert.ok(message.length > 0)
    assert.ok(running.sessions.loggedOut.includes(id))
    assert.deepEqual((await logOut(name)).json, first.json)
    const { instance } = (await running.mine.call('instanceState', { query: { instanceName: name } })).json
    assert.deepEqual([instance.state, instance.stateReason], ['close', 'logged_out'])
  })

  test('200 deletes the credentials and their data key, and no other key', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine)
    const { db } = running.store
    for (const instanceId of [id, running.instance.id]) {
      const wrapped = new Uint8Array([1])
      await db
        .insertInto('data_keys')
        .values({ scope: `instance:${instanceId}`, wrapped, created_at: 0 })
        .execute()
      await db
        .insertInto('session_keys')
        .values({ instance_id: instanceId, kind: 'creds', name: 'creds', sealed: wrapped })
        .execute()
    }
    const kept = async (instanceId: number) => [
      (await db.selectFrom('data_keys').selectAll().where('scope', '=', `instance:${instanceId}`).execute())
        .length,
      (await db.selectFrom('session_keys').selectAll().where('instance_id', '=', instanceId).execute())
        .length,
    ]
    assert.equal((await logOut(name)).status, 200)
    assert.deepEqual(await kept(id), [0, 0])
    assert.deepEqual(await kept(running.instance.id), [1, 1])
  })

  test('200 logs out with a note when credentials cannot be deleted yet; the instance can be deleted', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine)
    const answer = await scripted(running, { logOut: () => false }, () => logOut(name))
    assert.equal(answer.status, 200)
    assert.match(answer.json.message, /as soon as the store can be written/)
    const { instance } = (await running.mine.call('instanceState', { query: { instanceName: name } })).json
    assert.deepEqual([instance.state, instance.stateReason], ['close', 'logged_out'])
    const recorded = () =>
      running.store.db
        .selectFrom('instances')
        .select(['logged_in', 'logout_requested_at'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    assert.deepEqual(
      [(await recorded()).logged_in, (await recorded()).logout_requested_at === null],
      [0, false],
    )
    const removed = await running.mine.call('deleteInstance', { query: { instanceName: name } })
    assert.equal(removed.json.instanceDeleted, true)
  })

  test('200 reports queued messages as failed', async () => {
    const running = await fixture()
    const { name } = await running.openInstance(running.mine)
    const body = { instanceName: name, number: '5511912345678', message: 'hi' }
    const { messageId } = (await running.mine.call('sendText', { body })).json
    await logOut(name)
    const { message } = (await running.mine.call('getMessage', { params: { messageId } })).json
    assert.equal(message.status, 'failed')
    assert.equal(message.failure.reason, 'logged_out')
  })

  test('200 for an instance that was never logged in', async () => {
    const { mine } = await fixture()
    const created = await mine.call('createInstance', { body: { instanceName: 'New' } })
    assert.equal((await logOut(created.json.instance.apiInstanceName)).json.connectionState, 'close')
  })

  test('400 when instanceName is missing', async () => {
    const answer = await (await fixture()).mine.call('logoutInstance')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance does not exist or is deleted', async () => {
    const running = await fixture()
    const { name } = await running.openInstance(running.mine)
    await logOut(name)
    await running.mine.call('deleteInstance', { query: { instanceName: name } })
    for (const unknown of ['unknown-00000000', name]) {
      const answer = await logOut(unknown)
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'instance_not_found')
    }
  })
})
