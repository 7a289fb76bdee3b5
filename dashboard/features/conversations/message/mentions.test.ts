// Mentions in the text of a message.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionParts, mentionsIn, withMention } from './mentions.ts'

test('mentions are the members that the text names by number', () => {
  const members = ['5511900000003', '55119000000031', '5511900000004']
  assert.deepEqual(mentionsIn('hi @5511900000003, and @5511900000009', members), ['5511900000003'])
  assert.deepEqual(mentionsIn('5511900000003 without the sign', members), [])
  assert.equal(withMention('hello', 5, '5511900000003'), 'hello @5511900000003 ')
  assert.equal(withMention('hello you', 6, '5511900000003'), 'hello @5511900000003 you')
  assert.deepEqual(mentionParts('a @5511900000003 b @5511900000009', new Map([['5511900000003', 'Ana']])), [
    'a ',
    { mention: 'Ana' },
    ' b @5511900000009',
  ])
})
