// PATCH /admin/v1/accounts/{id}/users/{userId}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, shared } from './fixture.ts'

contract('PATCH /admin/v1/accounts/{id}/users/{userId}', (gateway) => {
  const account = shared(async () => (await gateway()).account())
  const made = async (email: string) => {
    const params = { id: (await account()).id }
    return (await (await gateway()).call('adminCreateUser', { params, body: { name: 'Ana', email } })).json
      .user
  }
  const change = async (userId: number, body: unknown) =>
    (await gateway()).call('adminUpdateUser', { params: { id: (await account()).id, userId }, body })

  test('200 updates name and e-mail address separately', async () => {
    const { clock } = await gateway()
    const user = await made('one@example.com')
    clock.advance(2)
    const renamed = await change(user.id, { name: 'Ana Lima' })
    assert.equal(renamed.status, 200)
    const { updatedAt } = renamed.json.user
    assert.ok(updatedAt > user.updatedAt)
    assert.deepEqual(renamed.json.user, { ...user, name: 'Ana Lima', updatedAt })
    assert.equal((await change(user.id, { email: 'TWO@example.com' })).json.user.email, 'two@example.com')
    assert.equal((await change(user.id, { email: 'two@example.com' })).status, 200)
  })

  test('400 when a field is not valid', async () => {
    const user = await made('wrong@example.com')
    for (const [body, path] of [
      [{ name: '' }, 'name'],
      [{ email: 'x' }, 'email'],
      [{ accountId: 1 }, 'accountId'],
    ] as const) {
      const answer = await change(user.id, body)
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), [path])
    }
  })

  test('404 when the user does not exist', async () => {
    const answer = await change(999_999_999, { name: 'X' })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'user_not_found')
  })

  test('409 when another user of the account has the e-mail address', async () => {
    const [first, second] = [await made('taken@example.com'), await made('free@example.com')]
    const answer = await change(second.id, { email: first.email.toUpperCase() })
    assert.equal(answer.status, 409)
    assert.equal(answer.json.reason, 'user_exists')
  })
})
