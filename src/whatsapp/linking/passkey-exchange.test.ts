import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualTime } from '../../../test/support/manual-time.ts'
import { NetworkError } from '../../network/network.ts'
import type { PasskeyAssertion, PasskeyStep } from '../../network/passkey.ts'
import { type BinaryNode, getBinaryNodeChild, proto } from '../library/protocol.ts'
import { createPasskeyExchange } from './passkey-exchange.ts'
import { handoffProof } from './passkey-keys.ts'

const SECRET = Buffer.alloc(32, 0x55)
const OPTIONS = { challenge: 'AAECAwQF', timeout: 600_000, rpId: 'whatsapp.com' }
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const assertionFor = (challenge: string): PasskeyAssertion => ({
  id: 'AQID',
  rawId: 'AQID',
  type: 'public-key',
  response: {
    clientDataJSON: base64url({ challenge }),
    authenticatorData: 'AA',
    signature: 'AA',
    userHandle: null,
  },
})
const node = (tag: string, content?: NonNullable<BinaryNode['content']>): BinaryNode =>
  content === undefined ? { tag, attrs: {} } : { tag, attrs: {}, content }
const requestWith = (options: unknown) =>
  node('notification', [node('passkey_request_options', Buffer.from(JSON.stringify(options)))])
const continuation = (publicKey = Buffer.alloc(32, 9), nonce = Buffer.alloc(32, 4)) =>
  node('notification', [
    node(
      'primary_ephemeral_identity',
      Buffer.from(proto.PrimaryEphemeralIdentity.encode({ publicKey, nonce }).finish()),
    ),
  ])
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** An exchange with a network whose answers the test gives. */
function openExchange() {
  const time = manualTime(1_000_000)
  const requests: { topic: BinaryNode; answer(node: BinaryNode): void; refuse(error: Error): void }[] = []
  const steps: PasskeyStep[] = []
  const ends: string[] = []
  const pairing = {
    advSecret: SECRET,
    deviceType: 1,
    publicKeys: { noise: Buffer.alloc(32, 7), identity: Buffer.alloc(32, 8) },
  }
  const exchange = createPasskeyExchange({
    pairing,
    ask: (_type, topic) =>
      new Promise((answer, refuse) => {
        requests.push({ topic, answer, refuse })
      }),
    report: (step) => steps.push(step),
    end: (reason) => ends.push(reason),
    clock: time.now,
    timers: time.timers,
    log: { debug: () => undefined },
  })
  /** The request that is open now. */
  const open = async (tag: string) => {
    await settled()
    const last = requests.at(-1)
    assert.equal(last?.topic.tag, tag)
    return last
  }
  const answer = async (tag: string, content: BinaryNode[] = []) =>
    (await open(tag)).answer(node('iq', content))
  const begin = async () => {
    exchange.onRequest(requestWith(OPTIONS))
    await settled()
  }
  /** Up to the accepted assertion. */
  const assertionAccepted = async () => {
    await begin()
    const answered = exchange.answerPasskey(assertionFor(OPTIONS.challenge))
    await answer('ref', [node('ref', Buffer.from('a ref'))])
    await answer('passkey_prologue')
    await answered
  }
  return { time, requests, steps, ends, pairing, exchange, open, answer, begin, assertionAccepted }
}
const childrenOf = ({ content }: BinaryNode) => (content as BinaryNode[]).map(({ tag }) => tag)

