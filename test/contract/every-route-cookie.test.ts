// The dashboard's cookie has the rights of its key, and needs the CSRF token for changes (decision 0040).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RouteId } from '../../src/contract/routes.ts'
import { behaviourContract } from '../support/behaviour-contract.ts'
import type { CallInput, Gateway } from '../support/gateway.ts'
import { shared } from './fixture.ts'
import { keyedRoutes, makeThings, sampleCalls } from './sample-calls.ts'
import { cookieFrom } from './sign-in.test.ts'

const prepare = (gateway: () => Promise<Gateway>) =>
  shared(async () => {
    const running = await gateway()
    const mine = await running.account()
    const things = await makeThings(running, mine)
    const account = await running.call('signIn', { key: null, body: { key: mine.key } })
    const operator = await running.call('operatorSignIn', {
      key: null,
      body: { key: running.app.operatorKey },
    })
    const signIns = {
      api: { cookie: cookieFrom(account), token: account.json.signedIn.csrfToken as string },
      admin: { cookie: cookieFrom(operator), token: operator.json.signedIn.csrfToken as string },
    }
    const callAs = (
      area: 'api' | 'admin',
      id: RouteId,
      headers: Record<string, string> = {},
      input?: CallInput,
    ) =>
      running.call(id, {
        ...(input ?? sampleCalls[id](things)),
        key: null,
        headers: { cookie: signIns[area].cookie, ...headers },
      })
    return { ...running, mine, things, signIns, callAs }
  })

behaviourContract('every route: the cookie', (gateway) => {
  const prepared = prepare(gateway)

  for (const { id, title, area, method } of keyedRoutes) {
    if (method === 'GET') continue
    test(`403 when ${title} has a cookie without its CSRF token, or with another one`, async () => {
      const { callAs, signIns } = await prepared()
      const mine = area === 'admin' ? 'admin' : 'api'
      for (const token of ['', 'x', signIns[mine === 'api' ? 'admin' : 'api'].token]) {
        const answer = await callAs(mine, id, { 'x-csrf-token': token })
        assert.equal(answer.status, 403, title)
        assert.equal(answer.json.reason, 'csrf_failed')
      }
    })
  }

  test('200 reads without a CSRF token, and writes with it', async () => {
    const { callAs, signIns } = await prepared()
    assert.equal((await callAs('api', 'listInstances')).status, 200)
    assert.equal((await callAs('admin', 'adminListAccounts')).status, 200)
    const headers = { 'x-csrf-token': signIns.api.token }
    assert.equal((await callAs('api', 'createApiKey', headers)).status, 200)
    const operatorHeaders = { 'x-csrf-token': signIns.admin.token }
    assert.equal((await callAs('admin', 'adminCreatePlan', operatorHeaders)).status, 200)
  })

  test('200 returns an image without a key in the query', async () => {
    const { callAs, signIns, sessions } = await prepared()
    const made = await callAs('api', 'createInstance', { 'x-csrf-token': signIns.api.token })
    const query = { instanceName: made.json.instance.apiInstanceName as string }
    assert.ok(sessions)
    assert.equal((await callAs('api', 'qrImage', {}, { query })).status, 200)
  })

  test('401 when an account cookie is used for the operator API, or the operator cookie for an account', async () => {
    const { callAs } = await prepared()
    assert.equal((await callAs('api', 'adminListAccounts')).status, 401)
    assert.equal((await callAs('admin', 'listInstances')).status, 401)
  })

  test('401 when a cookie is renamed as the other kind', async () => {
    const { call, signIns } = await prepared()
    const cookie = signIns.api.cookie.replace('switchboard_session', 'switchboard_operator')
    assert.equal((await call('adminListAccounts', { key: null, headers: { cookie } })).status, 401)
  })

  test('401 when the key in the header is wrong, although the cookie is valid', async () => {
    const { call, signIns, account } = await prepared()
    const { cookie } = signIns.api
    const wrong = 'sk_not-a-key-of-anyone-at-all-000000000000'
    assert.equal((await call('listInstances', { key: wrong, headers: { cookie } })).status, 401)
    const other = await account()
    const theirs = await call('listInstances', { key: other.key, headers: { cookie } })
    assert.equal(theirs.json.count, 0)
    const written = await call('createApiKey', {
      key: other.key,
      headers: { cookie },
      body: { name: 'No token' },
    })
    assert.equal(written.status, 200, 'with a key no token is needed')
  })

  test('403 when the key of the cookie does not have the scope', async () => {
    const { call, mine } = await prepared()
    const made = await mine.call('createApiKey', { body: { name: 'Narrow', scopes: ['contacts'] } })
    const cookie = cookieFrom(await call('signIn', { key: null, body: { key: made.json.key } }))
    const answer = await call('listInstances', { key: null, headers: { cookie } })
    assert.equal(answer.json.reason, 'scope_missing')
  })

  test('401 when the key of the cookie is revoked', async () => {
    const { call, mine, clock } = await prepared()
    const made = await mine.call('createApiKey', { body: { name: 'Gone' } })
    const cookie = cookieFrom(await call('signIn', { key: null, body: { key: made.json.key } }))
    const ask = (id: RouteId) => call(id, { key: null, headers: { cookie } })
    assert.equal((await ask('listInstances')).status, 200)
    await mine.call('revokeApiKey', { params: { id: made.json.apiKey.id } })
    clock.advance(1000)
    assert.equal((await ask('listInstances')).status, 401)
    assert.equal((await ask('signedIn')).json.signedIn, null)
  })
})
