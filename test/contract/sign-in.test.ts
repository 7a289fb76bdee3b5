// POST, GET and DELETE /session, for accounts and for the operator (decision 0040)
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { RouteId } from '../../src/contract/routes.ts'
import { StoreError } from '../../src/kernel/store-error.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import {
  type Account,
  type Answer,
  contract,
  type Gateway,
  noteAnswer,
  startGateway,
} from '../support/gateway.ts'
import { type Fault, faultyStore } from './faulty-store.ts'
import { faultPaths, shared } from './fixture.ts'
import { exchange, request } from './raw-http.ts'

const HOUR_MS = 3_600_000
const BODY_LIMIT_BYTES = 256 * 1024
const WRONG_KEY = 'sk_not-a-key-of-anyone-at-all-000000000000'

interface Kind {
  path: string
  signIn: RouteId
  signedIn: RouteId
  signOut: RouteId
  keyOf(gateway: Gateway, account: Account): string
}
const KINDS: Kind[] = [
  {
    path: '/session',
    signIn: 'signIn',
    signedIn: 'signedIn',
    signOut: 'signOut',
    keyOf: (_gateway, account) => account.key,
  },
  {
    path: '/session/operator',
    signIn: 'operatorSignIn',
    signedIn: 'operatorSignedIn',
    signOut: 'operatorSignOut',
    keyOf: (gateway) => gateway.app.operatorKey,
  },
]

/** The cookie as a browser would send it back. */
export const cookieFrom = (answer: Answer): string => answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''

