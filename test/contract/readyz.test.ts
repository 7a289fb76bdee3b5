// GET /readyz; every-route-trouble.test.ts covers an unavailable store
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'

contract('GET /readyz', (gateway) => {
  test('200 returns every check by name, without a key', async () => {
    const { call } = await gateway()
    const answer = await call('readyz', { key: null })
    assert.equal(answer.status, 200)
    assert.equal(answer.json.status, 'ready')
    // On PostgreSQL also the lease of the node.
    const { cluster = 'ok', ...checks } = answer.json.checks as Record<string, string>
    assert.deepEqual({ ...checks, cluster }, { store: 'ok', sessions: 'ok', cluster: 'ok' })
    assert.equal(answer.json.held, null)
  })

  test('503 when the state of an instance is not saved yet', async () => {
    const { call, sessions } = await gateway()
    const works = sessions.script.check
    sessions.script.check = () => {
      throw new Error('not saved')
    }
    const answer = await call('readyz', { key: null }).finally(() => (sessions.script.check = works))
    assert.equal(answer.status, 503)
    assert.deepEqual(answer.json.failed, ['sessions'])
  })
})
