import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answersFor } from './member-answers.ts'

const person = (
  status: string,
  attrs: Record<string, string>,
  content?: [{ tag: string; attrs: Record<string, string> }],
) => ({
  status,
  jid: attrs.jid,
  content: { tag: 'participant', attrs, ...(content ? { content } : {}) },
})

test('answers are found by any name of the person, in any order', () => {
  const requested = [['111@s.whatsapp.net', '11@lid'], ['222@s.whatsapp.net'], ['333@s.whatsapp.net']]
  const answered = [
    person('409', { jid: '33@lid', phone_number: '333@s.whatsapp.net' }),
    person('404', { jid: '222:0@s.whatsapp.net' }),
    person('200', { jid: '11@lid' }),
  ]
  assert.deepEqual(
    answersFor(requested, answered).map(({ code }) => code),
    [200, 404, 409],
  )
})

test('an answer under an unknown name counts for the person at its position', () => {
  const answered = [person('200', { jid: '11@lid' }), person('403', { jid: '22@lid' })]
  assert.deepEqual(
    answersFor([['111@s.whatsapp.net'], ['222@s.whatsapp.net']], answered).map(({ code }) => code),
    [200, 403],
  )
})

test('a person whom the answer leaves out was not found', () => {
  assert.deepEqual(answersFor([['111@s.whatsapp.net']], []), [{ code: 404, invitation: undefined }])
})

test('an invitation has its code and its end', () => {
  const request = { tag: 'add_request', attrs: { code: 'CODE', expiration: '1700000000' } }
  const [answer] = answersFor(
    [['111@s.whatsapp.net']],
    [person('403', { jid: '111@s.whatsapp.net' }, [request])],
  )
  assert.deepEqual(answer, { code: 403, invitation: { code: 'CODE', expiresAt: 1_700_000_000 } })
})