for (const { path, signIn, signedIn, signOut, keyOf } of KINDS) {
  const prepare = (gateway: () => Promise<Gateway>) =>
    shared(async () => {
      const running = await gateway()
      const key = keyOf(running, await running.account())
      const made = await running.call(signIn, { key: null, body: { key } })
      return { ...running, key, made, cookie: cookieFrom(made) }
    })

  contract(`POST ${path}`, (gateway) => {
    const prepared = prepare(gateway)
    test('200 sets an HttpOnly cookie for twelve hours and returns the CSRF token', async () => {
      const { made, key, clock } = await prepared()
      assert.equal(made.status, 200)
      const [cookie = ''] = made.headers.getSetCookie()
      const [pair = '', ...flags] = cookie.split('; ')
      assert.deepEqual(flags.sort(), ['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict'])
      assert.ok(!pair.includes(key) && !made.bytes.toString().includes(key))
      assert.match(made.json.signedIn.csrfToken, /^[\w-]{32}$/)
      assert.ok(!pair.includes(made.json.signedIn.csrfToken))
      assert.ok(Math.abs(Date.parse(made.json.signedIn.expiresAt) - clock.now() - 12 * HOUR_MS) < HOUR_MS)
      assert.equal(made.headers.get('cache-control'), 'no-store')
    })

    test('200 sets a Secure cookie over https', async () => {
      const { call, key } = await prepared()
      const headers = { 'x-forwarded-proto': 'https' }
      const answer = await call(signIn, { key: null, body: { key }, headers })
      assert.match(answer.headers.getSetCookie()[0] ?? '', /; Secure/)
    })

    test('401 for wrong keys, then 429 for the address', async () => {
      const { call, clock } = await prepared()
      clock.advance(60_000)
      const wrong = () => call(signIn, { key: null, body: { key: WRONG_KEY } })
      // A slow machine must not give the address time for another try.
      clock.freeze()
      const answers = await Promise.all(Array.from({ length: 21 }, wrong)).finally(clock.thaw)
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [...Array(20).fill(401), 429])
      const refused = answers.find((answer) => answer.status === 429)
      assert.match(refused?.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      for (const answer of answers) assert.deepEqual(answer.headers.getSetCookie(), [])
      clock.advance(60_000)
    })

    test('400 when the key is missing, or body or query have an unknown field', async () => {
      const { call } = await prepared()
      for (const body of [{}, { key: 1 }, { key: '' }]) {
        assert.deepEqual(faultPaths(await call(signIn, { key: null, body })), ['key'])
      }
      assert.deepEqual(faultPaths(await call(signIn, { key: null, body: { key: 'x', nonsense: 1 } })), [
        'nonsense',
      ])
      const inQuery = await call(signIn, { key: null, body: { key: 'x' }, query: { key: 'x' } })
      assert.deepEqual(faultPaths(inQuery), ['key'])
    })
  })

  contract(`GET ${path}`, (gateway) => {
    const prepared = prepare(gateway)
    test('200 returns the same CSRF token again, for a reloaded page', async () => {
      const { call, made, cookie } = await prepared()
      const answer = await call(signedIn, { key: null, headers: { cookie } })
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, made.json)
    })

    if (path === '/session')
      test('200 gives the scopes and the walls of the key', async () => {
        const { call, key } = await prepared()
        const chats = ['5511912345678@s.whatsapp.net']
        const body = { name: 'Desk', scopes: ['read'], chats, messagesPerDay: 5 }
        const limited = (await call('createApiKey', { key, body })).json.key as string
        const { json } = await call(signIn, { key: null, body: { key: limited } })
        const { scopes, instances, chats: shown, messagesPerDay, approval, approvalOnPhone } = json.signedIn
        assert.deepEqual(
          { scopes, instances, shown, messagesPerDay, approval, approvalOnPhone },
          {
            scopes: ['read'],
            instances: null,
            shown: chats,
            messagesPerDay: 5,
            approval: false,
            approvalOnPhone: false,
          },
        )
      })

    test('200 returns null without a cookie, with a changed one and after twelve hours; none counts as a wrong key', async () => {
      const { call, key, clock } = await prepared()
      const fresh = cookieFrom(await call(signIn, { key: null, body: { key } }))
      const changed = `${fresh.slice(0, -2)}${fresh.endsWith('AA') ? 'BB' : 'AA'}`
      const ask = async (cookie: string) => {
        const { status, json } = await call(signedIn, { key: null, headers: { cookie } })
        assert.equal(status, 200)
        return json
      }
      const signedOut = { success: true, signedIn: null }
      for (let tries = 0; tries < 15; tries += 1) {
        assert.deepEqual(await ask(''), signedOut)
        assert.deepEqual(await ask(changed), signedOut)
      }
      assert.ok((await ask(fresh)).signedIn)
      clock.advance(12 * HOUR_MS)
      assert.deepEqual(await ask(fresh), signedOut)
    })

    test('400 when the query has an unknown field', async () => {
      const { call } = await prepared()
      assert.equal((await call(signedIn, { key: null, query: { nonsense: 1 } })).status, 400)
    })
  })

  contract(`DELETE ${path}`, (gateway) => {
    const prepared = prepare(gateway)
    test('200 removes the cookie, and does nothing without one', async () => {
      const { call, key } = await prepared()
      const made = await call(signIn, { key: null, body: { key } })
      const headers = { cookie: cookieFrom(made), 'x-csrf-token': made.json.signedIn.csrfToken as string }
      for (const given of [headers, {}]) {
        const answer = await call(signOut, { key: null, headers: given })
        assert.equal(answer.status, 200)
        assert.match(
          answer.headers.getSetCookie()[0] ?? '',
          /^switchboard_\w+=; Max-Age=0; Path=\/; HttpOnly/,
        )
      }
    })

    test('403 when the CSRF token is missing', async () => {
      const { call, key } = await prepared()
      const cookie = cookieFrom(await call(signIn, { key: null, body: { key } }))
      const answer = await call(signOut, { key: null, headers: { cookie } })
      assert.equal(answer.status, 403)
      assert.equal(answer.json.reason, 'csrf_failed')
    })
  })

  for (const id of [signIn, signOut]) {
    contract(`bodies of ${id}`, (gateway) => {
      test('400, 413 or 415 when the body is not JSON, too large, or has unknown fields', async () => {
        const { call, url } = await gateway()
        const method = id === signIn ? 'POST' : 'DELETE'
        assert.equal((await call(id, { key: null, body: '{"a":' })).status, 400)
        const typed = { key: null, body: 'a=1', headers: { 'content-type': 'text/plain' } }
        assert.equal((await call(id, typed)).status, 415)
        const lines = ['Content-Type: application/json', `Content-Length: ${BODY_LIMIT_BYTES + 1}`]
        const answer = await exchange(url, request(method, path, lines))
        noteAnswer(id, answer)
        assert.equal(answer.status, 413)
      })
    })
  }
}

for (const engine of behaviourEngines('postgres')) {
  describe(`signing in while the store fails on ${engine.name}`, () => {
    const fault: Fault = { error: undefined, hold: undefined }
    const prepared = shared(async () => {
      const gateway = await startGateway(engine, {}, { wrapStore: (store) => faultyStore(store, fault) })
      return { ...gateway, mine: await gateway.account() }
    })
    after(async () => (await prepared()).stop())

    for (const [status, error] of [
      [500, new Error('boom')],
      [503, new StoreError('unavailable', 'gone')],
    ] as const) {
      test(`${status} without a new cookie when the store fails`, async () => {
        const { call, mine, clock } = await prepared()
        const made = await call('signIn', { key: null, body: { key: mine.key } })
        clock.advance(1000)
        fault.error = error
        try {
          const again = await call('signIn', { key: null, body: { key: mine.key } })
          assert.equal(again.status, status)
          assert.deepEqual(again.headers.getSetCookie(), [])
          const requested = await call('signedIn', { key: null, headers: { cookie: cookieFrom(made) } })
          assert.equal(requested.status, status)
        } finally {
          fault.error = undefined
        }
      })
    }
  })
}
