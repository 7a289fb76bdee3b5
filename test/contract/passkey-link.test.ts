// POST /session/passkey, /session/passkey/assertion, /confirm and /cancel: the one-time link, without a key
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newLinkToken } from '../../src/instances/rules-passkey.ts'
import { StoreError } from '../../src/kernel/store-error.ts'
import { NetworkError } from '../../src/network/network.ts'
import { contract, noteAnswer } from '../support/gateway.ts'
import { signedAssertion } from '../support/passkey-assertion.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { NETWORK_FAILURES, wrongAssertions } from './passkey-faults.ts'
import { demandPasskey } from './passkey-sessions.ts'
import { exchange, request } from './raw-http.ts'

const BODY_LIMIT_BYTES = 256 * 1024
const ROUTES = [
  ['readPasskeyLink', '/session/passkey', {}],
  [
    'answerPasskeyByLink',
    '/session/passkey/assertion',
    { assertion: signedAssertion({ challenge: 'AAAA' }) },
  ],
  ['confirmPasskeyByLink', '/session/passkey/confirm', { code: 'ABCD-1234' }],
  ['cancelPasskeyByLink', '/session/passkey/cancel', {}],
] as const

for (const [id, path, rest] of ROUTES) {
  contract(`POST ${path}`, (gateway) => {
    const fixture = withInstance(gateway)
    /** An address may send twenty wrong tokens per minute. */
    const send = async (token: unknown) => {
      const { call, clock } = await fixture()
      clock.advance(60_000)
      return call(id, { key: null, body: { token, ...rest } })
    }
    const linked = async () => {
      const running = await fixture()
      const demanded = await demandPasskey(running)
      const created = await running.mine.call('createPasskeyLink', { query: { instanceName: demanded.name } })
      const token = new URL(created.json.link.url).hash.slice(1)
      const use = (input: object) => running.call(id, { key: null, body: { token, ...input } })
      return { ...running, ...demanded, token, use }
    }
    const later = async () => (await fixture()).clock.now() + 300_000

    test('400, 413 or 415 when the body is not JSON, too large, or has unknown fields', async () => {
      const { call, url } = await fixture()
      assert.equal((await call(id, { key: null, body: '{"a":' })).status, 400)
      assert.deepEqual(faultPaths(await send('')), ['token'])
      const typed = { key: null, body: 'a=1', headers: { 'content-type': 'text/plain' } }
      assert.equal((await call(id, typed)).status, 415)
      const lines = ['Content-Type: application/json', `Content-Length: ${BODY_LIMIT_BYTES + 1}`]
      const answer = await exchange(url, request('POST', path, lines))
      noteAnswer(id, answer)
      assert.equal(answer.status, 413)
    })

    test('404 for a wrong token, an unknown instance, a replaced link and an expired one', async () => {
      const { mine, name, id: instanceId, token, clock } = await linked()
      const wrong = [
        newLinkToken(instanceId),
        newLinkToken(999_999_999),
        'nonsense',
        `${token.slice(0, -1)}!`,
      ]
      for (const each of wrong) {
        const answer = await send(each)
        assert.deepEqual([answer.status, answer.json.reason], [404, 'passkey_link_not_found'])
      }
      await mine.call('createPasskeyLink', { query: { instanceName: name } })
      assert.equal((await send(token)).status, 404, 'replaced')
      const next = await linked()
      clock.advance(600_000)
      assert.equal((await next.use(rest)).status, 404, 'expired')
    })

    test('429 after twenty wrong tokens in a minute from one address, while the right one is heard', async () => {
      const { call, clock, use } = await linked()
      clock.advance(60_000)
      clock.freeze()
      const guess = () => call(id, { key: null, body: { token: newLinkToken(7), ...rest } })
      const answers = await Promise.all(Array.from({ length: 21 }, guess)).finally(clock.thaw)
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [...Array(20).fill(404), 429])
      const refused = answers.find(({ status }) => status === 429)
      assert.equal(refused?.json.reason, 'rate_limited')
      assert.match(refused?.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      assert.ok(![404, 429].includes((await use(rest)).status))
      clock.advance(60_000)
    })

    for (const [status, error] of [
      [500, new Error('boom')],
      [503, new StoreError('unavailable', 'gone')],
    ] as const) {
      test(`${status} when the link cannot be looked up`, async () => {
        const { use, ...running } = await linked()
        const followPasskeyLink = () => Promise.reject(error)
        assert.equal((await scripted(running, { followPasskeyLink }, () => use(rest))).status, status)
      })
    }

    if (id === 'readPasskeyLink') {
      test('200 returns the name of the instance and the step, then the result alone', async () => {
        const { use, challenge, end } = await linked()
        const answer = await use({})
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('cache-control'), 'no-store')
        assert.equal(answer.json.displayName, 'Passkey')
        assert.equal(answer.json.passkey.options.challenge, challenge)
        assert.equal(answer.json.result, null)
        end()
        const { passkey, result } = (await use({})).json
        assert.deepEqual([passkey, result], [null, 'expired'])
      })
    }

    if (id === 'answerPasskeyByLink') {
      test('200 sends the assertion; 409 when it is sent again, or after the end', async () => {
        const { use, challenge, network, advance, end } = await linked()
        network.answer = async () => advance({ step: 'assertion_sent', expiresAt: await later() })
        const assertion = signedAssertion({ challenge })
        const answer = await use({ assertion })
        assert.deepEqual([answer.status, answer.json.passkey.step], [200, 'assertion_sent'])
        assert.equal((await use({ assertion })).json.reason, 'passkey_not_expected')
        end()
        assert.equal((await use({ assertion })).status, 409)
      })

      test('422 names the field that is wrong; 409 after ten wrong assertions', async () => {
        const { use, challenge } = await linked()
        const wrong = wrongAssertions(challenge)
        for (const [reason, field, assertion] of [...wrong, ...wrong.slice(0, 3)]) {
          const answer = await use({ assertion })
          assert.deepEqual([answer.status, answer.json.reason, answer.json.field], [422, reason, field])
        }
        const answer = await use({ assertion: signedAssertion({ challenge }) })
        assert.deepEqual([answer.status, answer.json.reason], [409, 'passkey_attempts_used'])
      })
    }

    if (id === 'confirmPasskeyByLink') {
      test('200 confirms the code that is shown; 409 for another one, or too early', async () => {
        const { use, advance } = await linked()
        assert.equal((await use({ code: 'ABCD-1234' })).json.reason, 'passkey_not_expected')
        await advance({ step: 'confirmation_needed', code: 'ABCD-1234', expiresAt: await later() })
        assert.equal((await use({ code: 'ABCD-1235' })).json.reason, 'passkey_other_code')
        assert.equal((await use({ code: 'ABCD-1234' })).status, 200)
      })
    }

    if (id === 'cancelPasskeyByLink') {
      test('200 ends the step, and the link shows the result; 409 when it is over', async () => {
        const { use, call, token } = await linked()
        assert.equal((await use({})).status, 200)
        const { passkey, result } = (await call('readPasskeyLink', { key: null, body: { token } })).json
        assert.deepEqual([passkey, result], [null, 'cancelled'])
        const again = await use({})
        assert.deepEqual([again.status, again.json.reason], [409, 'passkey_not_expected'])
      })

      test('504 when the node that serves the instance was lost on the way', async () => {
        const { use, ...running } = await linked()
        const cancelPasskey = () => Promise.reject(new NetworkError('outcome_unknown', 'the node was lost'))
        const answer = await scripted(running, { cancelPasskey }, () => use({}))
        assert.deepEqual([answer.status, answer.json.reason], [504, 'outcome_unknown'])
      })
    }

    if (id === 'answerPasskeyByLink' || id === 'confirmPasskeyByLink') {
      for (const [status, reason, error] of NETWORK_FAILURES) {
        test(`${status} when the network answers with ${reason}`, async () => {
          const { use, challenge, network, advance } = await linked()
          network.answer = () => Promise.reject(error)
          network.confirm = () => Promise.reject(error)
          if (id === 'confirmPasskeyByLink')
            await advance({ step: 'confirmation_needed', code: 'ABCD-1234', expiresAt: await later() })
          const input = id === 'confirmPasskeyByLink' ? rest : { assertion: signedAssertion({ challenge }) }
          const answer = await use(input)
          assert.deepEqual([answer.status, answer.json.reason], [status, reason])
        })
      }
    }
  })
}
