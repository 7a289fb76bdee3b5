// What all routes have in common: keys, scopes, subscriptions, methods, bodies and queries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullPath } from '../../src/contract/route.ts'
import { hasScope, SCOPES } from '../../src/contract/scopes.ts'
import { behaviourContract } from '../support/behaviour-contract.ts'
import { type Account, type Gateway, noteAnswer } from '../support/gateway.ts'
import { faultPaths, shared } from './fixture.ts'
import { exchange, request } from './raw-http.ts'
import {
  adminRoutes,
  apiRoutes,
  keyedRoutes,
  listed,
  makeThings,
  sampleCalls,
  UNKNOWN,
} from './sample-calls.ts'

/** An address may send twenty wrong keys per minute: one every three seconds. */
const BETWEEN_WRONG_KEYS_MS = 3000
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const BODY_LIMIT_BYTES = 256 * 1024

const prepare = (gateway: () => Promise<Gateway>) =>
  shared(async () => {
    const running = await gateway()
    const mine = await running.account()
    const keyFor = (area: string) => (area === 'admin' ? running.app.operatorKey : mine.key)
    return { ...running, mine, keyFor, things: await makeThings(running, mine) }
  })

behaviourContract('every route: keys', (gateway) => {
  const prepared = prepare(gateway)

  for (const { id, title } of keyedRoutes) {
    test(`401 when ${title} has no key`, async () => {
      const { call, clock, things } = await prepared()
      clock.advance(BETWEEN_WRONG_KEYS_MS)
      const answer = await call(id, { ...sampleCalls[id](things), key: null })
      assert.equal(answer.status, 401)
      assert.equal(answer.json.reason, 'unauthorized')
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    })
  }

  for (const { id, title } of adminRoutes) {
    test(`401 when ${title} has the key of an account`, async () => {
      const { call, clock, mine, things } = await prepared()
      clock.advance(BETWEEN_WRONG_KEYS_MS)
      const answer = await call(id, { ...sampleCalls[id](things), key: mine.key })
      assert.equal(answer.status, 401)
    })
  }

  test('401 when the operator key is used for a route of an account', async () => {
    const { call, clock } = await prepared()
    clock.advance(BETWEEN_WRONG_KEYS_MS)
    assert.equal((await call('listInstances')).status, 401)
  })

  test('429 after twenty wrong keys in a minute from one address, until it has waited', async () => {
    const { call, clock, mine } = await prepared()
    clock.advance(60_000)
    const wrong = () => call('listInstances', { key: 'sk_not-a-key-of-anyone-at-all-000000000000' })
    const answers = await Promise.all(Array.from({ length: 30 }, wrong))
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([401, 429]))
    // On a slow machine one of them may be allowed again meanwhile.
    const further = await Promise.all(Array.from({ length: 10 }, wrong))
    const refused = further.find((answer) => answer.status === 429)
    assert.ok(refused)
    assert.equal(refused.json.reason, 'rate_limited')
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal((await mine.call('listInstances')).status, 200, 'a valid key is heard all the same')
    clock.advance(60_000)
    assert.equal((await wrong()).status, 401)
  })
})

behaviourContract('every route: scopes', (gateway) => {
  const prepared = prepare(gateway)
  const keys = new Map<string, Promise<string>>()
  const keyWith = async (scopes: readonly string[]): Promise<string> => {
    const { mine, engine } = await prepared()
    const name = `${engine} ${scopes.join()}`
    const made = keys.get(name) ?? makeKey(mine, scopes)
    keys.set(name, made)
    return made
  }

  for (const { id, title, scopes } of apiRoutes) {
    // Every key may use it.
    if (!scopes) continue
    test(`403 when the key of ${title} does not have the scope ${scopes.join(' or ')}`, async () => {
      const { mine, things } = await prepared()
      const others = SCOPES.filter((scope) => !hasScope([scope], scopes))
      const answer = await mine.call(id, { ...sampleCalls[id](things), key: await keyWith(others) })
      assert.equal(answer.status, 403)
      assert.equal(answer.json.reason, 'scope_missing')
      assert.deepEqual(answer.json.needed, scopes)
      for (const scope of scopes) assert.ok(answer.json.error.includes(`"${scope}"`), answer.json.error)
      for (const scope of SCOPES.filter((one) => hasScope([one], scopes))) {
        const input = { ...sampleCalls[id](UNKNOWN), key: await keyWith([scope]) }
        const allowed = await mine.call(id, input)
        // The document of the sample agent is read after the scope was checked, and nothing serves it here.
        const isUnread = allowed.json.details?.[0]?.path === 'clientId'
        assert.ok(
          [200, 404].includes(allowed.status) || allowed.json.missing || isUnread,
          `${scope} answers ${allowed.status}`,
        )
      }
    })
  }
})

