import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BinaryNode } from '../library/protocol.ts'
import { createGroupNotices, ownPerson, toGroupNotice } from './group-notices.ts'

const GROUP = '120363000000000001@g.us'
const stanza = (change: BinaryNode, attrs: Record<string, string> = {}): BinaryNode => ({
  tag: 'notification',
  attrs: { from: GROUP, type: 'w:gp2', ...attrs },
  content: [change],
})
const ANA = { jid: '5511900000001@s.whatsapp.net', lid: '111@lid', phone: '5511900000001', pushName: 'Ana' }

describe('a notice of the network', () => {
  test('has the author under both names', () => {
    const byLid = { participant: '111@lid', participant_pn: ANA.jid, notify: 'Ana' }
    const byNumber = { participant: ANA.jid, participant_lid: '111@lid', notify: 'Ana' }
    for (const attrs of [byLid, byNumber])
      assert.deepEqual(toGroupNotice(stanza({ tag: 'subject', attrs: {} }, attrs)), {
        jid: GROUP,
        what: 'subject',
        people: [],
        author: ANA,
      })
    assert.equal(toGroupNotice(stanza({ tag: 'subject', attrs: {} }))?.author, null)
  })

  const kinds: [tag: string, what: string][] = [
    ['create', 'join'],
    ['description', 'description'],
    ['announcement', 'announce'],
    ['not_announcement', 'announce'],
    ['locked', 'locked'],
    ['unlocked', 'locked'],
    ['membership_approval_mode', 'joinApproval'],
    ['member_add_mode', 'memberAdd'],
    ['ephemeral', 'disappearingSeconds'],
    ['not_ephemeral', 'disappearingSeconds'],
    ['leave', 'remove'],
  ]
  for (const [tag, what] of kinds)
    test(`${tag} is about ${what}`, () => {
      assert.equal(toGroupNotice(stanza({ tag, attrs: {} }))?.what, what)
    })

  test('of members has all their names, without devices', () => {
    const content = [
      { tag: 'participant', attrs: { jid: '222:4@lid', phone_number: '5511900000002@s.whatsapp.net' } },
      { tag: 'participant', attrs: { jid: '5511900000003@s.whatsapp.net', lid: '333@lid' } },
    ]
    for (const tag of ['add', 'remove', 'promote', 'demote'])
      assert.deepEqual(toGroupNotice(stanza({ tag, attrs: {}, content }))?.people, [
        '222@lid',
        '5511900000002@s.whatsapp.net',
        '5511900000003@s.whatsapp.net',
        '333@lid',
      ])
  })

  test('is ignored if it is about something else', () => {
    assert.equal(toGroupNotice(stanza({ tag: 'invite', attrs: {} })), undefined)
    assert.equal(toGroupNotice(stanza({ tag: 'subject', attrs: {} }, { type: 'picture' })), undefined)
    assert.equal(toGroupNotice({ tag: 'message', attrs: { from: GROUP, type: 'w:gp2' } }), undefined)
  })
})

test('this account is an author without its device', () => {
  assert.deepEqual(ownPerson({ id: '5511900000001:7@s.whatsapp.net', lid: '111:7@lid', name: 'Ana' }), ANA)
  assert.equal(ownPerson(undefined), null)
})

test('notices are kept per group until they are reported, the latest ones only', () => {
  const notices = createGroupNotices()
  const notice = (jid: string) => ({ jid, what: 'subject' as const, people: [], author: null })
  const [first, second, other] = [notice(GROUP), notice(GROUP), notice('120363000000000002@g.us')]
  for (const each of [first, second, other]) notices.add(each)
  notices.remove([first])
  assert.deepEqual(notices.of(GROUP), [second])
  assert.deepEqual(notices.of(other.jid), [other])
  const many = Array.from({ length: 60 }, () => notice(GROUP))
  for (const each of many) notices.add(each)
  assert.equal(notices.of(GROUP).length, 50)
  assert.equal(notices.of(GROUP).at(-1), many.at(-1))
})
