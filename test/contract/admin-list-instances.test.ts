// GET /admin/v1/instances
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, shared } from './fixture.ts'

interface Listed {
  apiInstanceName: string
  account: { id: number; name: string }
  queued: number
  state: string
}

contract('GET /admin/v1/instances', (gateway) => {
  const seeded = shared(async () => {
    const running = await gateway()
    const [one, two] = [await running.account(), await running.account()]
    const open = await running.openInstance(one, '5511977770001')
    const closed = await running.openInstance(two, '5511977770002')
    await running.sessions.move(closed.id, 'replaced')
    const body = { instanceName: open.name, number: '5511912345678', message: 'hi' }
    await one.call('sendText', { body })
    return { ...running, one, two, open, closed }
  })
  const list = async (query: Record<string, string | number>): Promise<Listed[]> => {
    const answer = await (await seeded()).call('adminListInstances', { query })
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
    return answer.json.instances
  }
  const names = (listed: Listed[]) => listed.map(({ apiInstanceName }) => apiInstanceName)

  test('200 returns the instances of every account, newest first, with account and queue size', async () => {
    const { one, two, open, closed } = await seeded()
    const [latest, before] = await list({ limit: 2 })
    assert.deepEqual([latest?.apiInstanceName, latest?.account.id], [closed.name, two.id])
    assert.deepEqual([before?.apiInstanceName, before?.account.id, before?.queued], [open.name, one.id, 1])
  })

  test('200 returns pages and filters by state and literal search text', async () => {
    const { open, closed } = await seeded()
    assert.deepEqual(names(await list({ limit: 1, page: 2 })), [open.name])
    assert.ok(names(await list({ state: 'close', limit: 100 })).includes(closed.name))
    assert.ok(!names(await list({ state: 'open', limit: 100 })).includes(closed.name))
    assert.deepEqual(names(await list({ search: '77770002' })), [closed.name])
    assert.deepEqual(names(await list({ search: open.name.toUpperCase() })), [open.name])
    for (const search of ['%', '_', '!', "'"]) assert.deepEqual(await list({ search }), [])
  })

  test('200 filters by account, also together with other filters', async () => {
    const { one, two, open, closed } = await seeded()
    assert.deepEqual(names(await list({ accountId: one.id })), [open.name])
    assert.deepEqual(names(await list({ accountId: two.id, state: 'close' })), [closed.name])
    assert.deepEqual(await list({ accountId: two.id, state: 'open' }), [])
    assert.deepEqual(await list({ accountId: one.id, search: closed.name }), [])
  })

  test('404 when the account does not exist', async () => {
    const { call } = await seeded()
    const answer = await call('adminListInstances', { query: { accountId: 999_999_999 } })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'account_not_found'])
  })

  test('400 when page, state or account is not valid', async () => {
    const { call } = await seeded()
    for (const [name, value] of [
      ['page', 0],
      ['limit', 101],
      ['state', 'broken'],
      ['accountId', 'acme'],
      ['accountId', 0],
    ] as const) {
      const answer = await call('adminListInstances', { query: { [name]: value } })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), [name])
    }
  })
})
