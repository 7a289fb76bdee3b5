// GET /instance/passkey, POST /instance/passkey/assertion, /confirm, /cancel and /link, and what other endpoints show of the step
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { signedAssertion } from '../support/passkey-assertion.ts'
import { type Fixture, faultPaths, scripted, withInstance } from './fixture.ts'
import { NETWORK_FAILURES, wrongAssertions } from './passkey-faults.ts'
import { demandPasskey } from './passkey-sessions.ts'

const later = (running: Fixture) => running.clock.now() + 300_000
const IDS = ['getPasskey', 'answerPasskey', 'confirmPasskey', 'cancelPasskey', 'createPasskeyLink'] as const
const TITLES = {
  getPasskey: 'GET /instance/passkey',
  answerPasskey: 'POST /instance/passkey/assertion',
  confirmPasskey: 'POST /instance/passkey/confirm',
  cancelPasskey: 'POST /instance/passkey/cancel',
  createPasskeyLink: 'POST /instance/passkey/link',
} as const
const BODIES = {
  getPasskey: undefined,
  answerPasskey: { assertion: signedAssertion({ challenge: 'AAAA' }) },
  confirmPasskey: { code: 'ABCD-1234' },
  cancelPasskey: undefined,
  createPasskeyLink: undefined,
}

for (const id of IDS) {
  contract(TITLES[id], (gateway) => {
    const fixture = withInstance(gateway)
    test('400 when instanceName is missing', async () => {
      const answer = await (await fixture()).mine.call(id, { body: BODIES[id] })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['instanceName'])
    })

    test('404 when the instance does not exist, or belongs to another account', async () => {
      const running = await fixture()
      const other = await running.account()
      for (const [account, instanceName] of [
        [running.mine, 'unknown-00000000'],
        [other, running.instance.name],
      ] as const) {
        const answer = await account.call(id, { query: { instanceName }, body: BODIES[id] })
        assert.deepEqual([answer.status, answer.json.reason], [404, 'instance_not_found'])
      }
    })
  })
}

contract('GET /instance/passkey', (gateway) => {
  const fixture = withInstance(gateway)
  const read = async (instanceName: string) =>
    (await fixture()).mine.call('getPasskey', { query: { instanceName } })

  test('200 returns the challenge while the network demands an assertion, and no longer after it', async () => {
    const running = await fixture()
    const { name, challenge, advance } = await demandPasskey(running)
    const answer = await read(name)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const { passkey } = answer.json
    assert.deepEqual([passkey.step, passkey.code], ['assertion_needed', null])
    assert.equal(passkey.options.challenge, challenge)
    assert.equal(passkey.origin, 'https://web.whatsapp.com')
    await advance({ step: 'confirmation_needed', code: 'ABCD-1234', expiresAt: later(running) })
    const after = (await read(name)).json.passkey
    assert.deepEqual([after.step, after.code, after.options], ['confirmation_needed', 'ABCD-1234', null])
  })

  test('200 returns null when the network demands no passkey', async () => {
    const { instance } = await fixture()
    assert.equal((await read(instance.name)).json.passkey, null)
  })

  test('200 shows the step, without the challenge, in the state and in the refusal of the QR code', async () => {
    const running = await fixture()
    const { name, challenge, advance } = await demandPasskey(running)
    const query = { instanceName: name }
    const state = await running.mine.call('instanceState', { query })
    assert.equal(state.json.instance.stateReason, 'awaiting_passkey')
    assert.equal(state.json.passkey.step, 'assertion_needed')
    const image = await running.mine.call('qrImage', { query })
    assert.deepEqual([image.status, image.json.reason], [409, 'passkey_pending'])
    assert.equal(image.json.passkey.step, 'assertion_needed')
    for (const answer of [state, image]) assert.ok(!JSON.stringify(answer.json).includes(challenge))
    await advance({ step: 'finishing', code: 'ABCD-1234', expiresAt: later(running) })
    const { passkey } = (await running.mine.call('instanceState', { query })).json
    assert.deepEqual([passkey.step, passkey.code], ['finishing', 'ABCD-1234'])
  })
})

