import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatIds, payloadOf, withPersonIds } from './chat-ids.ts'

const ANA = '5511912345678@s.whatsapp.net'
const LID = '111222333444555@lid'
const GROUP = '120363000000000000@g.us'
const NONE = { number: null, lid: null, username: null, groupJid: null }

test('a chat has the same five names everywhere; what is not known is null', () => {
  const known = { lid: LID, username: 'ana.s' }
  assert.deepEqual(chatIds(ANA), { ...NONE, chat: ANA, number: '5511912345678' })
  assert.deepEqual(chatIds(ANA, known), { ...known, chat: ANA, number: '5511912345678', groupJid: null })
  assert.deepEqual(chatIds(LID), { ...NONE, chat: LID, lid: LID })
  assert.deepEqual(chatIds(LID, { lid: null, username: 'ana.s' }), {
    ...NONE,
    chat: LID,
    lid: LID,
    username: 'ana.s',
  })
  assert.deepEqual(chatIds(GROUP), { ...NONE, chat: GROUP, groupJid: GROUP })
  assert.deepEqual(chatIds('status@broadcast'), { ...NONE, chat: 'status@broadcast' })
})

test('a person has the names of a chat beside the older ones', () => {
  const person = { jid: LID, lid: LID, phone: null, pushName: 'Ana' }
  assert.deepEqual(withPersonIds(person), { ...person, chat: LID, number: null, username: null })
  assert.equal(withPersonIds({ ...person, username: 'ana.s' }).username, 'ana.s')
})

test('the store completes the payload of a person; others are complete', () => {
  assert.deepEqual(payloadOf(ANA, { text: 'hi' }), {
    data: JSON.stringify({ chat: ANA, text: 'hi' }),
    person: ANA,
  })
  assert.deepEqual(payloadOf(GROUP, { text: 'hi' }), {
    data: JSON.stringify({ ...chatIds(GROUP), text: 'hi' }),
  })
  assert.deepEqual(payloadOf(null, { text: 'hi' }), { data: '{"text":"hi"}' })
})
