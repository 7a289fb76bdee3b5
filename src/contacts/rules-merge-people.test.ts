import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mergeChats, mergeContacts, mergeLanes } from './rules-merge-people.ts'

const CHAT = {
  name: null,
  push_name: null,
  last_message_text: null,
  last_message_at: null,
  last_message_row_id: null,
  last_message_deleted: 0 as const,
  unread_count: 0,
  archived: 0,
  muted_until: null,
  pinned: 0,
  marked_unread: 0,
  disappearing_seconds: 0,
  history_ended: 0,
  assigned_user_id: null,
  active_at: 10,
  created_at: 10,
} as const

describe('one person under two identifiers', () => {
  test('the last message is the newer one, unread messages are added up', () => {
    const byNumber = { ...CHAT, unread_count: 2, last_message_at: 5, last_message_text: 'old' }
    const byLid = { ...CHAT, unread_count: 3, last_message_at: 6, last_message_text: 'new', created_at: 1 }
    const merged = mergeChats(byNumber, byLid)
    assert.deepEqual(
      [merged.unread_count, merged.last_message_text, merged.last_message_at, merged.created_at],
      [5, 'new', 6, 1],
    )
    assert.equal(mergeChats(byLid, byNumber).last_message_text, 'new')
    assert.equal(mergeChats(CHAT, byLid).last_message_text, 'new')
  })

  test('settings: archived if both are, pinned and unread if one is, muted for the longer time', () => {
    const marked = {
      ...CHAT,
      archived: 1,
      pinned: 1,
      marked_unread: 1,
      muted_until: 7,
      history_ended: 1,
    } as const
    const merged = mergeChats(CHAT, marked)
    assert.deepEqual(
      [merged.archived, merged.pinned, merged.marked_unread, merged.muted_until, merged.history_ended],
      [0, 1, 1, 7, 0],
    )
    assert.deepEqual(
      [mergeChats(marked, marked).archived, mergeChats(marked, { ...marked, muted_until: 9 }).muted_until],
      [1, 9],
    )
  })

  test('the timer and the push name are those of the chat that was active last; a saved name is that of the number', () => {
    const byNumber = { ...CHAT, name: 'Ana', push_name: 'old', disappearing_seconds: 1 }
    const byLid = { ...CHAT, name: 'A', push_name: 'new', disappearing_seconds: 2, active_at: 11 }
    const merged = mergeChats(byNumber, byLid)
    assert.deepEqual(
      [merged.name, merged.push_name, merged.disappearing_seconds, merged.active_at],
      ['Ana', 'new', 2, 11],
    )
    assert.equal(mergeChats(byNumber, { ...byLid, push_name: null }).push_name, 'old')
  })

  test('the chat stays assigned to the user of the chat that was active last, or of the other one', () => {
    const byNumber = { ...CHAT, assigned_user_id: 1 }
    const byLid = { ...CHAT, assigned_user_id: 2, active_at: 11 }
    assert.equal(mergeChats(byNumber, byLid).assigned_user_id, 2)
    assert.equal(mergeChats(byNumber, { ...byLid, assigned_user_id: null }).assigned_user_id, 1)
  })

  test('a contact takes over what only the other one has', () => {
    const none = {
      assigned_user_id: null,
      assigned_department_id: null,
      funnel_stage_id: null,
      notes: null,
      custom_data: '{"a":1,"b":1}',
      created_at: 5,
    }
    const other = { ...none, assigned_user_id: 4, notes: 'n', custom_data: '{"b":2,"c":2}', created_at: 3 }
    assert.deepEqual(mergeContacts(none, other), {
      ...other,
      custom_data: '{"b":1,"c":2,"a":1}',
    })
    assert.equal(mergeContacts({ ...other, notes: 'mine' }, other).notes, 'mine')
  })

  test('sends keep their order, those that were begun first', () => {
    const send = (name: string, enteredAt: number, status = 'queued') => ({ name, enteredAt, status })
    const byNumber = [send('n1', 1, 'sending'), send('n2', 4), send('n3', 3)]
    const byLid = [send('l1', 0, 'sending'), send('l2', 2), send('l3', 5)]
    assert.deepEqual(
      mergeLanes(byNumber, byLid).map(({ name }) => name),
      ['n1', 'l1', 'l2', 'n2', 'n3', 'l3'],
    )
    assert.deepEqual(mergeLanes([], byLid), byLid)
  })
})
