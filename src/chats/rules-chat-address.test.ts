import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  chatOf,
  type GivenAddress,
  hasAddress,
  jidOfPerson,
  type Recipient,
  recipientOf,
  shownName,
} from './rules.ts'

const GROUP = '120363000000000000@g.us'
const LID = '111222333444555@lid'
const ANA = '5511912345678@s.whatsapp.net'

const cases: [given: GivenAddress, chat: string, recipient: Recipient][] = [
  [{ number: '5511912345678' }, ANA, { number: '5511912345678' }],
  [{ chat: ANA }, ANA, { number: '5511912345678' }],
  [{ groupJid: GROUP }, GROUP, { groupJid: GROUP }],
  [{ chat: GROUP }, GROUP, { groupJid: GROUP }],
  [{ chat: LID }, LID, { chat: LID }],
]
for (const [given, chat, recipient] of cases)
  test(`${JSON.stringify(given)} names one chat, the same one in every field`, () => {
    assert.equal(hasAddress(given), true)
    assert.equal(chatOf(given), chat)
    assert.deepEqual(recipientOf(given), recipient)
  })

test('without any of the fields no chat is named', () => {
  assert.equal(hasAddress({}), false)
})

test('a person in a list is named by number or by lid', () => {
  assert.deepEqual(['5511912345678', LID].map(jidOfPerson), [ANA, LID])
  assert.deepEqual(['5511912345678', LID].map(shownName), [
    { number: '5511912345678', chat: ANA },
    { number: null, chat: LID },
  ])
})
