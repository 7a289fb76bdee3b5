import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matchingReplies, requestedReply } from './quick-match.ts'

const reply = (shortcut: string, id = 1) => ({ id, shortcut, text: `Text of ${shortcut}` })

describe('quick replies', () => {
  test('a slash at the start of a message asks for them, in any case', () => {
    assert.equal(requestedReply('/'), '')
    assert.equal(requestedReply('/Horá'), 'horá')
    for (const message of ['', 'see /hours', '/two words', '/a\n', ' /hours', '//'])
      assert.equal(requestedReply(message), undefined, message)
  })

  test('shortcuts that begin with it come before those that contain it', () => {
    const found = matchingReplies([reply('opening-hours'), reply('address'), reply('hours')], 'hour')
    assert.deepEqual(
      found.map(({ shortcut }) => shortcut),
      ['hours', 'opening-hours'],
    )
  })

  test('no more than eight are offered', () => {
    const many = Array.from({ length: 30 }, (_, index) => reply(`r${index}`, index))
    assert.equal(matchingReplies(many, '').length, 8)
  })
})
