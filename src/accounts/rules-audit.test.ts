import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditedName, isAudited } from './rules.ts'

test('changes and denials are recorded, reading is not', () => {
  const key = { isWalled: false, status: 200 }
  assert.equal(isAudited({ ...key, method: 'POST' }), true)
  assert.equal(isAudited({ ...key, method: 'GET' }), false)
  assert.equal(isAudited({ ...key, method: 'GET', status: 403 }), true)
  assert.equal(isAudited({ ...key, method: 'GET', status: 404 }), false)
  assert.equal(isAudited({ method: 'GET', status: 404, isWalled: true }), true)
})

test('only identifiers are taken from a request', () => {
  assert.equal(auditedName('5511912345678@s.whatsapp.net'), '5511912345678@s.whatsapp.net')
  assert.equal(auditedName(7), '7')
  for (const other of ['a text', 'x'.repeat(101), '', null, { a: 1 }, ['a']])
    assert.equal(auditedName(other), null)
})
