// The doctor's proxy check.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkProxy } from './proxy.ts'

test('warning when PUBLIC_URL is set without TRUST_PROXY', () => {
  const [finding] = checkProxy({ PUBLIC_URL: 'https://gateway.example', TRUST_PROXY: undefined })
  assert.equal(finding?.status, 'warning')
  assert.match(finding.todo ?? '', /TRUST_PROXY/)
  assert.deepEqual(checkProxy({ PUBLIC_URL: 'https://gateway.example', TRUST_PROXY: ['127.0.0.1'] }), [])
  assert.deepEqual(checkProxy({ PUBLIC_URL: undefined, TRUST_PROXY: undefined }), [])
})
