// Calls about groups: which requests the network gets, and what its answers and refusals mean.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NetworkError } from '../../network/network.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import type { GroupMetadata } from '../library/protocol.ts'
import { createGroupCalls } from './group-calls.ts'
import type { GroupReader } from './group-reader.ts'

const GROUP = '120363000000000001@g.us'
const [ANA, BEN] = ['5511900000001@s.whatsapp.net', '5511900000002@s.whatsapp.net']
const names = (jid: string, lid: string | null = null) => ({ jid, lid })

const refusal = (code: number) => Object.assign(new Error('refused'), { isBoom: true, data: code })
const answer = (status: string, jid: string, invitation?: { code: string; expiration: string }) => ({
  status,
  jid,
  content: {
    tag: 'participant',
    attrs: { jid },
    ...(invitation ? { content: [{ tag: 'add_request', attrs: invitation }] } : {}),
  },
})

/** A network whose answers a test scripts, and a list of everything that was asked and reported. */
function network(socket: Record<string, (...args: never[]) => unknown> = {}) {
  const log: unknown[][] = []
  const script = {
    members: [{ id: ANA }] as GroupMetadata['participants'],
    readFailure: undefined as Error | undefined,
    invitationFails: false,
  }
  const described = (): GroupMetadata => ({
    id: GROUP,
    owner: undefined,
    subject: 'Team',
    participants: script.members,
  })
  const groups = {
    async read(_jid: string, reporting?: string) {
      log.push(['read', reporting])
      if (script.readFailure) throw script.readFailure
      return described()
    },
    forSending: async () => described(),
    noteOwn: (_jid: string, what: string, people: string[]) => void log.push(['own', what, ...people]),
    reportLeft: async (jid: string) => void log.push(['left', jid]),
  } as Partial<GroupReader> as GroupReader
  const recorded = Object.fromEntries(
    Object.entries(socket).map(([name, work]) => [
      name,
      async (...args: unknown[]) => {
        log.push([name, ...args])
        return work(...(args as never[]))
      },
    ]),
  )
  const otherNameOf = async (jid: string) => (jid.endsWith('@lid') ? ANA : null)
  const calls = createGroupCalls({
    socket: { ...recorded, otherNameOf } as unknown as LibrarySocket,
    groups,
    invitations: {
      async send(person, group, invitation) {
        log.push(['invite', person, group.subject, invitation.code])
        return !script.invitationFails
      },
    },
    ownNames: () => ['5511900000009@s.whatsapp.net', '9@lid'],
    pictures: {
      noteOwn: (jid) => void log.push(['picture', jid]),
      forgetOwn: (jid) => void log.push(['kept', jid]),
    },
    reportPicture: async (jid, change) => void log.push(['reported', jid, change]),
  })
  return { calls, log, script }
}

describe('settings', () => {
  const setters = {
    groupUpdateSubject: () => undefined,
    groupUpdateDescription: () => undefined,
    groupToggleEphemeral: () => undefined,
    groupJoinApprovalMode: () => undefined,
    groupMemberAddMode: () => undefined,
    groupSettingUpdate: () => undefined,
  }
  test('each is one request, followed by one report with this account as the author', async () => {
    const { calls, log } = network(setters)
    await calls.changeGroup(GROUP, {
      locked: true,
      subject: 'New',
      description: null,
      announce: false,
      joinApproval: true,
      memberAdd: 'all',
      disappearingSeconds: 0,
    })
    assert.deepEqual(
      log.filter(([name]) => name !== 'own'),
      [
        ['groupUpdateSubject', GROUP, 'New'],
        ['groupUpdateDescription', GROUP, undefined],
        ['groupToggleEphemeral', GROUP, 0],
        ['groupJoinApprovalMode', GROUP, 'on'],
        ['groupMemberAddMode', GROUP, 'all_member_add'],
        ['groupSettingUpdate', GROUP, 'not_announcement'],
        ['groupSettingUpdate', GROUP, 'locked'],
        ['read', 'always_report'],
      ],
    )
    assert.equal(log.filter(([name]) => name === 'own').length, 7)
  })

  test('a refused one ends the request; those before it are reported', async () => {
    const { calls, log } = network({
      ...setters,
      groupUpdateDescription: () => {
        throw refusal(406)
      },
    })
    await assert.rejects(calls.changeGroup(GROUP, { subject: 'New', description: 'x', locked: true }), {
      kind: 'stale',
      code: 406,
    })
    assert.deepEqual(
      log.map(([name]) => name),
      ['groupUpdateSubject', 'own', 'groupUpdateDescription', 'read'],
    )
  })
})

