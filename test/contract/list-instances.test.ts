// GET /instance/list
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'

contract('GET /instance/list', (gateway) => {
  test('200 returns every field of every instance, in order of creation', async () => {
    const running = await gateway()
    const mine = await running.account()
    const open = await running.openInstance(mine, '5511987654321')
    await mine.call('createInstance', { body: { instanceName: 'Second', integration: 'crm' } })
    const answer = await mine.call('listInstances')
    assert.equal(answer.status, 200)
    assert.equal(answer.json.count, 2)
    const [first, second] = answer.json.instances
    assert.deepEqual(first, {
      id: open.id,
      instanceName: 'Support',
      displayName: 'Support',
      apiInstanceName: open.name,
      internalName: open.name,
      state: 'open',
      status: 'open',
      stateReason: null,
      stateReasonUntil: null,
      isConnected: true,
      number: '5511987654321',
      profileName: 'Profile',
      profilePictureUrl: null,
      profilePicUrl: null,
      owner: '5511987654321@s.whatsapp.net',
      integration: 'whatsapp',
      createdAt: first.createdAt,
      updatedAt: first.updatedAt,
    })
    assert.deepEqual(
      [
        second.displayName,
        second.state,
        second.status,
        second.isConnected,
        second.integration,
        second.number,
      ],
      ['Second', 'connecting', 'connecting', false, 'crm', null],
    )
  })

  test('200 returns an empty list for an account without instances, and after deletion', async () => {
    const running = await gateway()
    const mine = await running.account()
    assert.deepEqual((await mine.call('listInstances')).json, { success: true, count: 0, instances: [] })
    const { name } = await running.openInstance(mine)
    await mine.call('logoutInstance', { query: { instanceName: name } })
    assert.equal((await mine.call('listInstances')).json.count, 1)
    await mine.call('deleteInstance', { query: { instanceName: name } })
    assert.equal((await mine.call('listInstances')).json.count, 0)
  })
})
