import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { connectionFindings } from './nodes.ts'

const limits = { isPooled: false, available: 97, perNode: 11, statementTimeoutMs: 0 }

describe('the check of the connections', () => {
  test('has nothing to say on SQLite', () => {
    assert.deepEqual(connectionFindings(undefined, 0), [])
  })

  test('counts every node, and three connections beside them', () => {
    const [one] = connectionFindings(limits, 0)
    assert.deepEqual(one, {
      check: 'connections',
      status: 'ok',
      found: 'one node uses up to 14 connections, and PostgreSQL accepts 97',
    })
    assert.match(connectionFindings(limits, 8)[0]?.found ?? '', /^8 nodes use up to 91 connections/)
  })

  test('warns when the server accepts fewer', () => {
    assert.equal(connectionFindings({ ...limits, available: 36 }, 3)[0]?.status, 'ok')
    const [few] = connectionFindings({ ...limits, available: 35 }, 3)
    assert.equal(few?.status, 'warning')
    assert.match(few?.todo ?? '', /max_connections/)
  })

  test('behind a pooler, warns of a role without a limit for statements, not of the limits of the server', () => {
    const pooled = { ...limits, isPooled: true, available: 5 }
    assert.match(connectionFindings(pooled, 3)[0]?.found ?? '', /no statement_timeout/)
    assert.equal(connectionFindings({ ...pooled, statementTimeoutMs: 30_000 }, 3)[0]?.status, 'ok')
  })
})
