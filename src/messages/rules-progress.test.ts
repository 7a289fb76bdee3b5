import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressOf, type ReceiptStep } from './rules.ts'

const DELIVERED: ReceiptStep = { before: ['queued', 'sending', 'sent'], status: 'delivered' }
const READ: ReceiptStep = { before: ['queued', 'sending', 'sent', 'delivered'], status: 'read' }

test('a receipt moves a message forward', () => {
  assert.deepEqual(progressOf('sent', DELIVERED), { status: 'delivered', becameSent: false, moved: true })
  assert.deepEqual(progressOf('delivered', READ), { status: 'read', becameSent: false, moved: true })
})

test('a late receipt never moves a message back, and a failed message stays failed', () => {
  assert.deepEqual(progressOf('read', DELIVERED), { status: 'read', becameSent: false, moved: false })
  assert.deepEqual(progressOf('read', READ), { status: 'read', becameSent: false, moved: false })
  assert.deepEqual(progressOf('failed', READ), { status: 'failed', becameSent: false, moved: false })
})

test('a receipt that arrives before the send is confirmed makes both steps', () => {
  for (const waiting of ['queued', 'sending'] as const) {
    assert.deepEqual(progressOf(waiting, READ), { status: 'read', becameSent: true, moved: true })
  }
})
