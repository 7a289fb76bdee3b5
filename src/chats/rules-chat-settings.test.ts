import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatSettings } from './rules.ts'

const ROW = {
  archived: 0,
  muted_until: null,
  pinned: 0,
  marked_unread: 0,
  unread_count: 0,
  disappearing_seconds: 0,
  assigned_user_id: null,
}

test('the settings of a chat as callers see them', () => {
  assert.deepEqual(
    chatSettings({
      ...ROW,
      archived: 1,
      muted_until: 0,
      pinned: 1,
      disappearing_seconds: 86_400,
      assigned_user_id: 3,
    }),
    {
      archived: true,
      mutedUntil: '1970-01-01T00:00:00.000Z',
      pinned: true,
      unread: false,
      disappearingSeconds: 86_400,
      assignedTo: 3,
    },
  )
})

test('a chat is unread by its messages or by a mark', () => {
  assert.equal(chatSettings(ROW).unread, false)
  assert.equal(chatSettings({ ...ROW, unread_count: 2 }).unread, true)
  assert.equal(chatSettings({ ...ROW, marked_unread: 1 }).unread, true)
})