contract('POST /instance/passkey/assertion', (gateway) => {
  const fixture = withInstance(gateway)
  const hand = async (instanceName: string, assertion: unknown) =>
    (await fixture()).mine.call('answerPasskey', { query: { instanceName }, body: { assertion } })

  test('200 sends the assertion once, without the fields that a browser adds', async () => {
    const running = await fixture()
    const { name, challenge, network, advance } = await demandPasskey(running)
    network.answer = () => advance({ step: 'assertion_sent', expiresAt: later(running) })
    const assertion = { ...signedAssertion({ challenge }), clientExtensionResults: { uvm: [] } }
    const answer = await hand(name, assertion)
    assert.equal(answer.status, 200)
    assert.equal(answer.json.passkey.step, 'assertion_sent')
    const again = await hand(name, assertion)
    assert.deepEqual([again.status, again.json.reason], [409, 'passkey_not_expected'])
  })

  test('400 when a field is missing or too long', async () => {
    const { name, challenge } = await demandPasskey(await fixture())
    const good = signedAssertion({ challenge })
    const { signature: _, ...response } = good.response
    for (const [body, path] of [
      [{ ...good, response }, 'assertion.response.signature'],
      [{ ...good, type: 'password' }, 'assertion.type'],
      [{ ...good, rawId: 'A'.repeat(1401) }, 'assertion.rawId'],
    ] as const) {
      const answer = await hand(name, body)
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), [path])
    }
  })

  test('409 when the network demands no passkey', async () => {
    const { instance } = await fixture()
    const answer = await hand(instance.name, signedAssertion({ challenge: 'AAAA' }))
    assert.deepEqual([answer.status, answer.json.reason], [409, 'passkey_not_expected'])
  })

  test('422 names the field that is wrong; 409 after ten wrong assertions, also for the right one', async () => {
    const { name, challenge } = await demandPasskey(await fixture())
    const wrong = wrongAssertions(challenge)
    for (const [reason, field, assertion] of [...wrong, ...wrong.slice(0, 3)]) {
      const answer = await hand(name, assertion)
      assert.deepEqual([answer.status, answer.json.reason, answer.json.field], [422, reason, field])
      assert.ok(!JSON.stringify(answer.json).includes(assertion.response.signature))
    }
    const answer = await hand(name, signedAssertion({ challenge }))
    assert.deepEqual([answer.status, answer.json.reason], [409, 'passkey_attempts_used'])
  })

  for (const [status, reason, error] of NETWORK_FAILURES) {
    test(`${status} when the network answers with ${reason}`, async () => {
      const { name, challenge, network } = await demandPasskey(await fixture())
      network.answer = () => Promise.reject(error)
      const answer = await hand(name, signedAssertion({ challenge }))
      assert.deepEqual([answer.status, answer.json.reason], [status, reason])
    })
  }
})

contract('POST /instance/passkey/confirm', (gateway) => {
  const fixture = withInstance(gateway)
  const confirm = async (instanceName: string, code: unknown) =>
    (await fixture()).mine.call('confirmPasskey', { query: { instanceName }, body: { code } })
  const shown = async () => {
    const running = await fixture()
    const demanded = await demandPasskey(running)
    await demanded.advance({ step: 'confirmation_needed', code: 'ABCD-1234', expiresAt: later(running) })
    return demanded
  }

  test('200 confirms the code that is shown', async () => {
    const { name, network } = await shown()
    let confirmed = 0
    network.confirm = async () => void (confirmed += 1)
    assert.equal((await confirm(name, 'abcd 1234')).status, 200)
    assert.equal(confirmed, 1)
  })

  test('400 when the code is missing or empty', async () => {
    const { name } = await shown()
    for (const code of [undefined, '', 7]) assert.deepEqual(faultPaths(await confirm(name, code)), ['code'])
  })

  test('409 when another code is shown, or none', async () => {
    const { name } = await shown()
    const other = await confirm(name, 'ABCD-9999')
    assert.deepEqual([other.status, other.json.reason], [409, 'passkey_other_code'])
    const early = await confirm((await demandPasskey(await fixture())).name, 'ABCD-1234')
    assert.deepEqual([early.status, early.json.reason], [409, 'passkey_not_expected'])
  })

  for (const [status, reason, error] of NETWORK_FAILURES) {
    test(`${status} when the network answers with ${reason}`, async () => {
      const { name, network } = await shown()
      network.confirm = () => Promise.reject(error)
      const answer = await confirm(name, 'ABCD-1234')
      assert.deepEqual([answer.status, answer.json.reason], [status, reason])
    })
  }
})

