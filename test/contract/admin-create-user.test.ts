// POST /admin/v1/accounts/{id}/users
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractOnEachEngine } from '../support/gateway.ts'
import { faultPaths, shared, UNLIMITED_PLAN } from './fixture.ts'

contractOnEachEngine('POST /admin/v1/accounts/{id}/users', (gateway) => {
  const account = shared(async () => (await gateway()).account())
  const create = async (body: unknown, id?: number) =>
    (await gateway()).call('adminCreateUser', { params: { id: id ?? (await account()).id }, body })

  test('200 creates a user and counts it against the plan', async () => {
    const mine = await account()
    const answer = await create({ name: 'Ana Souza', email: 'Ana.Souza@Example.com' })
    assert.equal(answer.status, 200)
    const { user } = answer.json
    assert.deepEqual(user, {
      id: user.id,
      accountId: mine.id,
      name: 'Ana Souza',
      email: 'ana.souza@example.com',
      createdAt: user.createdAt,
      updatedAt: user.createdAt,
    })
    assert.equal((await mine.call('accountLimits')).json.limits.users.used, 1)
  })

  test('400 when name or e-mail address is missing or not valid', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ name: undefined }, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(129) }, 'name'],
      [{ email: undefined }, 'email'],
      [{ email: 'ana' }, 'email'],
      [{ email: 'ana@' }, 'email'],
      [{ email: 'a b@example.com' }, 'email'],
      [{ email: 'ana@example.com\r\nbcc: x@example.com' }, 'email'],
      [{ email: `${'x'.repeat(250)}@example.com` }, 'email'],
      [{ role: 'admin' }, 'role'],
    ]
    for (const [fields, path] of wrong) {
      const answer = await create({ name: 'Ana', email: 'ana@example.com', ...fields })
      assert.equal(answer.status, 400, JSON.stringify(fields))
      assert.deepEqual(faultPaths(answer), [path])
    }
  })

  test('403 when the user limit is reached; removing a user frees the quota', async () => {
    const running = await gateway()
    const { id } = await running.account({ limits: { ...UNLIMITED_PLAN, users: 2 } })
    const add = (name: string) => create({ name, email: `${name}@example.com` }, id)
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map(add))
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 200, 403, 403])
    const refused = answers.find((answer) => answer.status === 403)
    const { reason, resource, limit, used } = refused?.json ?? {}
    assert.deepEqual([reason, resource, limit, used], ['limit_reached', 'users', 2, 2])
    const made = answers.find((answer) => answer.status === 200)
    await running.call('adminDeleteUser', { params: { id, userId: made?.json.user.id } })
    assert.equal((await add('e')).status, 200)
  })

  test('404 when the account does not exist', async () => {
    const answer = await create({ name: 'Ana', email: 'ana@example.com' }, 999_999_999)
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'account_not_found')
  })

  test('409 when the account has a user with this e-mail address in any case; a refused user costs no quota', async () => {
    const running = await gateway()
    const [mine, other] = [await running.account(), await running.account()]
    const add = (email: string, id: number) => create({ name: 'Ben', email }, id)
    assert.equal((await add('ben@example.com', mine.id)).status, 200)
    for (const email of ['ben@example.com', 'BEN@example.COM']) {
      const answer = await add(email, mine.id)
      assert.equal(answer.status, 409)
      assert.equal(answer.json.reason, 'user_exists')
    }
    assert.equal((await mine.call('accountLimits')).json.limits.users.used, 1)
    assert.equal((await add('ben@example.com', other.id)).status, 200)
  })
})
