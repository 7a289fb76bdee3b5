// GET /healthz
import assert from 'node:assert/strict'
import { test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { contract } from '../support/gateway.ts'

contract('GET /healthz', (gateway) => {
  test('200 without a key, with any query, and the version of the program', async () => {
    const { call } = await gateway()
    for (const query of [{}, { probe: '1' }]) {
      const answer = await call('healthz', { key: null, query })
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, { status: 'ok', version: packageJson.version, held: null })
    }
  })
})
