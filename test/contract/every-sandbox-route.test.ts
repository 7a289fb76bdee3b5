// What all routes of `/sandbox/v1` have in common with the rest of the API: keys, scopes, subscriptions, limits, hostile bodies
// and isolation between accounts (decision 0080).
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fullPath, type Route } from '../../src/contract/route.ts'
import { SCOPES } from '../../src/contract/scopes.ts'
import { type Answer, callRoute } from '../support/gateway.ts'
import { type SandboxWorld, startSandboxWorld } from '../support/sandbox-world.ts'
import { exchange, request } from './raw-http.ts'
import {
  callSandbox,
  makeWorld,
  newAccount,
  type SandboxAccount,
  type SandboxRouteId,
  type SandboxThings,
  sandboxSamples,
  sandboxTable,
} from './sandbox-samples.ts'

const UNKNOWN: SandboxThings = {
  phone: '5511900000000',
  person: '5511900000009',
  group: '120363000000000000@g.us',
  messageId: '3EB000000000000000000000',
}
const titleOf = (route: Route) => `${route.method} ${fullPath(route)}`
const takesJson = (route: Route) => route.method !== 'GET' && !route.upload

describe('every route of the sandbox', () => {
  let gateway: SandboxWorld
  let mine: SandboxAccount
  let other: SandboxAccount
  let own: SandboxThings
  let theirs: SandboxThings
  before(async () => {
    gateway = await startSandboxWorld()
    mine = await newAccount(gateway.app)
    other = await newAccount(gateway.app)
    own = await makeWorld(mine, '5511950000001')
    theirs = await makeWorld(other, '5511950000002')
  })
  after(() => gateway.stop())
  const call = (id: SandboxRouteId, key: string | null, input = sandboxSamples[id](own)) =>
    callSandbox(gateway.app, id, key, input)
  const keyWith = async (scopes: readonly string[]) => {
    const made = await callRoute(gateway.app.url, 'createApiKey', {
      key: mine.key,
      body: { name: 'Scoped', scopes },
    })
    return made.json.key as string
  }
  /** Everything visible in a response, except what differs between any two requests or repeats the input. */
  const visible = ({ status, headers, bytes, json }: Answer, things: SandboxThings) => {
    const shown = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name))
    const text = [json?.requestId, ...Object.values(things)].reduce(
      (left: string, word) => left.replaceAll(String(word), ''),
      bytes.toString(),
    )
    return { status, shown, text }
  }

  test('401 when the key is missing or wrong', async () => {
    assert.equal((await call('sandboxListPhones', `${mine.key}x`)).status, 401)
    // After about twenty wrong keys the address is refused.
    for (const { id } of sandboxTable) assert.ok([401, 429].includes((await call(id, null)).status), id)
  })

  test('403 when the key has only other scopes', async () => {
    const rest = await keyWith(SCOPES.filter((scope) => scope !== 'sandbox'))
    for (const { id } of sandboxTable) {
      const answer = await call(id, rest)
      assert.deepEqual([answer.status, answer.json.reason], [403, 'scope_missing'], id)
    }
    assert.equal((await call('sandboxListPhones', await keyWith(['images']))).status, 403)
  })

  test('200 with the scope sandbox, which allows nothing else', async () => {
    const key = await keyWith(['sandbox'])
    assert.equal((await call('sandboxListPhones', key)).status, 200)
    assert.equal((await callRoute(gateway.app.url, 'listInstances', { key })).status, 403)
  })

  test('403 without a subscription', async () => {
    const expired = await newAccount(gateway.app)
    await callRoute(gateway.app.url, 'adminUpdateSubscription', {
      key: gateway.app.operatorKey,
      params: { id: expired.id },
      body: { status: 'expired' },
    })
    for (const { id } of sandboxTable) {
      const answer = await expired.call(id, sandboxSamples[id](own))
      assert.deepEqual([answer.status, answer.json.reason], [403, 'subscription_inactive'], id)
    }
  })

  test('429 when calls exceed the rate of the key', async () => {
    const slow = await newAccount(gateway.app, { requestsPerSecond: 1 })
    const calls = Array.from({ length: 6 }, () => slow.call('sandboxListPhones'))
    const answers = await Promise.all(calls)
    assert.ok(answers.some(({ status, headers }) => status === 429 && headers.has('retry-after')))
    assert.ok(answers.every(({ headers }) => headers.has('ratelimit-policy')))
  })

  for (const route of sandboxTable.filter(takesJson)) {
    test(`400, 413 or 415 when ${titleOf(route)} has a hostile body`, async () => {
      const sample = sandboxSamples[route.id](own)
      const refused = async (body: unknown) => {
        const answer = await call(route.id, mine.key, { ...sample, body })
        assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 60))
        assert.equal(answer.json.requestId, answer.headers.get('x-request-id'))
        return answer.json.details as { path: string; message: string }[]
      }
      assert.deepEqual(await refused({ a: 'x\0' }), [
        { path: 'a', message: 'must not contain the NUL character' },
      ])
      assert.match(
        (await refused(`[${'[],'.repeat(300_000)}[]]`))[0]?.message ?? '',
        /more than 20000 values/,
      )
      assert.match((await refused('['.repeat(500_000)))[0]?.message ?? '', /nested deeper/)
      assert.match((await refused('['.repeat(40) + ']'.repeat(40)))[0]?.message ?? '', /nested deeper/)
      const path = fullPath(route).replace('{number}', own.phone).replace('{jid}', own.group)
      const lines = [`Authorization: Bearer ${mine.key}`, `Content-Length: ${1024 * 1024 + 1}`]
      const large = await exchange(
        gateway.app.url,
        request(route.method, path, [...lines, 'Content-Type: application/json']),
      )
      assert.deepEqual([large.status, large.json.reason], [413, 'body_too_large'])
      assert.equal(large.json.error, 'The request body is larger than 1 MB.')
      const xml = [`Authorization: Bearer ${mine.key}`, 'Content-Length: 4', 'Content-Type: application/xml']
      const typed = await exchange(gateway.app.url, request(route.method, path, xml, '<a/>'))
      assert.equal(typed.status, 415)
    })
  }

  test('413 when Content-Length announces more than 100 MB', async () => {
    const path = `/sandbox/v1/phones/${own.phone}/media?to=${own.person}&type=document`
    const lines = [`Authorization: Bearer ${mine.key}`, `Content-Length: ${100 * 1024 * 1024 + 1}`]
    const answer = await exchange(gateway.app.url, request('POST', path, lines))
    assert.deepEqual([answer.status, answer.json.reason], [413, 'body_too_large'])
    assert.equal(answer.json.error, 'The request body is larger than 100 MB.')
  })

  test('404 for an unknown path, 405 for an unsupported method', async () => {
    const ask = (method: string, path: string) => fetch(new URL(path, gateway.app.url), { method })
    assert.equal((await ask('GET', '/sandbox/v1/nothing')).status, 404)
    const answer = await ask('PUT', '/sandbox/v1/phones')
    assert.equal(answer.status, 405)
    assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), ['GET', 'POST'])
  })

  test('404 from the sandbox contains the request id of the gateway', async () => {
    const answer = await mine.call('sandboxGetPhone', { params: { number: UNKNOWN.phone } })
    assert.equal(answer.status, 404)
    assert.match(answer.json.requestId, /^req-/)
    assert.equal(answer.json.requestId, answer.headers.get('x-request-id'))
  })

  // Creating a phone with another account's number gets 409: see below.
  const aboutThings = sandboxTable.filter(
    ({ id }) =>
      JSON.stringify(sandboxSamples[id](UNKNOWN)) !==
        JSON.stringify(sandboxSamples[id]({ ...UNKNOWN, phone: '', group: '' })) &&
      id !== 'sandboxCreatePhone',
  )
  test('all routes but these address data of one account', () => {
    const rest = sandboxTable.filter((route) => !aboutThings.includes(route)).map(({ id }) => id)
    assert.deepEqual(rest.sort(), [
      'sandboxCreatePhone',
      'sandboxGetNetwork',
      'sandboxListChanges',
      'sandboxListFaults',
      'sandboxListGroups',
      'sandboxListPhones',
      'sandboxSetNetwork',
    ])
  })
  const filters = new Set<SandboxRouteId>(['sandboxClearFaults', 'sandboxListFrames'])
  for (const route of aboutThings) {
    test(`${filters.has(route.id) ? 200 : 404} when ${titleOf(route)} addresses another account, the same as for unknown data`, async () => {
      const answer = await mine.call(route.id, sandboxSamples[route.id](theirs))
      const unknown = await mine.call(route.id, sandboxSamples[route.id](UNKNOWN))
      assert.equal(answer.status, filters.has(route.id) ? 200 : 404)
      assert.deepEqual(visible(answer, theirs), visible(unknown, UNKNOWN))
    })
  }

  test('404 when the group belongs to another account, also with a phone of the caller', async () => {
    const leave = { params: { jid: theirs.group }, body: { number: own.phone } }
    assert.equal((await mine.call('sandboxLeaveGroup', leave)).json.reason, 'group_not_found')
    const by = { params: { jid: own.group }, body: { subject: 'x', by: theirs.phone } }
    assert.equal((await mine.call('sandboxChangeGroup', by)).json.reason, 'phone_not_found')
    const admin = { body: { subject: 'x', members: [own.phone], admin: theirs.phone } }
    assert.equal((await mine.call('sandboxCreateGroup', admin)).json.reason, 'phone_not_found')
  })

  test('404 when the phone that scans is of another account', async () => {
    const body = { instanceName: 'Scanned' }
    const created = await callRoute(gateway.app.url, 'createInstance', { key: mine.key, body })
    const instanceName = created.json.instance.apiInstanceName as string
    const answer = await mine.call('sandboxScan', {
      params: { number: theirs.phone },
      body: { instanceName },
    })
    assert.deepEqual([answer.status, answer.json.reason], [404, 'phone_not_found'])
    const { json } = await other.call('sandboxGetPhone', { params: { number: theirs.phone } })
    assert.deepEqual(json.phone.devices, [])
  })

  test('200 with the operator cookie; 403 when a change has no CSRF token', async () => {
    const { url, operatorKey } = gateway.app
    const signedIn = await callRoute(url, 'operatorSignIn', { body: { key: operatorKey } })
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const phones = new URL('/sandbox/v1/phones', url)
    assert.equal((await fetch(phones, { headers: { cookie } })).status, 200)
    const refused = await fetch(phones, { method: 'POST', headers: { cookie } })
    assert.equal(((await refused.json()) as { reason: string }).reason, 'csrf_failed')
  })

  test('409 when another account has the number, which stays unchanged', async () => {
    const answer = await mine.call('sandboxCreatePhone', { body: { number: theirs.phone, name: 'Mine now' } })
    assert.deepEqual([answer.status, answer.json.reason], [409, 'number_taken'])
    const { json } = await other.call('sandboxGetPhone', { params: { number: theirs.phone } })
    assert.equal(json.phone.name, 'Ana')
  })

  test('200 returns lists without data of another account', async () => {
    const numbers = (list: { number: string }[]) => [...new Set(list.map(({ number }) => number))].sort()
    const { phones } = (await mine.call('sandboxListPhones')).json
    assert.deepEqual(numbers(phones), [own.phone, own.person])
    const { groups } = (await mine.call('sandboxListGroups')).json
    assert.deepEqual(
      groups.map(({ jid }: { jid: string }) => jid),
      [own.group],
    )
    assert.deepEqual(numbers((await mine.call('sandboxListFaults')).json.faults), [own.person])
    assert.deepEqual(numbers((await mine.call('sandboxListFrames')).json.frames), [own.phone, own.person])
  })

  test("200 ends all faults of the caller's phones only", async () => {
    await mine.call('sandboxClearFaults')
    assert.equal((await other.call('sandboxListFaults')).json.faults.length, 1)
    await mine.call('sandboxCreateFault', { body: { number: own.person, kind: 'restrict' } })
  })

  test('403 when an account changes the addressing', async () => {
    const answer = await mine.call('sandboxSetNetwork', { body: { addressing: 'pn' } })
    assert.deepEqual([answer.status, answer.json.reason], [403, 'operator_only'])
    assert.equal((await call('sandboxSetNetwork', gateway.app.operatorKey)).status, 200)
  })

  test('403 when an account puts frames on the wire, and 200 for the operator', async () => {
    const input = sandboxSamples.sandboxInjectFrames(own)
    const answer = await mine.call('sandboxInjectFrames', input)
    assert.deepEqual([answer.status, answer.json.reason], [403, 'operator_only'])
    const { json } = await call('sandboxInjectFrames', gateway.app.operatorKey, input)
    // No device is linked.
    assert.equal(json.sent, 0)
  })

  test('200 returns the phones, groups and faults of all accounts to the operator', async () => {
    const key = gateway.app.operatorKey
    const { phones } = (await call('sandboxListPhones', key, {})).json
    const found = new Set(phones.map(({ number }: { number: string }) => number))
    for (const number of [own.phone, theirs.phone]) assert.ok(found.has(number))
    assert.equal((await call('sandboxListFaults', key, {})).json.faults.length, 2)
    assert.equal((await call('sandboxGetGroup', key, { params: { jid: theirs.group } })).status, 200)
    assert.equal((await call('sandboxGetMessage', key, sandboxSamples.sandboxGetMessage(theirs))).status, 200)
    const scan = await call('sandboxScan', key, {
      params: { number: own.phone },
      body: { instanceName: 'x-00000000' },
    })
    assert.equal(scan.json.details[0].path, 'instanceName')
  })

  test('409 when the phone belongs to the operator', async () => {
    const number = '5511950000077'
    await call('sandboxCreatePhone', gateway.app.operatorKey, { body: { number } })
    assert.equal((await mine.call('sandboxCreatePhone', { body: { number } })).json.reason, 'number_taken')
    assert.equal((await mine.call('sandboxScan', { params: { number }, body: { qr: 'x' } })).status, 404)
  })

  test('200 when phones of two accounts write to each other', async () => {
    const begin = (await other.call('sandboxListChanges')).json.cursor
    const sent = await mine.call('sandboxSend', {
      params: { number: own.phone },
      body: { to: theirs.phone, text: 'who is there?' },
    })
    const shown = await other.call('sandboxGetMessage', {
      params: { number: theirs.phone, id: sent.json.messageId },
      query: { waitMs: '20000' },
    })
    assert.equal(shown.json.message.text, 'who is there?')
    const { changes } = (await other.call('sandboxListChanges', { query: { after: begin, waitMs: '20000' } }))
      .json
    assert.deepEqual(changes, [{ about: 'messages', number: theirs.phone, chat: own.phone }])
  })

  test('200 when a phone reads and leaves a group that another account added it to', async () => {
    const made = await mine.call('sandboxCreateGroup', {
      body: { subject: 'Both', members: [theirs.phone], admin: own.phone },
    })
    const { jid } = made.json.group
    const { chats } = (await other.call('sandboxListChats', { params: { number: theirs.phone } })).json
    assert.ok(chats.some(({ chat }: { chat: string }) => chat === jid))
    assert.equal((await other.call('sandboxGetGroup', { params: { jid } })).status, 404)
    const leave = { params: { jid }, body: { number: theirs.phone } }
    assert.equal((await other.call('sandboxLeaveGroup', leave)).status, 200)
    assert.equal((await other.call('sandboxLeaveGroup', leave)).json.reason, 'group_not_found')
  })
})
