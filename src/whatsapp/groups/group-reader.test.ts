import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { NetworkEvent } from '../../network/network.ts'
import { type BinaryNode, type GroupMetadata, WAMessageAddressingMode } from '../library/protocol.ts'
import { createGroupReader } from './group-reader.ts'

const GROUP = '120363000000000001@g.us'
const [ANA, BEN, ME] = ['111@lid', '222@lid', '999@lid']

/** A network with one group, and a reader on it. */
function network() {
  const script = {
    members: [ME, ANA],
    queries: 0,
    failure: undefined as Error | undefined,
    /** Holds answers back until it resolves. */
    answering: Promise.resolve(),
    /** Holds reports back until it resolves. */
    storing: Promise.resolve(),
    lists: 0,
    events: [] as NetworkEvent[],
  }
  const describeGroup = (): GroupMetadata => ({
    id: GROUP,
    owner: undefined,
    subject: 'Team',
    addressingMode: WAMessageAddressingMode.LID,
    participants: script.members.map((id) => ({ id })),
  })
  const socket = {
    me: { id: '5511900000009:3@s.whatsapp.net', lid: ME },
    async groupMetadata() {
      script.queries += 1
      const answer = describeGroup()
      await script.answering
      if (script.failure) throw script.failure
      return answer
    },
    async groupFetchAllParticipating() {
      script.lists += 1
      const answer = describeGroup()
      await script.answering
      return { [GROUP]: answer }
    },
  }
  const reader = createGroupReader(() => socket, {
    async report(event) {
      await script.storing
      script.events.push(event)
    },
    hold: () => undefined,
  })
  const members = async () => (await reader.forSending(GROUP)).participants.map(({ id }) => id)
  const note = (tag: string, attrs: Record<string, string>) =>
    reader.noteStanza({ tag, attrs: { from: GROUP, ...attrs } })
  return { script, reader, members, note, describeGroup }
}

describe('a group that is sent to', () => {
  test('is read once and reported once, also by messages at the same time', async () => {
    const { script, members } = network()
    await Promise.all([members(), members()])
    assert.deepEqual(await members(), [ME, ANA])
    assert.equal(script.queries, 1)
    assert.deepEqual(
      script.events.map(({ kind }) => kind),
      ['groups'],
    )
  })

  test('is not read at all if it was listed', async () => {
    const { script, reader, members } = network()
    await reader.reportAll()
    assert.deepEqual(await members(), [ME, ANA])
    assert.equal(script.queries, 0)
  })

  const changes: [string, string, Record<string, string>][] = [
    ['a notice of the group', 'notification', { type: 'w:gp2', participant: ANA }],
    ['a refused message', 'ack', { class: 'message', error: '420' }],
    ['another hash of the participants', 'ack', { class: 'message', phash: '2:abc' }],
    ['a retry request of an unknown person', 'receipt', { type: 'retry', participant: '333:2@lid' }],
    ['a message of an unknown person', 'message', { participant: '333@lid' }],
    ['another form of addressing', 'message', { participant: ANA, addressing_mode: 'pn' }],
  ]
  for (const [what, tag, attrs] of changes)
    test(`is read again after ${what}`, async () => {
      const { script, members, note } = network()
      await members()
      script.members.push(BEN)
      note(tag, attrs)
      assert.deepEqual(await members(), [ME, ANA, BEN])
      assert.equal(script.queries, 2)
    })

  test('is read again after the network asked to read all groups', async () => {
    const { script, reader, members } = network()
    await members()
    reader.noteStanza({ tag: 'ib', attrs: {}, content: [{ tag: 'dirty', attrs: { type: 'groups' } }] })
    await members()
    assert.equal(script.queries, 2)
  })

  test('stays kept after ordinary stanzas', async () => {
    const { script, members, note } = network()
    await members()
    note('notification', { type: 'picture' })
    note('ack', { class: 'message' })
    note('receipt', { participant: '333@lid' })
    note('receipt', { type: 'retry', participant: '111:4@lid' })
    note('message', { participant: ANA, addressing_mode: 'lid' })
    note('notification', { type: 'w:gp2', from: '120363000000000002@g.us' })
    await members()
    assert.equal(script.queries, 1)
  })

  test('is not kept if it changes while it is read or listed', async () => {
    for (const how of ['read', 'list'] as const) {
      const { script, reader, members, note } = network()
      const answer = Promise.withResolvers<void>()
      script.answering = answer.promise
      const running = how === 'read' ? reader.read(GROUP) : reader.reportAll()
      script.members.push(BEN)
      note('notification', { type: 'w:gp2' })
      const sending = members()
      answer.resolve()
      await running
      assert.deepEqual(await sending, [ME, ANA, BEN], how)
      assert.deepEqual(await members(), [ME, ANA, BEN], how)
    }
  })

  test('is reported as left when the account is not in it', async () => {
    const { script, reader, members } = network()
    await members()
    script.failure = Object.assign(new Error('forbidden'), { isBoom: true, data: 403 })
    await assert.rejects(reader.read(GROUP), { kind: 'not_a_group_member' })
    assert.deepEqual(script.events.at(-1), { kind: 'left_group', jid: GROUP, notices: [] })
    await assert.rejects(members(), { kind: 'not_a_group_member' })
  })
})

