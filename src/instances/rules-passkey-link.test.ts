import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newLinkToken, readLinkToken } from './rules-passkey.ts'

describe('the token of a one-time link', () => {
  test('names its instance, has 256 random bits, and has a hash that does not contain it', () => {
    for (const instanceId of [1, 35, 36, 1_000_000_000_000]) {
      const token = newLinkToken(instanceId)
      const read = readLinkToken(token)
      assert.equal(read?.instanceId, instanceId)
      assert.match(read?.tokenHash ?? '', /^[0-9a-f]{64}$/)
      assert.equal(Buffer.from(token.split('.')[1] ?? '', 'base64url').length, 32)
      assert.notEqual(newLinkToken(instanceId), token)
    }
  })

  test('refuses other texts', () => {
    const [id = '', secret = ''] = newLinkToken(7).split('.')
    for (const text of [
      '',
      id,
      secret,
      `.${secret}`,
      `0.${secret}`,
      `${id}.${secret}A`,
      `zzzzzzzzzzzzz.${secret}`,
    ])
      assert.equal(readLinkToken(text), undefined, text)
  })
})