async function makeKey(account: Account, scopes: readonly string[]): Promise<string> {
  const made = await account.call('createApiKey', { body: { name: 'Scoped', scopes } })
  assert.equal(made.status, 200)
  return made.json.key
}

behaviourContract('every route: subscription', (gateway) => {
  const prepared = shared(async () => {
    const running = await gateway()
    const mine = await running.account()
    const things = await makeThings(running, mine)
    await running.call('adminUpdateSubscription', { params: { id: mine.id }, body: { status: 'expired' } })
    // The result of a key lookup is cached for less than a second.
    running.clock.advance(1000)
    return { mine, things }
  })

  for (const { id, title, openWithoutSubscription } of apiRoutes) {
    const name = openWithoutSubscription
      ? `200 without a subscription: ${title}`
      : `403 without a subscription: ${title}`
    test(name, async () => {
      const { mine, things } = await prepared()
      const answer = await mine.call(id, sampleCalls[id](things))
      assert.equal(answer.status, openWithoutSubscription ? 200 : 403)
      if (!openWithoutSubscription) assert.equal(answer.json.reason, 'subscription_inactive')
    })
  }

  test('only lists, account limits and the key of the request are open without a subscription', () => {
    const open = apiRoutes.filter((route) => route.openWithoutSubscription).map((route) => route.title)
    assert.deepEqual(open.sort(), [
      'GET /api/v1/account/limits',
      'GET /api/v1/api-keys',
      'GET /api/v1/api-keys/current',
      'GET /api/v1/chats',
      'GET /api/v1/contacts',
      'GET /api/v1/destinations',
      'GET /api/v1/destinations/{id}/deliveries',
      'GET /api/v1/events',
      'GET /api/v1/groups',
      'GET /api/v1/instance/list',
      'GET /api/v1/labels',
      'GET /api/v1/messages',
      'GET /api/v1/quick-replies',
      'GET /api/v1/users',
      'GET /api/v1/webhooks',
      'GET /api/v1/webhooks/{id}/deliveries',
    ])
  })
})

/** Routes with a parameter where this path has a fixed word: they answer its other methods. */
const shadowedBy = (path: string) =>
  listed.filter((route) => {
    const pattern = fullPath(route)
    return pattern !== path && new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[a-z]+')}$`).test(path)
  })

/** Identifiers of the network: texts, not numbers. */
const TEXT_IDS = new Set(['instanceName', 'messageId', 'callId', 'code'])

behaviourContract('every route: methods', (gateway) => {
  for (const [path, routes] of Map.groupBy(listed, fullPath)) {
    const allowed: string[] = [...new Set([...routes, ...shadowedBy(path)].map((route) => route.method))]
    test(`405 with the Allow header when ${path} is not called with ${allowed.join(' or ')}`, async () => {
      const { url } = await gateway()
      const address = new URL(path.replaceAll(/\{\w+\}/g, '1'), url)
      for (const method of METHODS.filter((method) => !allowed.includes(method))) {
        const answer = await fetch(address, { method })
        const body = (await answer.json()) as Record<string, unknown>
        assert.equal(answer.status, 405, method)
        assert.equal(body.reason, 'method_not_allowed')
        assert.equal(body.success, false)
        assert.equal(body.requestId, answer.headers.get('x-request-id'))
        assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), allowed.toSorted())
      }
    })
  }

  test('404 for an unknown path with any method; the response does not contain the path', async () => {
    const { url } = await gateway()
    for (const path of [
      '/api/v1',
      '/api/v1/nothing',
      '/admin/v1/nothing',
      '/sandbox/v1/phones',
      '/x?apiKey=secret',
    ])
      for (const method of METHODS) {
        const answer = await fetch(new URL(path, url), { method })
        const body = (await answer.json()) as Record<string, unknown>
        assert.equal(answer.status, 404, `${method} ${path}`)
        assert.deepEqual(
          { ...body, requestId: '' },
          { success: false, error: 'There is nothing at this path.', reason: 'not_found', requestId: '' },
        )
      }
  })
})

