// GET /readyz (decisions 2); what it says when the store is away stands in every-route-trouble.test.ts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'

contract('GET /readyz', (gateway) => {
  test('200: every check by its name, without a key', async () => {
    const { call } = await gateway()
    const answer = await call('readyz', { key: null })
    assert.equal(answer.status, 200)
    assert.equal(answer.json.status, 'ready')
    assert.equal(answer.json.checks.store, 'ok')
  })
})
