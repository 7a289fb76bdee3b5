import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  attemptOccurrences,
  boundLabel,
  type CountDelta,
  type CountedAttempt,
  eventOccurrence,
  receivedOccurrence,
  rowsToAdd,
  settledOccurrence,
} from './rules-counted.ts'

const failed = (reason: 'canceled' | 'rejected' | 'expired') =>
  ({ kind: 'failed', reason, error: 'x', code: null }) as const

describe('what is counted', () => {
  test('a settled send is sent or failed with its reason, and a retry is neither', () => {
    const sent = settledOccurrence(1, 5, { kind: 'sent', chat: 'c', text: null })
    assert.deepEqual(sent, { instanceId: 1, at: 5, metric: 'sent' })
    const late = settledOccurrence(1, 5, failed('expired'))
    assert.deepEqual(late, { instanceId: 1, at: 5, metric: 'failed', label: 'expired' })
    assert.equal(settledOccurrence(1, 5, { kind: 'retry', at: 9 }), undefined)
  })

  test('a message that a person cancelled or rejected counts as canceled, not as failed', () => {
    for (const reason of ['canceled', 'rejected'] as const)
      assert.equal(settledOccurrence(1, 5, failed(reason))?.metric, 'canceled')
  })

  test('messages of other people count as received, except those from history', () => {
    const messages = ['incoming', 'outgoing', 'incoming'].map((direction) => ({ row: { direction } }))
    const report = { instanceId: 1, now: 5, isSilent: false, messages }
    assert.deepEqual(receivedOccurrence(report), { instanceId: 1, at: 5, metric: 'received', count: 2 })
    assert.equal(receivedOccurrence({ ...report, isSilent: true }), undefined)
    assert.equal(receivedOccurrence({ ...report, messages: messages.slice(1, 2) }), undefined)
  })

  test('events count messages that failed without an attempt, and sessions that closed', () => {
    const event = (name: 'messages.update' | 'connection.update' | 'call', data: object) =>
      eventOccurrence({ instanceId: 1, name, data: JSON.stringify(data), createdAt: 5 })
    const labels = [
      event('messages.update', { status: 'failed', failure: { reason: 'logged_out' } }),
      event('messages.update', { status: 'failed', failure: { reason: 'canceled' } }),
      event('messages.update', { status: 'read', failure: null }),
      event('connection.update', { state: 'close', stateReason: 'replaced' }),
      event('connection.update', { state: 'close', stateReason: null }),
      event('connection.update', { state: 'open', stateReason: null }),
      event('call', {}),
    ].map((one) => one && [one.metric, one.label])
    assert.deepEqual(labels, [
      ['failed', 'logged_out'],
      ['canceled', undefined],
      undefined,
      ['closed', 'replaced'],
      ['closed', 'none'],
      undefined,
      undefined,
    ])
  })
})

describe('what a delivery attempt counts as', () => {
  const attempt: CountedAttempt = {
    webhookId: 7,
    instanceId: 1,
    eventAt: 1000,
    at: 1400,
    durationMs: 30.6,
    status: 200,
    outcome: 'delivered',
    isPosted: true,
  }
  const shown = (change: Partial<CountedAttempt>) =>
    attemptOccurrences({ ...attempt, ...change }).map(({ metric, label, count }) => [metric, label, count])

  test('a delivery has its outcome, its webhook, and the time since the event', () => {
    assert.deepEqual(shown({}), [
      ['delivery', 'delivered', undefined],
      ['webhook', '7 delivered', undefined],
      ['webhook_ms', '7', 31],
      ['delivery_time', '500', undefined],
    ])
  })

  test('a failed attempt has the status of the answer', () => {
    assert.deepEqual(shown({ outcome: 'retry', status: 503 }).at(-1), ['delivery_failed', '503', undefined])
    assert.deepEqual(shown({ outcome: 'dead', status: null }).at(-1), ['delivery_failed', 'none', undefined])
  })

  test('what was not posted does not count', () => assert.deepEqual(shown({ isPosted: false }), []))

  test('a time has the first bound that it does not exceed', () => {
    assert.deepEqual([0, 25, 26, 7_200_001].map(boundLabel), ['25', '25', '50', 'beyond'])
  })
})

describe('rows of counts', () => {
  const delta = (instanceId: number, change: Partial<CountDelta> = {}): CountDelta => ({
    instance_id: instanceId,
    hour: 0,
    metric: 'sent',
    label: '',
    count: 1,
    ...change,
  })
  const shown = (deltas: CountDelta[], accounts: [number, number][]) =>
    rowsToAdd(deltas, new Map(accounts)).map((row) => [
      row.account_id,
      row.instance_id,
      row.metric,
      row.count,
    ])

  test('each delta adds to its instance, its account and the gateway, and what is shared comes last', () => {
    assert.deepEqual(
      shown(
        [delta(1), delta(2, { count: 2 }), delta(3, { count: 4 })],
        [
          [1, 10],
          [2, 10],
          [3, 11],
        ],
      ),
      [
        [11, 3, 'sent', 4],
        [11, 0, 'sent', 4],
        [10, 2, 'sent', 2],
        [10, 1, 'sent', 1],
        [10, 0, 'sent', 3],
        [0, 0, 'sent', 7],
      ],
    )
  })

  test('the order does not depend on the order of the deltas', () => {
    const deltas = [
      delta(1),
      delta(1, { metric: 'failed', label: 'b' }),
      delta(1, { metric: 'failed', label: 'a' }),
    ]
    const of = (given: CountDelta[]) => rowsToAdd(given, new Map([[1, 10]]))
    assert.deepEqual(of(deltas), of(deltas.toReversed()))
  })

  test('webhooks are counted for accounts only', () => {
    assert.deepEqual(shown([delta(1, { metric: 'webhook', label: '7 dead' })], [[1, 10]]), [
      [10, 1, 'webhook', 1],
      [10, 0, 'webhook', 1],
    ])
  })

  test('an instance without an account is left out', () => assert.deepEqual(shown([delta(1)], []), []))
})
