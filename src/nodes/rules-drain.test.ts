import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type DrainableNode, leadOf, refusalToDrain, refusalToResume } from './rules.ts'

const node = (id: number, change: Partial<DrainableNode> = {}): DrainableNode => ({
  id,
  url: `http://10.0.0.${id}:8090`,
  status: 'live',
  leaseMsLeft: 10_000,
  ...change,
})

describe('draining a node', () => {
  test('is allowed while another node takes instances, and again when it is draining', () => {
    assert.equal(refusalToDrain([node(1), node(2)], 1), undefined)
    assert.equal(refusalToDrain([node(1, { status: 'draining' }), node(2)], 1), undefined)
    assert.equal(refusalToDrain([node(1, { status: 'draining' })], 1), undefined)
  })

  test('is refused for the last node that takes instances', () => {
    for (const other of [
      node(2, { status: 'draining' }),
      node(2, { status: 'standby' }),
      node(2, { status: 'dead' }),
      node(2, { url: null }),
      node(2, { leaseMsLeft: -1 }),
    ])
      assert.equal(refusalToDrain([node(1), other], 1), 'last_taking_node')
  })

  test('is refused for a node that is unknown, does not work, or works alone', () => {
    assert.equal(refusalToDrain([node(1)], 3), 'node_not_found')
    assert.equal(refusalToDrain([node(1, { status: 'standby' }), node(2)], 1), 'node_not_working')
    assert.equal(refusalToDrain([node(1, { status: 'dead' }), node(2)], 1), 'node_not_working')
    assert.equal(refusalToDrain([node(1, { url: null })], 1), 'node_works_alone')
  })
})

describe('resuming a node', () => {
  test('is allowed for a draining node, and again when it is live', () => {
    assert.equal(refusalToResume([node(1, { status: 'draining' })], 1, false), undefined)
    assert.equal(refusalToResume([node(1)], 1, false), undefined)
  })

  test('is refused for a node that is held, unknown, does not work, or works alone', () => {
    assert.equal(refusalToResume([node(1, { status: 'draining' })], 1, true), 'node_held')
    assert.equal(refusalToResume([], 1, true), 'node_not_found')
    assert.equal(refusalToResume([node(1, { status: 'dead' })], 1, false), 'node_not_working')
    assert.equal(refusalToResume([node(1, { url: null })], 1, false), 'node_works_alone')
  })
})

test('the lead is the working node that started first; of two at the same time, the smaller id', () => {
  const started = (id: number, startedAt: number, status: DrainableNode['status'] = 'live') => ({
    id,
    startedAt,
    status,
  })
  assert.equal(leadOf([]), undefined)
  assert.equal(leadOf([started(1, 5, 'dead'), started(2, 6, 'standby'), started(3, 7)]), 3)
  assert.equal(leadOf([started(9, 5), started(3, 5), started(1, 6)]), 3)
  assert.equal(leadOf([started(9, 5, 'draining'), started(3, 6)]), 9)
})
