import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUsername, usernameInAnswer, usernamesIn } from './usernames.ts'

test('a username has limits, and anything else is ignored', () => {
  for (const name of ['ana', 'ana.souza_9', 'Ñandú', 'x'.repeat(60)]) assert.equal(readUsername(name), name)
  assert.equal(readUsername(Buffer.from('ana')), 'ana')
  for (const text of ['', 'x'.repeat(61), 'a b', 'a\nb', '<b>', 'ana\0', undefined, 7, Buffer.from([0xff])])
    assert.equal(readUsername(text), null)
})

test('the author of a received message, and the chat of one that this account has sent elsewhere', () => {
  const attrs = { participant_username: 'ana', recipient_username: 'ben', peer_recipient_username: 'carl' }
  assert.deepEqual(usernamesIn(attrs, false), { author: 'ana', chat: null })
  assert.deepEqual(usernamesIn(attrs, true), { author: null, chat: 'carl' })
  assert.deepEqual(usernamesIn({ recipient_username: 'ben' }, true), { author: null, chat: 'ben' })
  assert.deepEqual(usernamesIn({}, false), { author: null, chat: null })
})

test('the answer of a lookup; an answer without a username or of another form gives none', () => {
  const answer = (content: unknown) =>
    ({
      tag: 'iq',
      attrs: {},
      content: [
        {
          tag: 'usync',
          attrs: {},
          content: [{ tag: 'list', attrs: {}, content: [{ tag: 'user', attrs: {}, content }] }],
        },
      ],
    }) as never
  assert.equal(usernameInAnswer(answer([{ tag: 'username', attrs: {}, content: Buffer.from('ana') }])), 'ana')
  assert.equal(usernameInAnswer(answer([{ tag: 'username', attrs: {} }])), null)
  assert.equal(usernameInAnswer(answer(undefined)), null)
  assert.equal(usernameInAnswer({ tag: 'iq', attrs: {} }), null)
})
