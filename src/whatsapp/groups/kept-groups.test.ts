import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type GroupMetadata, WAMessageAddressingMode } from '../library/protocol.ts'
import { createKeptGroups } from './group-reader.ts'

const group = (name: string, members: number): GroupMetadata => ({
  id: `${name}@g.us`,
  owner: undefined,
  subject: name,
  desc: 'a long text',
  addressingMode: WAMessageAddressingMode.LID,
  ephemeralDuration: 86_400,
  participants: Array.from({ length: members }, (_, index) => ({
    id: `${name}${index}@lid`,
    phoneNumber: `5511${index}@s.whatsapp.net`,
    admin: 'admin' as const,
  })),
})

describe('kept groups', () => {
  test('have the fields that sending needs, and no others', () => {
    const kept = createKeptGroups()
    kept.keep(group('a', 1))
    assert.deepEqual(kept.get('a@g.us'), {
      id: 'a@g.us',
      owner: undefined,
      subject: '',
      addressingMode: 'lid',
      ephemeralDuration: 86_400,
      participants: [{ id: 'a0@lid' }],
    })
  })

  test('are bounded by their members: the group that was not used for the longest time goes first', () => {
    const kept = createKeptGroups(10)
    for (const name of ['a', 'b']) kept.keep(group(name, 4))
    kept.get('a@g.us')
    kept.keep(group('c', 4))
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => kept.get(`${name}@g.us`) !== undefined),
      [true, false, true],
    )
    kept.keep(group('large', 50))
    assert.equal(kept.get('large@g.us')?.participants.length, 50)
    assert.equal(kept.get('a@g.us'), undefined)
  })

  test('from a list are kept while there is room, and evict no other', () => {
    const kept = createKeptGroups(10)
    kept.keep(group('a', 8))
    kept.keepIfRoom(group('b', 4))
    kept.keepIfRoom(group('c', 2))
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => kept.get(`${name}@g.us`) !== undefined),
      [true, false, true],
    )
    kept.forget('a@g.us')
    kept.keepIfRoom(group('b', 4))
    assert.notEqual(kept.get('b@g.us'), undefined)
    kept.forgetAll()
    kept.keepIfRoom(group('d', 10))
    assert.notEqual(kept.get('d@g.us'), undefined)
  })

  test('are contradicted by an unknown participant or another addressing, and not by a device of a member', () => {
    const kept = createKeptGroups()
    kept.keep(group('a', 2))
    const isContradicted = (participant?: string, addressing?: string, jid = 'a@g.us') =>
      kept.isContradicted(jid, { participant, addressing })
    assert.equal(isContradicted('a1:7@lid', 'lid'), false)
    assert.equal(isContradicted(), false)
    assert.equal(isContradicted('a2@lid', 'lid'), true)
    assert.equal(isContradicted('a1@lid', 'pn'), true)
    assert.equal(isContradicted('a2@lid', 'pn', 'unknown@g.us'), false)
  })
})
