// DELETE /admin/v1/accounts/{id}/users/{userId}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractOnEachEngine } from '../support/gateway.ts'

contractOnEachEngine('DELETE /admin/v1/accounts/{id}/users/{userId}', (gateway) => {
  test('200 deletes the user and frees the quota once; then 404', async () => {
    const running = await gateway()
    const mine = await running.account()
    const add = (email: string) =>
      running.call('adminCreateUser', { params: { id: mine.id }, body: { name: 'Ana', email } })
    await add('stays@example.com')
    const userId: number = (await add('goes@example.com')).json.user.id
    const params = { id: mine.id, userId }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => running.call('adminDeleteUser', { params })),
    )
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 404, 404, 404, 404])
    assert.deepEqual(answers.find((answer) => answer.status === 200)?.json, { success: true, id: userId })
    assert.equal(answers.find((answer) => answer.status === 404)?.json.reason, 'user_not_found')
    assert.equal((await mine.call('accountLimits')).json.limits.users.used, 1)
    assert.equal((await add('goes@example.com')).status, 200)
  })
})