behaviourContract('every route: bodies', (gateway) => {
  const prepared = prepare(gateway)
  const bodyRoutes = keyedRoutes.filter((route) => route.method !== 'GET' && !route.upload)

  for (const { id, title, area } of bodyRoutes) {
    const address = async () => {
      const { url, things } = await prepared()
      const { params = {}, query = {} } = sampleCalls[id](things)
      const path = title
        .slice(title.indexOf('/'))
        .replaceAll(/\{(\w+)\}/g, (_, name: string) => `${params[name]}`)
      const target = new URL(path, url)
      for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value))
      return target.pathname + target.search
    }

    test(`413 when ${title} has more than 256 KiB`, async () => {
      const { url, keyFor } = await prepared()
      const lines = [
        `Authorization: Bearer ${keyFor(area)}`,
        'Content-Type: application/json',
        `Content-Length: ${BODY_LIMIT_BYTES + 1}`,
      ]
      // The announced length is enough for the refusal; no body is sent.
      const answer = await exchange(url, request(title.split(' ')[0] as string, await address(), lines))
      noteAnswer(id, answer)
      assert.equal(answer.status, 413)
      assert.equal(answer.json.reason, 'body_too_large')
    })

    test(`415 when ${title} has a body that is not JSON`, async () => {
      const { call, keyFor, things } = await prepared()
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
        const input = { ...sampleCalls[id](things), key: keyFor(area), headers: { 'content-type': type } }
        const answer = await call(id, { ...input, body: 'a=1' })
        assert.equal(answer.status, 415, type)
        assert.equal(answer.json.reason, 'unsupported_media_type')
      }
    })

    test(`400 when ${title} has invalid JSON`, async () => {
      const { call, keyFor, things } = await prepared()
      for (const body of ['{"a":', 'nonsense', '{"a":1e}', '\u0000']) {
        const answer = await call(id, { ...sampleCalls[id](things), key: keyFor(area), body })
        assert.equal(answer.status, 400, body)
        assert.equal(answer.json.reason, 'invalid_request')
      }
    })

    test(`400 when ${title} has a body of the wrong type`, async () => {
      const { call, keyFor, things } = await prepared()
      for (const body of ['[]', '1', '"text"', 'true', 'null']) {
        const answer = await call(id, { ...sampleCalls[id](things), key: keyFor(area), body })
        assert.equal(answer.status, 400, body)
      }
    })

    test(`400 when ${title} has an unknown field in the body`, async () => {
      const { call, keyFor, things } = await prepared()
      const sample = sampleCalls[id](things)
      const body = { ...(sample.body as object | undefined), nonsense: 1 }
      const answer = await call(id, { ...sample, body, key: keyFor(area) })
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.json.details, [{ path: 'nonsense', message: 'unknown field' }])
    })
  }

  test('400, not 413, when the body has exactly 256 KiB', async () => {
    const { mine } = await prepared()
    const start = '{"nonsense":"'
    const body = `${start}${'x'.repeat(BODY_LIMIT_BYTES - start.length - 2)}"}`
    assert.equal((await mine.call('sendText', { body })).status, 400)
  })
})

behaviourContract('every route: queries', (gateway) => {
  const prepared = prepare(gateway)

  for (const { id, title, area } of keyedRoutes) {
    test(`400 when ${title} has an unknown field in the query`, async () => {
      const { call, keyFor, things } = await prepared()
      const sample = sampleCalls[id](things)
      const answer = await call(id, { ...sample, query: { ...sample.query, nonsense: 1 }, key: keyFor(area) })
      assert.equal(answer.status, 400)
      assert.equal(answer.json.reason, 'invalid_request')
      assert.deepEqual(answer.json.details, [{ path: 'nonsense', message: 'unknown field' }])
    })
  }

  for (const { id, title, area } of keyedRoutes.filter((route) => route.query)) {
    test(`400 when ${title} has a query field twice`, async () => {
      const { url, keyFor, things } = await prepared()
      const sample = sampleCalls[id](things)
      const [name = 'page'] = Object.keys(sample.query ?? {})
      const target = `${title.slice(title.indexOf('/')).replaceAll(/\{\w+\}/g, '1')}?${name}=1&${name}=1`
      const lines = [`Authorization: Bearer ${keyFor(area)}`]
      const answer = await exchange(url, request(title.split(' ')[0] as string, target, lines))
      noteAnswer(id, answer)
      assert.equal(answer.status, 400)
      assert.ok(faultPaths(answer).includes(name))
    })
  }

  for (const { id, title, area, params } of keyedRoutes.filter((route) => route.params)) {
    const ids = Object.keys(params?.shape ?? {}).filter((name) => !TEXT_IDS.has(name))
    if (ids.length === 0) continue
    test(`400 when ${title} has an invalid id`, async () => {
      const { call, keyFor, things } = await prepared()
      const sample = sampleCalls[id](things)
      for (const name of ids)
        for (const value of ['0', '-1', 'abc', '1e3', '9999999999999999']) {
          const input = { ...sample, params: { ...sample.params, [name]: value }, key: keyFor(area) }
          const answer = await call(id, input)
          assert.equal(answer.status, 400, value)
          assert.deepEqual(faultPaths(answer), [name])
        }
    })
  }
})
