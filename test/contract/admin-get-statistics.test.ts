// GET /admin/v1/statistics
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, withInstance } from './fixture.ts'

contract('GET /admin/v1/statistics', (gateway) => {
  const fixture = withInstance(gateway)
  const totals = async (query: Record<string, string | number> = {}) => {
    const answer = await (await fixture()).call('adminGetStatistics', { query })
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
    return answer.json.totals
  }

  test('200 counts all accounts together, and one account alone', async () => {
    const { mine, account, instance } = await fixture()
    const other = await account()
    const before = await totals()
    const body = { instanceName: instance.name, number: '5511912345678', message: 'hi' }
    const { messageId } = (await mine.call('sendText', { body })).json
    await mine.call('cancelMessage', { params: { messageId } })
    assert.equal((await totals()).canceled, before.canceled + 1)
    assert.equal((await totals({ accountId: mine.id })).canceled, 1)
    assert.equal((await totals({ accountId: other.id })).canceled, 0)
  })

  test('400 when the range is not valid', async () => {
    const answer = await (await fixture()).call('adminGetStatistics', { query: { range: 'year' } })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['range'])
  })

  test('404 when the account is unknown', async () => {
    const answer = await (await fixture()).call('adminGetStatistics', { query: { accountId: 999_999 } })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'account_not_found'])
  })
})
