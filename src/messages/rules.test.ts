import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Change, changePermission, type KnownMessage } from './rules.ts'

const BOB = { jid: '5511900000002@s.whatsapp.net', lid: '2@lid' }
const CAROL = { jid: '5511900000003@s.whatsapp.net', lid: '3@lid' }
const GROUP = '1203@g.us'

const ours = (chat: string): KnownMessage => ({ chat, direction: 'outgoing', author: null })
const from = (author: KnownMessage['author'], chat: string): KnownMessage => ({
  chat,
  direction: 'incoming',
  author,
})
const change = (type: string, more: Partial<Change> = {}): Change => ({
  type,
  isGroup: false,
  chats: [BOB.jid, BOB.lid],
  author: [BOB.jid, BOB.lid],
  fromMe: false,
  claimed: { author: null, isOurs: null },
  ...more,
})
const inGroup = (type: string, more: Partial<Change> = {}) =>
  change(type, { isGroup: true, chats: [GROUP], ...more })
const byUs = { fromMe: true, author: ['5511900000001@s.whatsapp.net', '1@lid'] }
const verdict = (made: Change, known: KnownMessage[], isAdmin = false) =>
  changePermission(made, known, isAdmin).verdict

describe('who may change a message', () => {
  test('only the author may edit or delete a message, by phone jid or by lid', () => {
    for (const type of ['edit', 'delete']) {
      assert.equal(verdict(change(type), [from(BOB, BOB.jid)]), 'genuine')
      assert.equal(verdict(change(type), [from({ jid: BOB.lid, lid: BOB.lid }, BOB.lid)]), 'genuine')
      assert.equal(verdict(change(type, { author: [BOB.lid] }), [from(BOB, BOB.jid)]), 'genuine')
      assert.equal(verdict(change(type), [ours(BOB.jid)]), 'forged')
      assert.equal(verdict(inGroup(type), [from(BOB, GROUP)]), 'genuine')
      assert.equal(verdict(inGroup(type), [from(CAROL, GROUP)]), 'forged')
      assert.equal(verdict(inGroup(type), [ours(GROUP)]), 'forged')
    }
  })

  test('devices of the account may change outgoing messages, and no incoming ones', () => {
    for (const type of ['edit', 'delete']) {
      assert.equal(verdict(change(type, byUs), [ours(BOB.jid)]), 'genuine')
      assert.equal(verdict(change(type, byUs), [from(BOB, BOB.jid)]), 'forged')
      assert.equal(verdict(inGroup(type, byUs), [from(null, GROUP)]), 'forged')
    }
  })

  test('a group admin may delete the messages of others, and may not edit them', () => {
    for (const target of [ours(GROUP), from(CAROL, GROUP)]) {
      const permission = changePermission(inGroup('delete'), [target], true)
      assert.deepEqual(permission, { verdict: 'genuine', message: target, by: 'admin' })
      assert.equal(verdict(inGroup('edit'), [target], true), 'forged')
    }
    assert.equal(verdict(change('delete'), [ours(BOB.jid)], true), 'forged')
    assert.equal(verdict(inGroup('delete', byUs), [from(CAROL, GROUP)], true), 'genuine')
  })

  test('no change applies to a message of another chat', () => {
    for (const type of ['edit', 'delete', 'reaction', 'poll_vote', 'unsupported'])
      for (const isAdmin of [true, false])
        for (const target of [ours(CAROL.jid), from(BOB, GROUP)])
          assert.equal(verdict(change(type), [target], isAdmin), 'forged', type)
  })

  test('for an unknown target, edits and deletes are dropped, reactions and votes are kept', () => {
    for (const type of ['edit', 'delete']) assert.equal(verdict(change(type), []), 'unknown')
    for (const type of ['reaction', 'poll_vote'])
      assert.deepEqual(changePermission(change(type), [], false), {
        verdict: 'genuine',
        message: undefined,
        by: null,
      })
  })

  test('with two messages of the same id, an author changes their own message, a reaction applies to the claimed one', () => {
    const both = [ours(BOB.jid), from(BOB, BOB.jid)]
    const meant = (made: Change) => {
      const permission = changePermission(made, both, false)
      return permission.verdict === 'genuine' ? permission.message?.direction : permission.verdict
    }
    assert.equal(meant(change('edit')), 'incoming')
    assert.equal(meant(change('delete', byUs)), 'outgoing')
    assert.equal(meant(change('reaction', { claimed: { author: null, isOurs: true } })), 'outgoing')
    assert.equal(meant(change('reaction', { claimed: { author: null, isOurs: false } })), 'incoming')
    assert.equal(meant(change('reaction', { claimed: { author: BOB.jid, isOurs: null } })), 'incoming')
  })

  test('a stored message without an author belongs to the other person in a direct chat, and to no one in a group', () => {
    assert.equal(verdict(change('edit'), [from(null, BOB.jid)]), 'genuine')
    assert.equal(verdict(inGroup('edit'), [from(null, GROUP)]), 'forged')
  })
})