describe('a refusal', () => {
  const invite = (code: number) =>
    network({
      groupInviteCode: () => {
        throw refusal(code)
      },
    })
  for (const code of [401, 403])
    test(`with ${code} to a member means that only an admin may do it`, async () => {
      await assert.rejects(invite(code).calls.groupInvite(GROUP), { kind: 'not_a_group_admin', code })
    })

  test('to a stranger means that the account is not in the group', async () => {
    for (const code of [401, 403, 404, 410]) {
      const { calls, script } = invite(code)
      script.readFailure = new NetworkError('not_a_group_member', 'forbidden', undefined, 403)
      await assert.rejects(calls.groupInvite(GROUP), { kind: 'not_a_group_member' })
    }
  })

  test('for another reason keeps its code', async () => {
    await assert.rejects(invite(405).calls.groupInvite(GROUP), { kind: 'refused', code: 405 })
    await assert.rejects(network({ groupInviteCode: () => undefined }).calls.groupInvite(GROUP), {
      kind: 'refused',
    })
  })
})

describe('members', () => {
  test('a person who can only be invited gets the invitation', async () => {
    const { calls, log } = network({
      groupParticipantsUpdate: () => [
        answer('200', ANA),
        answer('403', BEN, { code: 'CODE', expiration: '1700000000' }),
      ],
    })
    assert.deepEqual(await calls.changeMembers(GROUP, 'add', [names(ANA), names(BEN)]), [
      { code: 200, isInvited: false },
      { code: 403, isInvited: true },
    ])
    assert.ok(log.some((entry) => entry.join() === ['invite', BEN, 'Team', 'CODE'].join()))
    assert.deepEqual(log.at(-1), ['read', 'always_report'])
  })

  test('an invitation that cannot be sent is a refusal', async () => {
    const { calls, script } = network({
      groupParticipantsUpdate: () => [answer('403', BEN, { code: 'CODE', expiration: '1' })],
    })
    script.invitationFails = true
    assert.deepEqual(await calls.changeMembers(GROUP, 'add', [names(BEN)]), [{ code: 403, isInvited: false }])
  })

  test('are named as the group names them', async () => {
    const { calls, log, script } = network({
      groupParticipantsUpdate: () => [answer('200', '1@lid'), answer('200', BEN)],
    })
    script.members = [{ id: '1:0@lid' }, { id: BEN }]
    await calls.changeMembers(GROUP, 'promote', [names(ANA, '1@lid'), names(BEN, '2@lid')])
    assert.deepEqual(log[0], ['groupParticipantsUpdate', GROUP, ['1@lid', BEN], 'promote'])
  })

  test('of a new group who are missing are added again, to learn the reason', async () => {
    const { calls, log } = network({
      groupCreate: () => ({ id: GROUP }),
      groupParticipantsUpdate: () => [answer('404', BEN)],
    })
    assert.deepEqual(await calls.createGroup('Team', [names(ANA), names(BEN)]), {
      jid: GROUP,
      answers: [
        { code: 200, isInvited: false },
        { code: 404, isInvited: false },
      ],
    })
    assert.deepEqual(log[0], ['groupCreate', 'Team', [ANA, BEN]])
    assert.ok(log.some((entry) => entry[0] === 'own' && entry[1] === 'join'))
    assert.deepEqual(log.find(([name]) => name === 'groupParticipantsUpdate')?.[2], [BEN])
  })
})

