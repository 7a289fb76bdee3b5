import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DISAPPEARING_SECONDS } from '../../../../src/contract/values.ts'
import { choicesForChat, isMuted, muteEnd, timerOf } from './chat-choices.ts'

const NOW = Date.UTC(2026, 0, 31)
type Chat = Parameters<typeof choicesForChat>[0]
const chat = (change: Partial<Chat> = {}): Chat => ({
  archived: false,
  mutedUntil: null,
  pinned: false,
  unread: false,
  ...change,
})

describe('what can be done with a chat', () => {
  test('each setting is offered in the direction that changes it', () => {
    assert.deepEqual(choicesForChat(chat(), NOW), ['archive', 'mute', 'pin', 'markUnread', 'timer', 'clear'])
    const mutedUntil = muteEnd('hours', NOW)
    assert.deepEqual(choicesForChat(chat({ archived: true, mutedUntil, pinned: true, unread: true }), NOW), [
      'unarchive',
      'unmute',
      'unpin',
      'markRead',
      'timer',
      'clear',
    ])
  })

  test('a mute ends by itself, unless it is for ever', () => {
    const after = (hours: number) => NOW + hours * 3_600_000
    const muted = (duration: Parameters<typeof muteEnd>[0], hours: number) =>
      isMuted({ mutedUntil: muteEnd(duration, NOW) }, after(hours))
    assert.deepEqual([muted('hours', 7.9), muted('hours', 8)], [true, false])
    assert.deepEqual([muted('week', 167.9), muted('week', 168)], [true, false])
    assert.equal(muted('always', 1_000_000), true)
    assert.equal(isMuted({ mutedUntil: null }, NOW), false)
  })

  test('every timer of the network has a name, and no other', () => {
    assert.deepEqual(DISAPPEARING_SECONDS.map(timerOf), ['off', 'day', 'week', 'quarter'])
    assert.equal(timerOf(3600), undefined)
  })
})
