// The metrics of a node: gauges of its lease, and counters of what happens between nodes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NO_SOURCES } from '../../test/support/metric-sources.ts'
import { createMetrics } from '../metrics.ts'
import { countCalls } from '../nodes/count-calls.ts'
import type { NodeClient } from '../nodes/node-client.ts'
import { leaseTimes } from '../nodes/rules.ts'
import { ALONE, type Membership } from './cluster.ts'
import { measureNode } from './measure-node.ts'

const metricsOf = () => createMetrics(NO_SOURCES)

/** A node whose last renewal was sent so long ago. */
function membership(renewedMsAgo: number | undefined): { member: Membership; shut: () => void } {
  const cuts: (() => void)[] = []
  const node = { times: leaseTimes(12), instances: () => 5, renewedMsAgo: () => renewedMsAgo }
  const gate = { isOpen: () => true, onShut: (cut: () => void) => (cuts.push(cut), () => undefined) }
  const member = { ...ALONE, gate, node } as unknown as Membership
  return { member, shut: () => cuts.forEach((cut) => cut()) }
}

describe('the metrics of a node', () => {
  test('show its instances and its lease', async () => {
    for (const [renewedMsAgo, seconds] of [
      [2500, 9.5],
      [20_000, 0],
      [undefined, 0],
    ] as const) {
      const metrics = metricsOf()
      measureNode(metrics.node, membership(renewedMsAgo).member)
      const { text } = await metrics.read()
      assert.match(text, /^switchboard_node_instances 5$/m)
      assert.match(text, new RegExp(`^switchboard_node_lease_seconds ${seconds}$`, 'm'))
    }
  })

  test('have no lease for a single process, which would look like one that has ended', async () => {
    const metrics = metricsOf()
    measureNode(metrics.node, ALONE)
    assert.doesNotMatch((await metrics.read()).text, /switchboard_node_(instances|lease)/)
  })

  test('count cuts, takeovers and refused writes', async () => {
    const metrics = metricsOf()
    const { member, shut } = membership(0)
    measureNode(metrics.node, member)
    shut()
    metrics.node.countTakeovers(2)
    metrics.node.countRefusedWrite('state')
    const { text } = await metrics.read()
    assert.match(text, /^switchboard_node_cuts_total 1$/m)
    assert.match(text, /^switchboard_node_takeovers_total 2$/m)
    assert.match(text, /^switchboard_node_refused_writes_total\{write="state"\} 1$/m)
  })

  test('count calls to other nodes by method and outcome', async () => {
    const counted: string[] = []
    const answers: (() => ReturnType<NodeClient['call']>)[] = [
      async () => ({ status: 'done', result: null }),
      async () => ({ status: 'misdirected', nodeId: 2 }),
      () => Promise.reject(new Error('gone')),
    ]
    const client: NodeClient = {
      call: () => (answers.shift() as () => ReturnType<NodeClient['call']>)(),
      close: async () => undefined,
    }
    const counting = countCalls(client, (method, outcome) => counted.push(`${method} ${outcome}`))
    const node = { id: 2, url: 'http://10.0.0.2:8090' }
    await counting.call(node, { call: 'hello' })
    await counting.call(node, { call: 'session', method: 'qr', args: [1] })
    await assert.rejects(counting.call(node, { call: 'wake', what: ['sends'] }), /gone/)
    assert.deepEqual(counted, ['hello done', 'qr misdirected', 'wake unreachable'])
  })
})
