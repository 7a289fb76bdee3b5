// For any batch of sends: quota and queue are never exceeded, and an idempotency key stands for one message.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type AcceptBatch,
  acceptInBatch,
  idempotencyKey,
  type SendToAccept,
  usageKey,
} from '../../src/sending/outbox.ts'
import { type AcceptOutcome, QUEUE_CAP } from '../../src/sending/rules.ts'

const send = fc.record({
  accountId: fc.integer({ min: 1, max: 2 }),
  instanceId: fc.integer({ min: 1, max: 4 }),
  period: fc.constantFrom(0, 1),
  messageLimit: fc.option(fc.integer({ min: 0, max: 6 })),
  messages: fc.integer({ min: 0, max: 3 }),
  sends: fc.constantFrom(1, 3),
  sendAt: fc.option(fc.constant(1)),
  idempotency: fc.option(
    fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      fingerprint: fc.constantFrom('x', 'y'),
      answer: fc.uuid(),
    }),
  ),
})

const sender = { number: '5511912345678', lid: null, profile_name: null }

/** Instance 1 has room, 2 nearly none, 3 is logged out, 4 is gone. */
const startBatch = (): AcceptBatch => ({
  instances: new Map([
    [1, { loggedIn: true, queued: 0, scheduled: 0, nodeId: null, sender }],
    [2, { loggedIn: true, queued: QUEUE_CAP - 2, scheduled: 0, nodeId: null, sender }],
    [3, { loggedIn: false, queued: 0, scheduled: 0, nodeId: null, sender }],
  ]),
  used: new Map(),
  answers: new Map(),
})

function decideAll(sends: SendToAccept[]): { outcomes: AcceptOutcome[]; batch: AcceptBatch } {
  const batch = startBatch()
  return { outcomes: sends.map((each) => acceptInBatch(each, batch)), batch }
}

test('the counters after a batch match what was accepted', () => {
  fc.assert(
    fc.property(fc.array(send, { maxLength: 40 }), (generated) => {
      const sends = generated as unknown as SendToAccept[]
      const { outcomes, batch } = decideAll(sends)
      const accepted = sends.filter((_send, index) => outcomes[index]?.outcome === 'accepted')
      for (const [id, { queued, scheduled }] of batch.instances) {
        const before = startBatch().instances.get(id)?.queued ?? 0
        const own = accepted.filter((each) => each.instanceId === id)
        const later = own.filter(({ sendAt }) => sendAt !== null).length
        assert.deepEqual([queued - before, scheduled], [own.length - later, later])
        assert.ok(queued <= QUEUE_CAP)
      }
      for (const [key, used] of batch.used) {
        const counted = accepted.filter((each) => usageKey(each) === key)
        assert.equal(
          used,
          counted.reduce((sum, { messages }) => sum + messages, 0),
        )
      }
      assert.ok(accepted.every((each) => each.instanceId <= 2))
    }),
  )
})

test('nothing over a limit is accepted, and nothing under it is refused', () => {
  fc.assert(
    fc.property(fc.array(send, { maxLength: 40 }), (generated) => {
      const sends = generated as unknown as SendToAccept[]
      const { outcomes } = decideAll(sends)
      const used = new Map<string, number>()
      for (const [index, each] of sends.entries()) {
        const before = used.get(usageKey(each)) ?? 0
        const outcome = outcomes[index] as AcceptOutcome
        if (outcome.outcome === 'accepted') {
          const after = before + each.messages
          assert.ok(each.messages === 0 || each.messageLimit === null || after <= each.messageLimit)
          used.set(usageKey(each), after)
        }
        if (outcome.outcome === 'limit_reached') {
          assert.ok(
            each.messages > 0 && each.messageLimit !== null && before + each.messages > each.messageLimit,
          )
          assert.equal(outcome.used, before)
        }
      }
    }),
  )
})

test('an idempotency key is accepted once; later uses get the first answer or are refused', () => {
  fc.assert(
    fc.property(fc.array(send, { maxLength: 40 }), (generated) => {
      const sends = generated as unknown as SendToAccept[]
      const { outcomes } = decideAll(sends)
      const first = new Map<string, NonNullable<SendToAccept['idempotency']>>()
      for (const [index, { accountId, idempotency }] of sends.entries()) {
        const outcome = outcomes[index] as AcceptOutcome
        const known = idempotency ? first.get(idempotencyKey(accountId, idempotency.key)) : undefined
        if (!idempotency || !known) {
          assert.ok(outcome.outcome !== 'replayed' && outcome.outcome !== 'key_reused')
          if (idempotency && outcome.outcome === 'accepted') {
            first.set(idempotencyKey(accountId, idempotency.key), idempotency)
          }
          continue
        }
        const expected =
          known.fingerprint === idempotency.fingerprint
            ? { outcome: 'replayed', answer: known.answer }
            : { outcome: 'key_reused' }
        assert.deepEqual(outcome, expected)
      }
    }),
  )
})
