// POST /admin/v1/nodes/{nodeId}/resume
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractOnEachEngine } from '../support/gateway.ts'
import { faultPaths } from './fixture.ts'
import { besideNodes, statusOfNode } from './node-rows.ts'

contractOnEachEngine('POST /admin/v1/nodes/{nodeId}/resume', (gateway) => {
  const resume = async (nodeId: number | string) =>
    (await gateway()).call('adminResumeNode', { params: { nodeId } })

  test('200 resumes a draining node, and does nothing the second time', async () => {
    const running = await gateway()
    if (running.engine === 'sqlite') return
    await besideNodes(running, [{ id: 921, status: 'draining' }], async () => {
      for (let count = 0; count < 2; count += 1) {
        const answer = await resume(921)
        assert.equal(answer.status, 200)
        assert.deepEqual([answer.json.node.id, answer.json.node.status], ['921', 'live'])
        assert.equal(await statusOfNode(running, 921), 'live')
      }
    })
  })

  test('404 when the node does not exist', async () => {
    const answer = await resume(999_999_999)
    assert.deepEqual([answer.status, answer.json.reason], [404, 'node_not_found'])
  })

  test('409 when the node works alone', async () => {
    const { call } = await gateway()
    const [own] = (await call('adminListNodes')).json.nodes
    const answer = await resume(own.id)
    assert.deepEqual([answer.status, answer.json.reason], [409, 'node_works_alone'])
  })

  test('409 when the node is neither live nor draining', async () => {
    const running = await gateway()
    if (running.engine === 'sqlite') return
    await besideNodes(running, [{ id: 922, status: 'standby' }], async () => {
      const answer = await resume(922)
      assert.deepEqual([answer.status, answer.json.reason], [409, 'node_not_working'])
    })
  })

  test('409 when the database was restored: every node is held', async () => {
    const running = await gateway()
    if (running.engine === 'sqlite') return
    const { db } = running.store
    await besideNodes(running, [{ id: 923, status: 'draining' }], async () => {
      await db.insertInto('facts').values({ name: 'restored_at', value: '1' }).execute()
      try {
        const answer = await resume(923)
        assert.deepEqual([answer.status, answer.json.reason], [409, 'node_held'])
        assert.equal(await statusOfNode(running, 923), 'draining')
      } finally {
        await db.deleteFrom('facts').where('name', '=', 'restored_at').execute()
      }
    })
  })

  test('400 when the id is not a positive whole number', async () => {
    for (const id of ['0', 'a', '-1']) {
      const answer = await resume(id)
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['nodeId'])
    }
  })
})
