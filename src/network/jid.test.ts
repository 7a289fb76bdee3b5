import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isGroupJid, isLid, lidJid, normalJid, personJid, phoneOf } from './jid.ts'

const PERSON = '5511912345678@s.whatsapp.net'
const LID = '98765@lid'
const GROUP = '120363000000000000@g.us'

describe('jid', () => {
  const cases: [jid: string, phone: string | null, group: boolean, lid: boolean][] = [
    [PERSON, '5511912345678', false, false],
    [LID, null, false, true],
    [GROUP, null, true, false],
    ['status@broadcast', null, false, false],
    ['not-a-number@s.whatsapp.net', null, false, false],
    ['', null, false, false],
  ]
  for (const [jid, phone, group, lid] of cases) {
    test(`${jid === '' ? 'an empty string' : jid}: phone ${phone}, group ${group}, lid ${lid}`, () => {
      assert.equal(phoneOf(jid), phone)
      assert.equal(isGroupJid(jid), group)
      assert.equal(isLid(jid), lid)
    })
  }

  test('phoneOf returns the phone number that personJid was given', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{6,14}$/), (phone) => {
        assert.equal(phoneOf(personJid(phone)), phone)
        assert.ok(isLid(lidJid(phone)))
      }),
    )
  })
})

test('a device and the old server of people are dropped, and other texts stay', () => {
  assert.equal(normalJid('5511912345678:12@s.whatsapp.net'), '5511912345678@s.whatsapp.net')
  assert.equal(normalJid('5511912345678@c.us'), '5511912345678@s.whatsapp.net')
  for (const text of ['5511912345678', '111222333@lid', '120363000000000000@g.us', 'nobody'])
    assert.equal(normalJid(text), text)
})
