// GET /admin/v1/nodes
import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import type { ClusterNode } from '../../src/contract/nodes.ts'
import { PRODUCT_VERSION } from '../../src/contract/version.ts'
import { contractOnEachEngine } from '../support/gateway.ts'
import { faultPaths } from './fixture.ts'
import { besideNodes } from './node-rows.ts'

const DAY_MS = 86_400_000

contractOnEachEngine('GET /admin/v1/nodes', (gateway) => {
  test('200 returns the process that answers', async () => {
    const { call, engine } = await gateway()
    const answer = await call('adminListNodes')
    assert.equal(answer.status, 200)
    const [node, ...others] = answer.json.nodes as ClusterNode[]
    assert.deepEqual(others, [])
    assert.match(node?.id ?? '', /^[1-9]\d*$/)
    assert.deepEqual(
      { ...node, id: '', startedAt: '', instances: 0, leaseSecondsLeft: null },
      {
        id: '',
        name: hostname(),
        url: null,
        status: 'live',
        version: PRODUCT_VERSION,
        instances: 0,
        startedAt: '',
        leaseSecondsLeft: null,
        endedAt: null,
        endedBy: null,
        isThis: true,
        isLead: true,
      },
    )
    const lease = node?.leaseSecondsLeft ?? null
    if (engine === 'sqlite') assert.equal(lease, null)
    else assert.ok(lease !== null && lease > 0 && lease <= 12, `${lease} s left`)
  })

  test('200 counts the instances that no node serves', async () => {
    const running = await gateway()
    const list = async () => (await running.call('adminListNodes')).json
    const { id } = await running.openInstance(await running.account())
    const serve = (nodeId: number | null) =>
      running.store.db.updateTable('instances').set({ node_id: nodeId }).where('id', '=', id).execute()
    const [own] = (await list()).nodes
    await serve(Number(own.id))
    const { untaken } = await list()
    await serve(null)
    assert.equal((await list()).untaken, running.engine === 'sqlite' ? 0 : untaken + 1)
    // A node that is not there has ended, and what it served is left to take.
    await serve(999)
    assert.equal((await list()).untaken, running.engine === 'sqlite' ? 0 : untaken + 1)
  })

  test('200 on PostgreSQL returns working nodes, then standbys, then those that ended in the last 24 hours', async () => {
    const running = await gateway()
    if (running.engine === 'sqlite') return
    const nodes = [
      { id: 901, status: 'live', startedAt: 5 },
      { id: 902, status: 'draining', startedAt: 6, leaseMs: -1500 },
      { id: 903, status: 'standby', url: null },
      { id: 904, status: 'standby', leaseMs: -60_000 },
      { id: 905, status: 'dead', endedMsAgo: 1000, endedBy: 'node 901' },
      { id: 906, status: 'dead', endedMsAgo: DAY_MS + 60_000 },
    ] as const
    await besideNodes(running, nodes, async () => {
      const listed: ClusterNode[] = (await running.call('adminListNodes')).json.nodes
      const own = listed.find(({ isThis }) => isThis)?.id
      assert.deepEqual(
        listed.map(({ id, status }) => [id, status]),
        [
          ['901', 'live'],
          ['902', 'draining'],
          [own, 'live'],
          ['903', 'standby'],
          ['905', 'dead'],
          ['904', 'dead'],
        ],
      )
      assert.deepEqual(
        listed.filter(({ isLead }) => isLead).map(({ id }) => id),
        ['901'],
      )
      const byId = Object.fromEntries(listed.map((node) => [node.id, node]))
      assert.ok((byId[902]?.leaseSecondsLeft ?? 0) < -1)
      assert.equal(byId[905]?.leaseSecondsLeft, null)
      assert.equal(byId[905]?.endedBy, 'node 901')
      assert.equal(byId[904]?.endedBy, null)
      assert.ok(byId[904]?.endedAt)
    })
  })

  test('400 when the query has an unknown field', async () => {
    const { call } = await gateway()
    const answer = await call('adminListNodes', { query: { page: 1 } })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['page'])
  })
})
