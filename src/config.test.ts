// Which keys the environment may set: only those that a client can send in a header, and not the same key twice.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSettings, SettingsError } from './config.ts'

const KEY = 'k'.repeat(32)

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(environment)
    return []
  } catch (error) {
    assert.ok(error instanceof SettingsError)
    assert.ok(!error.message.includes('kkkk'), 'the value is not in the message')
    return error.faults
  }
}

describe('keys in the environment', () => {
  const PRINTABLE = 'expected printable ASCII characters without spaces'
  for (const name of ['API_KEY', 'OPERATOR_KEY']) {
    for (const value of [
      `${KEY} ${KEY}`,
      ` ${KEY}`,
      `${KEY}\n`,
      `${KEY}\t`,
      `${KEY}\u0001`,
      `${KEY}\u007f`,
      `${KEY}é`,
    ])
      test(`${name}=${JSON.stringify(value)} is refused`, () =>
        assert.deepEqual(faultsOf({ [name]: value }), [`${name}: ${PRINTABLE}`]))

    test(`${name} of 32 to 256 printable characters is accepted`, () => {
      assert.deepEqual(faultsOf({ [name]: `${KEY}!~"\\` }), [])
      assert.deepEqual(faultsOf({ [name]: 'k'.repeat(31) }), [`${name}: expected at least 32 characters`])
      assert.deepEqual(faultsOf({ [name]: 'k'.repeat(257) }), [`${name}: expected at most 256 characters`])
    })
  }

  test('SANDBOX_KEY with spaces is refused', () => {
    const environment = { SANDBOX_URL: 'http://127.0.0.1:1', SANDBOX_KEY: `${KEY} ${KEY}` }
    assert.deepEqual(faultsOf(environment), [`SANDBOX_KEY: ${PRINTABLE}`])
  })

  test('the same key for account and operator is refused', () => {
    assert.deepEqual(faultsOf({ API_KEY: KEY, OPERATOR_KEY: KEY }), [
      'API_KEY: must be different from OPERATOR_KEY',
    ])
    assert.deepEqual(faultsOf({ API_KEY: KEY, OPERATOR_KEY: `${KEY}2` }), [])
  })
})