describe('invite links', () => {
  const info = { groupGetInviteInfo: () => ({ id: GROUP, subject: 'Team', size: 7, participants: [] }) }

  test('joining reports the group', async () => {
    const { calls, log } = network({ ...info, groupAcceptInvite: () => GROUP })
    assert.deepEqual(await calls.joinGroup('CODE'), { jid: GROUP, isMember: true })
    assert.deepEqual(log.slice(1), [
      ['own', 'join'],
      ['read', 'always_report'],
    ])
  })

  test('joining a group with approval only sends a request', async () => {
    const { calls, log } = network({ ...info, groupAcceptInvite: () => undefined })
    assert.deepEqual(await calls.joinGroup('CODE'), { jid: GROUP, isMember: false })
    assert.ok(log.every(([name]) => name !== 'read'))
  })

  test('a member joins again without an error', async () => {
    const groupAcceptInvite = () => {
      throw refusal(409)
    }
    const { calls } = network({ ...info, groupAcceptInvite })
    assert.deepEqual(await calls.joinGroup('CODE'), { jid: GROUP, isMember: true })
  })

  for (const code of [400, 404, 406, 410])
    test(`${code} means that the code is not valid`, async () => {
      const fail = () => {
        throw refusal(code)
      }
      const { calls } = network({ groupAcceptInvite: fail, groupGetInviteInfo: fail })
      await assert.rejects(calls.joinGroup('CODE'), { kind: 'unknown_invite', code })
      await assert.rejects(calls.previewInvite('CODE'), { kind: 'unknown_invite', code })
    })

  test('a preview has the size that the network gives, not the listed participants', async () => {
    assert.deepEqual(await network(info).calls.previewInvite('CODE'), {
      jid: GROUP,
      subject: 'Team',
      description: null,
      ownerJid: null,
      createdAtMs: null,
      size: 7,
      joinApproval: false,
    })
  })
})

describe('requests to join', () => {
  test('have the number, from the request or from the session', async () => {
    const { calls } = network({
      groupRequestParticipantsList: () => [
        { jid: BEN, request_time: '1700000000' },
        { jid: '2@lid', phone_number: BEN },
        { jid: '1@lid' },
      ],
    })
    const phone = { ana: '5511900000001', ben: '5511900000002' }
    assert.deepEqual(await calls.listJoinRequests(GROUP), [
      { jid: BEN, lid: null, phone: phone.ben, requestedAtMs: 1_700_000_000_000 },
      { jid: BEN, lid: '2@lid', phone: phone.ben, requestedAtMs: null },
      { jid: ANA, lid: '1@lid', phone: phone.ana, requestedAtMs: null },
    ])
  })

  test('are answered under the name of the request', async () => {
    const { calls, log } = network({
      groupRequestParticipantsUpdate: () => [
        { status: '404', jid: BEN },
        { status: '200', jid: '1@lid' },
      ],
    })
    assert.deepEqual(await calls.answerJoinRequests(GROUP, 'approve', [names(ANA, '1@lid'), names(BEN)]), [
      { code: 200, isInvited: false },
      { code: 404, isInvited: false },
    ])
    assert.deepEqual(log[0], ['groupRequestParticipantsUpdate', GROUP, ['1@lid', BEN], 'approve'])
    assert.deepEqual(log.at(-1), ['read', 'always_report'])
  })
})

test('leaving is reported with this account as the author', async () => {
  const { calls, log } = network({ groupLeave: () => undefined })
  await calls.leaveGroup(GROUP)
  assert.deepEqual(log.slice(1), [
    ['own', 'remove', '5511900000009@s.whatsapp.net', '9@lid'],
    ['left', GROUP],
  ])
})

test('a picture is reported after the network took it, and not if it refused', async () => {
  const { calls, log } = network({ removeProfilePicture: () => undefined })
  await calls.setGroupPicture(GROUP, null)
  assert.deepEqual(log, [
    ['picture', GROUP],
    ['removeProfilePicture', GROUP],
    ['reported', GROUP, 'removed'],
  ])
  const refusing = network({
    query: () => {
      throw refusal(401)
    },
  })
  await assert.rejects(refusing.calls.setGroupPicture(GROUP, new Uint8Array([1])), {
    kind: 'not_a_group_admin',
  })
  assert.deepEqual(refusing.log.slice(2), [
    ['kept', GROUP],
    ['read', undefined],
  ])
})
