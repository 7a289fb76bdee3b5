import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aloneFindings, leaseFinding, lossFindings, reachFinding, versionFindings } from './nodes.ts'

const node = (name: string, change: object = {}) => ({
  id: 1,
  name,
  url: 'http://10.0.0.1:8090' as string | null,
  version: '1.0.0',
  status: 'live' as const,
  secondsLeft: 10,
  ...change,
})
const alone = { url: null }

describe('the check of the nodes', () => {
  test('names the nodes, and warns of one that has not renewed its lease', () => {
    assert.deepEqual(leaseFinding([]).found, 'no server uses the database')
    assert.deepEqual(leaseFinding([node('a'), node('b', { status: 'draining' })]), {
      check: 'nodes',
      status: 'ok',
      found: 'a is live, b is draining',
    })
    assert.equal(leaseFinding([node('a', { secondsLeft: -3 })]).status, 'warning')
  })

  test('warns of a node without NODE_URL beside nodes with one, not of a standby', () => {
    assert.deepEqual(aloneFindings([node('a', alone), node('b', { ...alone, status: 'standby' })]), [])
    assert.deepEqual(aloneFindings([node('a'), node('b')]), [])
    const [waits] = aloneFindings([node('a'), node('b', { ...alone, status: 'standby' })])
    assert.match(waits?.found ?? '', /^b has no NODE_URL: it waits/)
    const [works] = aloneFindings([node('a', alone), node('b', { status: 'standby' })])
    assert.match(works?.found ?? '', /^a has no NODE_URL: it works alone/)
    assert.equal(works?.status, 'warning')
  })

  test('mentions versions that differ', () => {
    assert.deepEqual(versionFindings([node('a'), node('b')]), [])
    const [found] = versionFindings([node('a'), node('b', { version: '1.1.0' }), node('c')])
    assert.deepEqual([found?.status, found?.found], ['ok', 'versions differ: 1.0.0 (a, c), 1.1.0 (b)'])
  })

  test('mentions lost commits for a week', () => {
    const record = { loss: 'certain' as const, at: 1000 }
    assert.deepEqual(lossFindings(undefined, 0), [])
    assert.match(lossFindings(record, 2000)[0]?.found ?? '', /^the database lost commits in a failover/)
    assert.match(lossFindings({ ...record, loss: 'possible' }, 2000)[0]?.found ?? '', /may have lost/)
    assert.deepEqual(lossFindings(record, 1000 + 8 * 86_400_000), [])
  })

  test('is wrong when a node does not answer, or another one answers in its place', async () => {
    const answering = (status: 'done' | 'misdirected') => ({
      call: async () =>
        status === 'done' ? ({ status, result: 1 } as const) : ({ status, nodeId: 2 } as const),
    })
    assert.equal((await reachFinding(answering('done'), node('a'))).status, 'ok')
    const other = await reachFinding(answering('misdirected'), node('a'))
    assert.match(other.found, /another node answers at http:\/\/10\.0\.0\.1:8090 in place of a/)
    const silent = {
      call: () => Promise.reject(new Error('the node at http://10.0.0.1:8090 does not answer')),
    }
    const none = await reachFinding(silent, node('a'))
    assert.deepEqual(
      [none.status, none.found],
      ['wrong', 'a: the node at http://10.0.0.1:8090 does not answer'],
    )
  })
})