describe('who changed a group', () => {
  const changeBy = (participant: string, tag: string): BinaryNode => ({
    tag: 'notification',
    attrs: { from: GROUP, type: 'w:gp2', participant },
    content: [{ tag, attrs: {} }],
  })
  const authors = (event: NetworkEvent | undefined) =>
    event && 'notices' in event ? event.notices?.map(({ what, author }) => [what, author?.jid]) : undefined

  test('is reported with the group, once', async () => {
    const { script, reader } = network()
    reader.noteStanza(changeBy(ANA, 'subject'))
    await reader.read(GROUP)
    assert.deepEqual(authors(script.events.at(-1)), [['subject', ANA]])
    await reader.read(GROUP, 'always_report')
    assert.deepEqual(authors(script.events.at(-1)), [])
  })

  test('is kept for the next report if the notice arrives while the group is read', async () => {
    const { script, reader } = network()
    const answer = Promise.withResolvers<void>()
    script.answering = answer.promise
    const reading = reader.read(GROUP)
    reader.noteStanza(changeBy(BEN, 'locked'))
    answer.resolve()
    await reading
    assert.deepEqual(authors(script.events.at(-1)), [['locked', BEN]])
    await reader.read(GROUP, 'always_report')
    assert.deepEqual(authors(script.events.at(-1)), [['locked', BEN]])
    await reader.read(GROUP, 'always_report')
    assert.deepEqual(authors(script.events.at(-1)), [])
  })

  test('is this account after a change that it made, also of leaving', async () => {
    const { script, reader, describeGroup } = network()
    const own = '5511900000009@s.whatsapp.net'
    reader.noteOwn(GROUP, 'join', [])
    await reader.reportJoined([describeGroup()])
    assert.deepEqual(authors(script.events.at(-1)), [['join', own]])
    reader.noteOwn(GROUP, 'remove', [own])
    await reader.reportLeft(GROUP)
    assert.equal(script.events.at(-1)?.kind, 'left_group')
    assert.deepEqual(authors(script.events.at(-1)), [['remove', own]])
  })
})

describe('the list of all groups', () => {
  const shown = (events: NetworkEvent[]) =>
    events.map((event) =>
      'groups' in event
        ? [event.kind, ...event.groups.map(({ participants }) => participants.map(({ lid }) => lid).join())]
        : [event.kind],
    )

  test('is reported before a change that follows it, however long storing takes', async () => {
    const { script, reader, note } = network()
    const stored = Promise.withResolvers<void>()
    script.storing = stored.promise
    const listing = reader.reportAll()
    await setImmediate()
    script.storing = Promise.resolve()
    script.members.push(BEN)
    note('notification', { type: 'w:gp2' })
    const reading = reader.read(GROUP)
    await setImmediate()
    stored.resolve()
    await Promise.all([listing, reading])
    assert.deepEqual(shown(script.events), [
      ['all_groups', [ME, ANA].join()],
      ['groups', [ME, ANA, BEN].join()],
    ])
  })

  test('leaves out a group that changes while it is read, which is then read by itself', async () => {
    const { script, reader, note } = network()
    const answer = Promise.withResolvers<void>()
    script.answering = answer.promise
    const listing = reader.reportAll()
    script.members.push(BEN)
    note('ack', { class: 'message', phash: '2:abc' })
    answer.resolve()
    await listing
    await setImmediate()
    assert.deepEqual(script.events[0], { kind: 'all_groups', groups: [], uncertain: [GROUP] })
    assert.deepEqual(shown(script.events.slice(1)), [['groups', [ME, ANA, BEN].join()]])
  })

  test('is read again if the network asks for it meanwhile', async () => {
    const { script, reader } = network()
    const answer = Promise.withResolvers<void>()
    script.answering = answer.promise
    const listing = reader.reportAll()
    script.members.push(BEN)
    reader.noteStanza({ tag: 'ib', attrs: {}, content: [{ tag: 'dirty', attrs: { type: 'groups' } }] })
    answer.resolve()
    await listing
    assert.equal(script.lists, 2)
    assert.deepEqual(shown(script.events), [['all_groups', [ME, ANA, BEN].join()]])
  })

  test('is reported once if the library emits it as well', async () => {
    const { script, reader, describeGroup } = network()
    const answer = Promise.withResolvers<void>()
    script.answering = answer.promise
    const listing = reader.reportAll()
    await reader.reportListed([describeGroup()])
    assert.equal(script.events.length, 0)
    answer.resolve()
    await listing
    await reader.reportListed([describeGroup()])
    assert.deepEqual(shown(script.events), [['all_groups', [ME, ANA].join()]])
  })

  test('is reported as single groups if the library has requested it', async () => {
    const { script, reader, describeGroup } = network()
    await reader.reportListed([describeGroup()])
    await reader.reportListed([describeGroup()])
    assert.deepEqual(shown(script.events), [['groups', [ME, ANA].join()]])
  })
})
