// POST /admin/v1/nodes/{nodeId}/drain
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractOnEachEngine } from '../support/gateway.ts'
import { faultPaths } from './fixture.ts'
import { besideNodes, statusOfNode } from './node-rows.ts'

contractOnEachEngine('POST /admin/v1/nodes/{nodeId}/drain', (gateway) => {
  const drain = async (nodeId: number | string) =>
    (await gateway()).call('adminDrainNode', { params: { nodeId } })

  test('200 drains a live node, and does nothing the second time', async () => {
    const running = await gateway()
    if (running.engine === 'sqlite') return
    const nodes = [
      { id: 911, status: 'live' },
      { id: 912, status: 'live' },
    ] as const
    await besideNodes(running, nodes, async () => {
      for (let count = 0; count < 2; count += 1) {
        const answer = await drain(911)
        assert.equal(answer.status, 200)
        assert.deepEqual([answer.json.node.id, answer.json.node.status], ['911', 'draining'])
        assert.equal(await statusOfNode(running, 911), 'draining')
      }
    })
  })

  test('404 when the node does not exist', async () => {
    const answer = await drain(999_999_999)
    assert.deepEqual([answer.status, answer.json.reason], [404, 'node_not_found'])
  })

  test('409 when the node works alone', async () => {
    const { call } = await gateway()
    const [own] = (await call('adminListNodes')).json.nodes
    const answer = await drain(own.id)
    assert.deepEqual([answer.status, answer.json.reason], [409, 'node_works_alone'])
    assert.equal((await call('adminListNodes')).json.nodes[0].status, 'live')
  })

  test('409 when the node is neither live nor draining', async () => {
    const running = await gateway()
    if (running.engine === 'sqlite') return
    const nodes = [
      { id: 913, status: 'standby' },
      { id: 914, status: 'dead', endedMsAgo: 1000 },
    ] as const
    await besideNodes(running, nodes, async () => {
      for (const { id, status } of nodes) {
        const answer = await drain(id)
        assert.deepEqual([answer.status, answer.json.reason], [409, 'node_not_working'])
        assert.equal(await statusOfNode(running, id), status)
      }
    })
  })

  test('409 when no other node takes instances: of two drained at the same time, one stays live', async () => {
    const running = await gateway()
    if (running.engine === 'sqlite') return
    const nodes = [
      { id: 915, status: 'live' },
      { id: 916, status: 'live' },
      { id: 917, status: 'live', leaseMs: -1 },
    ] as const
    await besideNodes(running, nodes, async () => {
      const answers = await Promise.all([drain(915), drain(916)])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
      assert.ok(answers.some(({ json }) => json.reason === 'last_taking_node'))
      const statuses = [await statusOfNode(running, 915), await statusOfNode(running, 916)]
      assert.deepEqual(statuses.sort(), ['draining', 'live'])
    })
  })

  test('400 when the id is not a positive whole number', async () => {
    for (const id of ['0', 'a', '1.5']) {
      const answer = await drain(id)
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['nodeId'])
    }
  })
})