contract('POST /instance/passkey/cancel', (gateway) => {
  const fixture = withInstance(gateway)
  const cancel = async (instanceName: string) =>
    (await fixture()).mine.call('cancelPasskey', { query: { instanceName } })

  for (const step of ['assertion_needed', 'assertion_sent', 'confirmation_needed'] as const)
    test(`200 ends the step in ${step}: the state has its reason, and nothing more is accepted`, async () => {
      const running = await fixture()
      const { name, challenge, advance } = await demandPasskey(running)
      if (step !== 'assertion_needed') await advance({ step, code: 'ABCD-1234', expiresAt: later(running) })
      assert.equal((await cancel(name)).status, 200)
      const query = { instanceName: name }
      const { instance, passkey } = (await running.mine.call('instanceState', { query })).json
      assert.deepEqual([instance.state, instance.stateReason, passkey], ['close', 'passkey_cancelled', null])
      for (const late of [
        await cancel(name),
        await running.mine.call('confirmPasskey', { query, body: { code: 'ABCD-1234' } }),
        await running.mine.call('answerPasskey', {
          query,
          body: { assertion: signedAssertion({ challenge }) },
        }),
      ])
        assert.deepEqual([late.status, late.json.reason], [409, 'passkey_not_expected'])
    })

  test('409 when the network demands no passkey, and when the device is about to be linked', async () => {
    const running = await fixture()
    const { name, advance } = await demandPasskey(running)
    await advance({ step: 'finishing', code: 'ABCD-1234', expiresAt: later(running) })
    for (const instanceName of [running.instance.name, name]) {
      const answer = await cancel(instanceName)
      assert.deepEqual([answer.status, answer.json.reason], [409, 'passkey_not_expected'])
    }
  })

  test('409 while a confirmation is on its way to the network', async () => {
    const running = await fixture()
    const { name, advance, network } = await demandPasskey(running)
    await advance({ step: 'confirmation_needed', code: 'ABCD-1234', expiresAt: later(running) })
    const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    network.confirm = () => {
      begun.resolve()
      return answered.promise
    }
    const query = { instanceName: name }
    const confirmed = running.mine.call('confirmPasskey', { query, body: { code: 'ABCD-1234' } })
    await begun.promise
    assert.equal((await cancel(name)).json.reason, 'passkey_not_expected')
    answered.resolve()
    assert.equal((await confirmed).status, 200)
  })

  test('504 when the node that serves the instance was lost on the way', async () => {
    const running = await fixture()
    const { name } = await demandPasskey(running)
    const cancelPasskey = () => Promise.reject(new NetworkError('outcome_unknown', 'the node was lost'))
    const answer = await scripted(running, { cancelPasskey }, () => cancel(name))
    assert.deepEqual([answer.status, answer.json.reason], [504, 'outcome_unknown'])
  })
})

contract('POST /instance/passkey/link', (gateway) => {
  const fixture = withInstance(gateway)
  const create = async (instanceName: string) =>
    (await fixture()).mine.call('createPasskeyLink', { query: { instanceName } })

  test('200 returns a link to a page of this gateway, another one each time', async () => {
    const running = await fixture()
    const { name } = await demandPasskey(running)
    const [first, second] = [await create(name), await create(name)]
    assert.equal(first.status, 200)
    assert.equal(first.headers.get('cache-control'), 'no-store')
    const url = new URL(first.json.link.url)
    assert.deepEqual([url.origin, url.pathname, url.search], [running.url, '/passkey', ''])
    assert.match(url.hash, /^#[0-9a-z]+\.[\w-]{43}$/)
    assert.notEqual(second.json.link.url, first.json.link.url)
    const leftMs = Date.parse(first.json.link.expiresAt) - running.clock.now()
    assert.ok(leftMs > 0 && leftMs <= 600_000)
  })

  test('409 when the network demands no passkey', async () => {
    const answer = await create((await fixture()).instance.name)
    assert.deepEqual([answer.status, answer.json.reason], [409, 'passkey_not_expected'])
  })
})
