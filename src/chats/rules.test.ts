import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_EVENT_BYTES } from '../contract/bounded-json.ts'
import { chatIds, payloadOf, withPersonIds } from './rules.ts'

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

test('a payload has at most the size of an event, and a longer one says where the rest is', () => {
  const text = '\u0001'.repeat(65_536)
  for (const chat of [ANA, GROUP]) {
    const { data } = payloadOf(chat, { messageId: 'M/1', text, content: { message: text } })
    assert.ok(Buffer.byteLength(data) < MAX_EVENT_BYTES)
    const cut = JSON.parse(data) as Record<string, unknown>
    assert.deepEqual([cut['truncated'], cut['rest'], cut['messageId']], [true, '/messages/M%2F1', 'M/1'])
    assert.ok(text.startsWith(cut['text'] as string))
  }
  const people = Array.from({ length: 5000 }, (_, index) => ({
    jid: `${index}@lid`,
    pushName: 'é'.repeat(60),
  }))
  const members = JSON.parse(payloadOf(GROUP, { groupJid: GROUP, people }).data) as Record<string, unknown[]>
  assert.equal(members['rest'], `/groups/${encodeURIComponent(GROUP)}`)
  assert.deepEqual(members['people']?.[0], people[0])
})
