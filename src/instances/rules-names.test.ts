import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instanceNames } from './rules.ts'

test('people see the display name, programs the API name, each under two fields', () => {
  assert.deepEqual(instanceNames({ display_name: 'Support Brasil', api_name: 'support-brasil-1a2b3c4d' }), {
    instanceName: 'Support Brasil',
    displayName: 'Support Brasil',
    apiInstanceName: 'support-brasil-1a2b3c4d',
    internalName: 'support-brasil-1a2b3c4d',
  })
})
