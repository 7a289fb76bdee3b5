import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestIn } from './agent-request.ts'

test('reads the fields of the protocol, and none that is given twice', () => {
  assert.deepEqual(
    requestIn('?client_id=https%3A%2F%2Fa.example%2Fc&state=a+b&prompt=none&redirect_uri=x&redirect_uri=y'),
    { clientId: 'https://a.example/c', state: 'a b' },
  )
})