describe('the passkey step', () => {
  test('the owner has the time of the options, and at most ten minutes', async () => {
    for (const [timeout, ms] of [
      [1000, 1000],
      [3_600_000, 600_000],
      [undefined, 600_000],
      [-1, 600_000],
      ['soon', 600_000],
    ]) {
      const { exchange, steps, ends, time } = openExchange()
      exchange.onRequest(requestWith({ ...OPTIONS, timeout }))
      await settled()
      assert.equal(steps[0]?.expiresAt, time.now() + Number(ms))
      time.pass(Number(ms) - 1)
      assert.deepEqual(ends, [])
      time.pass(1)
      assert.deepEqual(ends, ['expired'])
      assert.ok(!exchange.isActive())
      await assert.rejects(exchange.answerPasskey(assertionFor(OPTIONS.challenge)), { kind: 'unavailable' })
    }
  })

  test('options that a browser could not use are requested once more, then the step ends', async () => {
    for (const options of [
      null,
      [],
      'text',
      { challenge: 7 },
      { challenge: '' },
      { challenge: 'x'.repeat(20_000) },
    ]) {
      const { exchange, answer, ends, steps } = openExchange()
      exchange.onRequest(requestWith(options))
      await answer('passkey_request_options', [node('passkey_request_options', Buffer.from('{}'))])
      await settled()
      assert.deepEqual([ends, steps], [['refused'], []])
    }
  })

  test('each request to the network has 15 seconds', async () => {
    const { time, exchange, begin, open, ends } = openExchange()
    await begin()
    const answered = exchange.answerPasskey(assertionFor(OPTIONS.challenge))
    const outcome = assert.rejects(answered, { kind: 'timeout' })
    await open('ref')
    await time.advance(14_999)
    assert.deepEqual(ends, [])
    await time.advance(1)
    await outcome
    assert.deepEqual(ends, ['unanswered'])
  })

  test('an accepted assertion is followed by the answer of the phone within a minute', async () => {
    const { time, assertionAccepted, steps, ends } = openExchange()
    await assertionAccepted()
    assert.deepEqual(steps.at(-1), { step: 'assertion_sent', expiresAt: time.now() + 60_000 })
    await time.advance(60_000)
    assert.deepEqual(ends, ['unanswered'])
  })

  test('an answer of the phone that is not valid is ignored, and so is one that is not expected', async () => {
    const { exchange, begin, assertionAccepted, requests, ends, open } = openExchange()
    exchange.onContinuation(continuation())
    await begin()
    exchange.onContinuation(continuation())
    await assertionAccepted()
    const before = requests.length
    for (const stanza of [
      continuation(Buffer.alloc(31)),
      continuation(undefined, Buffer.alloc(33)),
      node('notification', [node('primary_ephemeral_identity', 'text')]),
      node('notification'),
    ])
      exchange.onContinuation(stanza)
    await settled()
    assert.deepEqual([requests.length, ends], [before, []])
    exchange.onContinuation(continuation())
    await open('companion_nonce')
  })

  test('the answer of the phone may come before the network has confirmed the assertion', async () => {
    const { exchange, begin, answer, open, steps } = openExchange()
    await begin()
    const answered = exchange.answerPasskey(assertionFor(OPTIONS.challenge))
    await answer('ref', [node('ref', Buffer.from('a ref'))])
    await open('passkey_prologue')
    exchange.onContinuation(continuation())
    await answer('passkey_prologue')
    await answered
    await answer('companion_nonce')
    await open('encrypted_pairing_request')
    assert.deepEqual(
      steps.map(({ step }) => step),
      ['assertion_needed', 'assertion_sent', 'finishing'],
    )
  })

  test('the reference is requested only when the assertion is there, and the assertion is sent once', async () => {
    const { exchange, begin, requests, open } = openExchange()
    await begin()
    assert.equal(requests.length, 0)
    const assertion = assertionFor(OPTIONS.challenge)
    exchange.answerPasskey(assertion).catch(() => undefined)
    await assert.rejects(exchange.answerPasskey(assertion), { kind: 'unavailable' })
    await open('ref')
    assert.equal(requests.length, 1)
  })

  test('the proof is sent within five minutes of the request; later the owner compares the codes', async () => {
    const parts = async (waitMs: number) => {
      const { time, exchange, begin, answer, open, steps, pairing } = openExchange()
      await begin()
      time.pass(waitMs)
      const answered = exchange.answerPasskey(assertionFor(OPTIONS.challenge))
      await answer('ref', [node('ref', Buffer.from('a ref'))])
      const { topic } = await open('passkey_prologue')
      await answer('passkey_prologue')
      await answered
      exchange.onContinuation(continuation())
      await answer('companion_nonce')
      await settled()
      const step = steps.at(-1)?.step
      // Without a confirmation the keys of this client are not sent.
      const isSecretKept = pairing.advSecret.equals(SECRET)
      if (step === 'confirmation_needed') await exchange.confirmPasskey()
      await open('encrypted_pairing_request')
      return [childrenOf(topic).includes('pairing_handoff_proof'), step, isSecretKept]
    }
    assert.deepEqual(await parts(5 * 60_000), [true, 'finishing', false])
    assert.deepEqual(await parts(5 * 60_000 + 1), [false, 'confirmation_needed', true])
  })

  test('a demand that was on its way for more than five minutes gets no proof', async () => {
    const isProven = async (attrs: BinaryNode['attrs']) => {
      const { exchange, answer, open } = openExchange()
      exchange.onRequest({ ...requestWith(OPTIONS), attrs })
      await settled()
      const answered = exchange.answerPasskey(assertionFor(OPTIONS.challenge))
      await answer('ref', [node('ref', Buffer.from('a ref'))])
      const { topic } = await open('passkey_prologue')
      await answer('passkey_prologue')
      await answered
      return childrenOf(topic).includes('pairing_handoff_proof')
    }
    // The clock of the test shows 1,000 s.
    for (const [t, expected] of [
      ['699', false],
      ['700', true],
      ['1000', true],
      ['5000', true],
      ['0', true],
      ['soon', true],
    ] as const)
      assert.equal(await isProven({ t }), expected, t)
    assert.equal(await isProven({}), true)
  })

  test('the owner is asked at most ten times on one connection', async () => {
    const { begin, steps, ends } = openExchange()
    for (let round = 0; round < 10; round += 1) await begin()
    assert.deepEqual([steps.length, ends], [10, []])
    await begin()
    assert.deepEqual([steps.length, ends], [10, ['refused']])
  })

  test('a code that no one confirms ends the step', async () => {
    const { time, exchange, begin, answer, ends } = openExchange()
    await begin()
    time.pass(6 * 60_000)
    const answered = exchange.answerPasskey(assertionFor(OPTIONS.challenge))
    await answer('ref', [node('ref', Buffer.from('a ref'))])
    await answer('passkey_prologue')
    await answered
    exchange.onContinuation(continuation())
    await answer('companion_nonce')
    await settled()
    await time.advance(600_000)
    assert.deepEqual(ends, ['expired'])
    await assert.rejects(exchange.confirmPasskey(), { kind: 'unavailable' })
  })

  test('a second request ends nothing: the assertion in flight is refused, and new options are reported', async () => {
    const { exchange, begin, open, answer, steps, ends } = openExchange()
    await begin()
    const first = exchange.answerPasskey(assertionFor(OPTIONS.challenge))
    const outcome = assert.rejects(first, { kind: 'unavailable' })
    const { answer: late } = await open('ref')
    exchange.onRequest(requestWith({ ...OPTIONS, challenge: 'other' }))
    late(node('iq', [node('ref', Buffer.from('a ref'))]))
    await outcome
    const last = steps.at(-1)
    assert.ok(last?.step === 'assertion_needed')
    assert.equal(last.options['challenge'], 'other')
    assert.deepEqual(ends, [])
    await assert.rejects(exchange.answerPasskey(assertionFor(OPTIONS.challenge)), { kind: 'unavailable' })
    exchange.answerPasskey(assertionFor('other')).catch(() => undefined)
    await answer('ref', [node('ref', Buffer.from('a ref'))])
    await open('passkey_prologue')
  })

  test('the pairing gets a new secret, also a second one, and the proof is made with the one that the phone has read', async () => {
    const { exchange, assertionAccepted, answer, open, pairing, requests } = openExchange()
    for (let round = 0; round < 2; round += 1) {
      await assertionAccepted()
      const prologue = requests.findLast(({ topic }) => topic.tag === 'passkey_prologue')?.topic
      const content = (tag: string) => getBinaryNodeChild(prologue, tag)?.content as Buffer
      assert.deepEqual(content('pairing_handoff_proof'), handoffProof(SECRET, content('prologue_payload')))
      exchange.onContinuation(continuation())
      await answer('companion_nonce')
      await open('encrypted_pairing_request')
      assert.ok(!pairing.advSecret.equals(SECRET))
    }
  })

  test('a key of the phone with which nothing can be derived ends the step', async () => {
    const { exchange, assertionAccepted, answer, ends } = openExchange()
    await assertionAccepted()
    exchange.onContinuation(continuation(Buffer.alloc(32)))
    await answer('companion_nonce')
    await settled()
    assert.deepEqual(ends, ['refused'])
  })

  test('a device that is not linked a minute after the last request ends the step; a linked one does not', async () => {
    for (const isLinked of [false, true]) {
      const { time, exchange, assertionAccepted, answer, ends } = openExchange()
      await assertionAccepted()
      exchange.onContinuation(continuation())
      await answer('companion_nonce')
      await answer('encrypted_pairing_request')
      await settled()
      if (isLinked) exchange.finish()
      await time.advance(60_000)
      assert.deepEqual(ends, isLinked ? [] : ['unanswered'])
    }
  })

  test('a refusal of the network ends the step, with the error for the caller', async () => {
    const { exchange, begin, open, ends } = openExchange()
    await begin()
    const answered = exchange.answerPasskey(assertionFor(OPTIONS.challenge))
    const outcome = assert.rejects(answered, { kind: 'refused', code: 400 })
    ;(await open('ref')).refuse(new NetworkError('refused', 'bad-request', undefined, 400))
    await outcome
    assert.deepEqual(ends, ['refused'])
  })
})
