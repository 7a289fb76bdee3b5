import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { textChangeOf } from './rules-text-change.ts'

const target = { messageId: 'one', direction: 'incoming' }

describe('the text of a message after a change', () => {
  test('an edit replaces the text, a deletion removes it', () => {
    assert.deepEqual(textChangeOf({ kind: 'edit', target, text: 'new' }), {
      ...target,
      isDeletion: false,
      text: 'new',
    })
    assert.deepEqual(textChangeOf({ kind: 'delete', target, text: 'ignored' }), {
      ...target,
      isDeletion: true,
      text: null,
    })
  })

  test('other messages, and changes of a message that is not stored, change no text', () => {
    assert.equal(textChangeOf({ kind: 'reaction', target, text: '👍' }), undefined)
    assert.equal(textChangeOf({ kind: 'text', target: null, text: 'hi' }), undefined)
    assert.equal(textChangeOf({ kind: 'edit', target: { ...target, direction: null }, text: 'x' }), undefined)
    assert.equal(textChangeOf({ kind: 'delete', target: undefined, text: null }), undefined)
  })
})
