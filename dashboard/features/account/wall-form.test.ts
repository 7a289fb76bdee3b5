import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_WALLS, wallsOf } from './wall-form.ts'

test('an empty form has no walls', () => {
  const none = {
    instances: null,
    chats: null,
    messagesPerDay: null,
    approval: false,
    approvalOnPhone: false,
  }
  assert.deepEqual(wallsOf(NO_WALLS), none)
})

test('chats are separated by commas, spaces and lines', () => {
  const { chats } = wallsOf({ ...NO_WALLS, chats: 'listed', listed: ' 1@lid, 2@lid\n3@lid ' })
  assert.deepEqual(chats, ['1@lid', '2@lid', '3@lid'])
  assert.equal(wallsOf({ ...NO_WALLS, chats: 'wrote_first', listed: '1@lid' }).chats, 'wrote_first')
  assert.deepEqual(
    wallsOf({ ...NO_WALLS, chats: 'listed' }).chats,
    [],
    'refused by the gateway, and not all chats',
  )
})

test('a text in place of a number is left to the gateway, which names the field', () => {
  assert.equal(wallsOf({ ...NO_WALLS, messagesPerDay: '20' }).messagesPerDay, 20)
  assert.ok(Number.isNaN(wallsOf({ ...NO_WALLS, messagesPerDay: 'x' }).messagesPerDay))
})

test('the owner is asked on the phone only about sends that need approval', () => {
  assert.equal(wallsOf({ ...NO_WALLS, approvalOnPhone: true }).approvalOnPhone, false)
  assert.equal(wallsOf({ ...NO_WALLS, approval: true, approvalOnPhone: true }).approvalOnPhone, true)
})
