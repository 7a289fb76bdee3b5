// Which stored messages can be edited, deleted or forwarded.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ChangedMessage, forwardedKind, isDeletable, isEditable } from './message-changes.ts'

const NOW = Date.UTC(2026, 0, 31)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const message = (change: Partial<ChangedMessage> = {}): ChangedMessage => ({
  isOurs: true,
  isFromApi: true,
  type: 'text',
  at: NOW,
  isViewOnce: false,
  isStatus: false,
  ...change,
})

describe('editing', () => {
  test('a sent text or caption, for 15 minutes', () => {
    for (const type of ['text', 'image', 'video', 'document'])
      assert.equal(isEditable(message({ type }), NOW + 15 * MINUTE_MS), true, type)
    assert.equal(isEditable(message(), NOW + 15 * MINUTE_MS + 1), false)
  })
  test('no other type, and no message of another person', () => {
    for (const type of ['audio', 'poll', 'location'])
      assert.equal(isEditable(message({ type }), NOW), false, type)
    assert.equal(isEditable(message({ isOurs: false, isFromApi: false }), NOW), false)
  })
  test('of messages written on the phone only texts, because the file of a caption is not stored', () => {
    assert.equal(isEditable(message({ isFromApi: false }), NOW), true)
    assert.equal(isEditable(message({ isFromApi: false, type: 'image' }), NOW), false)
  })
})

describe('deleting for everyone', () => {
  test('a sent message, for 60 hours', () => {
    assert.equal(isDeletable(message(), NOW + 60 * HOUR_MS, false), true)
    assert.equal(isDeletable(message(), NOW + 60 * HOUR_MS + 1, false), false)
  })
  test('a message of another person only by an admin of the group, without a limit', () => {
    const theirs = message({ isOurs: false, isFromApi: false })
    assert.equal(isDeletable(theirs, NOW, false), false)
    assert.equal(isDeletable(theirs, NOW + 1000 * HOUR_MS, true), true)
  })
})

describe('forwarding', () => {
  test('every kind that was sent through the API, and received types that can be rebuilt', () => {
    assert.equal(forwardedKind(message({ type: 'poll' })), 'poll')
    const received = (type: string) => forwardedKind(message({ isOurs: false, isFromApi: false, type }))
    assert.equal(received('image'), 'image')
    for (const type of ['poll', 'reaction', 'unsupported', 'list_reply'])
      assert.equal(received(type), undefined, type)
  })
  test('never a file that can be opened only once, and never a change of a message', () => {
    assert.equal(forwardedKind(message({ type: 'image', isViewOnce: true })), undefined)
    assert.equal(forwardedKind(message({ type: 'reaction' })), undefined)
  })
})

describe('deleting a status', () => {
  test('one that was posted through the API, for 24 hours', () => {
    const status = message({ isStatus: true })
    assert.equal(isDeletable(status, NOW + 24 * HOUR_MS, false), true)
    assert.equal(isDeletable(status, NOW + 24 * HOUR_MS + 1, false), false)
  })
  test('none of the phone, and none of another person', () => {
    assert.equal(isDeletable(message({ isStatus: true, isFromApi: false }), NOW, false), false)
    assert.equal(isDeletable(message({ isStatus: true, isOurs: false, isFromApi: false }), NOW, true), false)
  })
})
