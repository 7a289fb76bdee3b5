// The passkey step of linking, from the events of the network to the state of the instance.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type ManualTime, manualTime, promisesSettled } from '../../test/support/manual-time.ts'
import { passkeyOptions, signedAssertion } from '../../test/support/passkey-assertion.ts'
import { scriptedNetwork, scriptedRecorder } from '../../test/support/scripted-network.ts'
import { newLinkToken, PASSKEY_LINK_MS, readLinkToken } from '../instances/rules-passkey.ts'
import { NetworkError } from '../network/network.ts'
import type { PasskeyAssertion, PasskeyStep } from '../network/passkey.ts'
import { WRONG_ASSERTIONS } from './passkey-ceremony.ts'
import { Supervisor } from './supervisor.ts'

const options = passkeyOptions()
const good = signedAssertion(options)
const wrong = signedAssertion(passkeyOptions())
const hash = () => readLinkToken(newLinkToken(1))?.tokenHash ?? ''

describe('the passkey step of linking', () => {
  let time: ManualTime
  let net: ReturnType<typeof scriptedNetwork>
  let written: ReturnType<typeof scriptedRecorder>
  let supervisor: Supervisor
  let sent: PasskeyAssertion[]
  let confirmed: number

  beforeEach(async () => {
    time = manualTime(1_000_000)
    net = scriptedNetwork()
    written = scriptedRecorder(time)
    sent = []
    confirmed = 0
    supervisor = new Supervisor({
      network: net.network,
      recorder: written.recorder,
      states: written.states,
      acquireSlot: async () => () => undefined,
      clock: time.now,
      timers: time.timers,
      random: () => 1,
    })
    void supervisor.start()
    await promisesSettled()
    Object.assign(net.last.session, {
      answerPasskey: async (assertion: PasskeyAssertion) => void sent.push(assertion),
      confirmPasskey: async () => void (confirmed += 1),
    })
    void net.last.emit({ kind: 'qr', code: 'code-1', expiresAt: time.now() + 60_000 })
    await promisesSettled()
  })

  const step = async (change: PasskeyStep) => {
    void net.last.emit({ kind: 'passkey', ...change })
    await promisesSettled()
  }
  const demand = () => step({ step: 'assertion_needed', options, expiresAt: time.now() + 600_000 })
  const news = () => written.wanted.flatMap(({ passkey }) => (passkey ? [passkey] : []))

  test('each step is a state of the instance, and a linked device connects again at once', async () => {
    const expiresAt = time.now() + 600_000
    await demand()
    assert.deepEqual(written.wanted.at(-1), {
      event: 'passkey_needed',
      until: expiresAt,
      passkey: { step: 'assertion_needed', options, expiresAt },
    })
    assert.equal(await supervisor.code(60_000), null, 'there is no QR code to wait for')
    await step({ step: 'assertion_sent', expiresAt })
    await step({ step: 'confirmation_needed', code: 'ABCD-1234', expiresAt })
    await step({ step: 'finishing', code: 'ABCD-1234', expiresAt })
    void net.last.close('restart')
    await promisesSettled()
    assert.deepEqual(written.moves.slice(2), [
      'passkey_needed',
      'passkey_sent',
      'passkey_code_shown',
      'passkey_sent',
      'started',
    ])
    assert.deepEqual(news().at(-1), { result: 'linked' })
    assert.equal(supervisor.passkey.step(), undefined)
    assert.equal(net.connections.length, 2)
  })

  for (const reason of ['disabled', 'expired', 'refused', 'unanswered', 'lost', 'cancelled'] as const) {
    test(`ended as ${reason}: the state says so, and no new code is shown`, async () => {
      await demand()
      void net.last.emit({ kind: 'closed', cause: 'passkey_ended', reason })
      await promisesSettled()
      assert.equal(written.moves.at(-1), `passkey_${reason}`)
      assert.deepEqual(news().at(-1), { result: reason })
      await time.advance(3_600_000)
      assert.equal(net.connections.length, 1)
    })
  }

  test('a new start ends the step, and a late event about it is ignored', async () => {
    await demand()
    const before = net.last
    void supervisor.start()
    await promisesSettled()
    assert.deepEqual(news().at(-1), { result: 'stopped' })
    void before.emit({ kind: 'passkey', step: 'assertion_needed', options, expiresAt: time.now() + 1000 })
    await promisesSettled()
    assert.equal(supervisor.passkey.step(), undefined)
    assert.equal(await supervisor.passkey.answer(good), 'not_expected')
  })

  test('an assertion is checked and sent once, also when two arrive at the same time', async () => {
    assert.equal(await supervisor.passkey.answer(good), 'not_expected', 'before the network demands it')
    await demand()
    const fault = { reason: 'passkey_wrong_challenge', field: 'response.clientDataJSON.challenge' }
    assert.deepEqual(await supervisor.passkey.answer(wrong), fault)
    const both = await Promise.all([supervisor.passkey.answer(good), supervisor.passkey.answer(good)])
    assert.deepEqual(both.toSorted(), ['not_expected', 'sent'])
    await step({ step: 'assertion_sent', expiresAt: time.now() + 60_000 })
    assert.equal(await supervisor.passkey.answer(good), 'not_expected')
    assert.deepEqual(sent, [good])
  })

  test('an assertion after the end of its time is not sent', async () => {
    await demand()
    await time.advance(600_000)
    assert.equal(await supervisor.passkey.answer(good), 'not_expected')
    assert.deepEqual(sent, [])
  })

  test('after too many wrong assertions the right one is refused too; another ceremony starts from zero', async () => {
    await demand()
    for (let count = 0; count < WRONG_ASSERTIONS; count += 1)
      assert.equal(typeof (await supervisor.passkey.answer(wrong)), 'object')
    assert.equal(await supervisor.passkey.answer(good), 'exhausted')
    assert.deepEqual(sent, [])
    void supervisor.start()
    await promisesSettled()
    Object.assign(net.last.session, { answerPasskey: async () => undefined })
    await demand()
    assert.equal(await supervisor.passkey.answer(good), 'sent')
  })

  test('a refusal of the network reaches the caller', async () => {
    await demand()
    const refusal = new NetworkError('refused', 'bad-request')
    Object.assign(net.last.session, { answerPasskey: () => Promise.reject(refusal) })
    await assert.rejects(supervisor.passkey.answer(good), refusal)
  })

  test('only the code that is shown now can be confirmed', async () => {
    await demand()
    assert.equal(await supervisor.passkey.confirm('ABCD-1234'), 'not_expected')
    await step({ step: 'confirmation_needed', code: 'ABCD-1234', expiresAt: time.now() + 60_000 })
    assert.equal(await supervisor.passkey.confirm('ABCD-1235'), 'other_code')
    assert.equal(confirmed, 0)
    assert.equal(await supervisor.passkey.confirm('abcd1234'), 'confirmed')
    assert.equal(confirmed, 1)
  })

  test('cancelled: the connection is closed, the state says so, and a new start shows a code again', async () => {
    assert.equal(await supervisor.passkey.cancel(), 'not_expected', 'before the network demands it')
    await demand()
    await step({ step: 'confirmation_needed', code: 'ABCD-1234', expiresAt: time.now() + 60_000 })
    const before = net.last
    assert.equal(await supervisor.passkey.cancel(), 'cancelled')
    assert.equal(written.moves.at(-1), 'passkey_cancelled')
    assert.deepEqual(news().at(-1), { result: 'cancelled' })
    assert.equal(await supervisor.passkey.confirm('ABCD-1234'), 'not_expected')
    await promisesSettled()
    assert.ok(before.isClosed)
    await time.advance(3_600_000)
    assert.equal(net.connections.length, 1)
    void supervisor.start()
    await promisesSettled()
    assert.equal(net.connections.length, 2)
  })

  test('a step cannot be cancelled once its code is confirmed', async () => {
    await demand()
    await step({ step: 'finishing', code: 'ABCD-1234', expiresAt: time.now() + 60_000 })
    assert.equal(await supervisor.passkey.cancel(), 'not_expected')
    assert.equal(confirmed, 0)
  })

  test('a link leads to its step until it expires, and a newer one replaces it', async () => {
    const [first, second] = [hash(), hash()]
    assert.equal(supervisor.passkey.openLink(first), null, 'without a step there is no link')
    await demand()
    assert.equal(supervisor.passkey.openLink(first), time.now() + PASSKEY_LINK_MS)
    assert.equal(supervisor.passkey.followLink(first)?.step?.step, 'assertion_needed')
    assert.equal(supervisor.passkey.followLink(second), null)
    supervisor.passkey.openLink(second)
    assert.equal(supervisor.passkey.followLink(first), null)
    await time.advance(PASSKEY_LINK_MS)
    assert.equal(supervisor.passkey.followLink(second), null)
  })

  test('after its ceremony a link shows the result alone, and leads to no later ceremony', async () => {
    const link = hash()
    await demand()
    supervisor.passkey.openLink(link)
    void supervisor.start()
    await promisesSettled()
    const { step: none, result } = supervisor.passkey.followLink(link) ?? {}
    assert.deepEqual([none, result], [null, 'stopped'])
    await demand()
    assert.equal(supervisor.passkey.followLink(link), null)
  })

  test('a log-out ends the step', async () => {
    await demand()
    await supervisor.logOut()
    assert.equal(await supervisor.passkey.answer(good), 'not_expected')
  })
})
