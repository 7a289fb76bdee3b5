import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GroupMember, GroupNotice, KnownPerson, NetworkGroup } from '../network/groups.ts'
import { authorOf, joinAuthor, memberChanges, settingChanges, settingsOf } from './rules-groups.ts'

const JID = '120363000000000001@g.us'
const person = (phone: string): KnownPerson => ({
  jid: `${phone}@s.whatsapp.net`,
  lid: `${phone}@lid`,
  phone,
  pushName: null,
})
const [ANA, BEN, CAM] = [person('111'), person('222'), person('333')]
const member = ({ jid, lid, phone }: KnownPerson, isAdmin = false): GroupMember => ({
  jid,
  lid,
  phone,
  isAdmin,
})
const notice = (what: GroupNotice['what'], author: KnownPerson, ...people: KnownPerson[]): GroupNotice => ({
  jid: JID,
  what,
  author,
  people: people.flatMap(({ jid, lid }) => (lid === null ? [jid] : [jid, lid])),
})

const GROUP: NetworkGroup = {
  jid: JID,
  subject: 'Team',
  description: null,
  ownerJid: null,
  createdAtMs: null,
  isAdmin: false,
  isAnnouncement: false,
  isLocked: false,
  joinApproval: false,
  memberAdd: 'admins',
  disappearingSeconds: 0,
  participants: [],
}

describe('changed settings of a group', () => {
  test('none without a difference', () => {
    assert.deepEqual(settingChanges(settingsOf(GROUP), GROUP, [notice('subject', ANA)]), [])
  })

  test('every setting is compared, and only changed ones are named', () => {
    const after: NetworkGroup = {
      ...GROUP,
      subject: 'New',
      description: 'Text',
      isAnnouncement: true,
      isLocked: true,
      joinApproval: true,
      memberAdd: 'all',
      disappearingSeconds: 86_400,
    }
    const changes = {
      subject: 'New',
      description: 'Text',
      announce: true,
      locked: true,
      joinApproval: true,
      memberAdd: 'all',
      disappearingSeconds: 86_400,
    }
    assert.deepEqual(settingChanges(settingsOf(GROUP), after, []), [{ author: null, changes }])
    const removed = settingChanges(settingsOf({ ...GROUP, description: 'Text' }), GROUP, [])
    assert.deepEqual(removed, [{ author: null, changes: { description: null } }])
  })

  test('a setting that becomes known has not changed', () => {
    const unknown = { ...settingsOf(GROUP), joinApproval: null, memberAdd: null, disappearingSeconds: null }
    assert.deepEqual(settingChanges(unknown, { ...GROUP, joinApproval: true, memberAdd: 'all' }, []), [])
  })

  test('changes of two people are two changes', () => {
    const after = { ...GROUP, subject: 'New', description: 'Text', isLocked: true }
    const notices = [notice('subject', ANA), notice('description', BEN), notice('locked', ANA)]
    assert.deepEqual(settingChanges(settingsOf(GROUP), after, notices), [
      { author: ANA, changes: { subject: 'New', locked: true } },
      { author: BEN, changes: { description: 'Text' } },
    ])
  })
})

describe('changed members of a group', () => {
  test('each action with its people and its author', () => {
    const before = [member(ANA, true), member(BEN)]
    const after = [member(ANA), member(CAM)]
    const notices = [notice('add', ANA, CAM), notice('remove', BEN, BEN)]
    assert.deepEqual(memberChanges(JID, before, after, notices), [
      { action: 'add', author: ANA, people: [CAM] },
      { action: 'remove', author: BEN, people: [BEN] },
      { action: 'demote', author: null, people: [ANA] },
    ])
    assert.deepEqual(memberChanges(JID, [member(ANA)], [member(ANA, true)], []), [
      { action: 'promote', author: null, people: [ANA] },
    ])
  })

  test('a member whose number becomes known is the same member', () => {
    const hidden: GroupMember = { jid: '111@lid', lid: '111@lid', phone: null, isAdmin: false }
    assert.deepEqual(memberChanges(JID, [hidden], [member(ANA)], []), [])
    assert.deepEqual(memberChanges(JID, [member(ANA)], [hidden], []), [])
  })

  test('people added by two authors are two changes', () => {
    const notices = [notice('add', ANA, BEN), notice('add', CAM, CAM)]
    assert.deepEqual(memberChanges(JID, [], [member(BEN), member(CAM)], notices), [
      { action: 'add', author: ANA, people: [BEN] },
      { action: 'add', author: CAM, people: [CAM] },
    ])
  })
})

describe('the author of a change', () => {
  test('is the one of the latest notice about this group, change and person', () => {
    const notices = [
      notice('subject', ANA),
      notice('subject', BEN),
      { ...notice('subject', CAM), jid: '120363000000000002@g.us' },
    ]
    assert.equal(authorOf(notices, JID, 'subject'), BEN)
    assert.equal(authorOf(notices, JID, 'locked'), null)
    assert.equal(authorOf([notice('add', ANA, BEN)], JID, 'add', member(CAM)), null)
    const hidden = { jid: '222@lid', lid: null }
    assert.equal(authorOf([notice('add', ANA, BEN)], JID, 'add', hidden), ANA)
  })

  test('of joining: who created the group or added the account', () => {
    assert.equal(joinAuthor(JID, [notice('join', ANA), notice('add', BEN, CAM)]), ANA)
    assert.equal(joinAuthor(JID, [notice('add', BEN, CAM)]), BEN)
    assert.equal(joinAuthor(JID, []), null)
  })
})
