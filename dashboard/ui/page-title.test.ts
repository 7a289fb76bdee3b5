import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleOf } from './page-title.ts'

test('the title begins with the number of unread chats, if there are any', () => {
  assert.equal(titleOf('Contacts', 0), 'Contacts · Switchboard')
  assert.equal(titleOf('Contacts', 3), '(3) Contacts · Switchboard')
  assert.equal(titleOf('', 99), '(99) Switchboard')
  assert.equal(titleOf('Contacts', 100), '(99+) Contacts · Switchboard')
})
