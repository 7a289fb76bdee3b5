// Joining groups: approval by admins, personal invitations, and people whose privacy settings forbid that others add them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, type proto } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import type { Client } from './support/client.ts'
import { ALICE, BOB, CAROL, DAVE, jid, type People, startPeople } from './support/people.ts'
import type { World } from './support/world.ts'

for (const addressing of ['pn', 'lid'] as const)
  describe(`joining groups (${addressing})`, () => {
    let people: People<[string, string, string]>
    let world: World
    let alice: Client
    let bob: Client
    let carol: Client
    before(async () => {
      people = await startPeople(addressing, [ALICE, BOB, CAROL])
      ;({ world } = people)
      ;[alice, bob, carol] = people.clients
    })
    after(() => people.stop())

    const groupOf = async (id: string) => (await world.get(`/groups/${id}`, answers.group)).group
    const isMember = async (id: string, number: string) =>
      (await groupOf(id)).members.some((member) => member.number === number)
    const approvedGroup = async () => {
      const { id } = await alice.socket.groupCreate('Approved', [jid(BOB)])
      await alice.socket.groupJoinApprovalMode(id, 'on')
      return { id, code: (await alice.socket.groupInviteCode(id)) ?? '' }
    }
    const requestOf = (client: Client, id: string, action: string) =>
      client.wait('group.join-request', (request) => request.id === id && request.action === action)
    /** The invitation that the network attaches to its answer for a person who cannot be added. */
    const invitationIn = (node: BinaryNode | undefined) => {
      const { code = '', expiration = '' } = getBinaryNodeChild(node, 'add_request')?.attrs ?? {}
      return { inviteCode: code, inviteExpiration: Number(expiration) }
    }
    /** Adds Carol, who only lets her contacts add her. */
    const inviteCarol = async () => {
      await carol.socket.updateGroupsAddPrivacy('contacts')
      const { id } = await alice.socket.groupCreate('Private', [jid(BOB)])
      const [outcome] = await alice.socket.groupParticipantsUpdate(id, [jid(CAROL)], 'add')
      assert.equal(outcome?.status, '403')
      const invitation: proto.Message.IGroupInviteMessage = {
        groupJid: id,
        ...invitationIn(outcome?.content),
      }
      return { id, invitation }
    }

    test('with approval, a person who uses the link makes a request, of which admins are notified', async () => {
      const { id, code } = await approvedGroup()
      await bob.wait('groups.update', (all) =>
        all.some((one) => one.id === id && one.joinApprovalMode === true),
      )
      assert.equal((await alice.socket.groupMetadata(id)).joinApprovalMode, true)
      assert.equal(await carol.socket.groupAcceptInvite(code), undefined)
      const { participantPn, participant, method } = await requestOf(alice, id, 'created')
      assert.ok([participantPn, participant].includes(jid(CAROL)))
      assert.equal(method, 'invite_link')
      const [request] = await alice.socket.groupRequestParticipantsList(id)
      assert.ok([request?.['jid'], request?.['phone_number']].includes(jid(CAROL)))
      assert.equal(await isMember(id, CAROL), false)
      await assert.rejects(bob.socket.groupRequestParticipantsList(id), /forbidden/)
    })

    test('an approved applicant becomes a member, a rejected one does not; both are notified', async () => {
      const { id, code } = await approvedGroup()
      await carol.socket.groupAcceptInvite(code)
      const answer = (action: 'approve' | 'reject', number: string) =>
        alice.socket.groupRequestParticipantsUpdate(id, [jid(number)], action)
      assert.deepEqual((await answer('approve', DAVE))[0]?.status, '404')
      assert.deepEqual((await answer('reject', CAROL))[0]?.status, '200')
      await requestOf(carol, id, 'rejected')
      assert.deepEqual((await groupOf(id)).requests, [])
      await carol.socket.groupAcceptInvite(code)
      assert.deepEqual((await answer('approve', CAROL))[0]?.status, '200')
      await carol.wait('groups.upsert', ([group]) => group?.id === id)
      await bob.wait('group-participants.update', (update) => update.id === id && update.action === 'add')
      assert.deepEqual([await isMember(id, CAROL), (await groupOf(id)).requests], [true, []])
    })

    test('a person whom a member adds has to be approved as well', async () => {
      const { id } = await approvedGroup()
      const [outcome] = await bob.socket.groupParticipantsUpdate(id, [jid(DAVE)], 'add')
      assert.equal(outcome?.status, '202')
      const { participantPn, participant, method } = await requestOf(alice, id, 'created')
      assert.ok([participantPn, participant].includes(jid(DAVE)))
      assert.equal(method, 'non_admin_add')
      const body = { action: 'approve', members: [DAVE] }
      const answer = answers.groupWithOutcomes.parse(await world.post(`/groups/${id}/requests`, body))
      assert.deepEqual(answer.outcomes, [{ number: DAVE, outcome: 'done' }])
      assert.equal(await isMember(id, DAVE), true)
    })

    test('a phone joins by code, waits for approval, and can be rejected over the API', async () => {
      const { id, code } = await approvedGroup()
      const join = () => world.post(`/phones/${DAVE}/join`, { code })
      assert.equal((await join())['outcome'], 'requested')
      const [request] = (await groupOf(id)).requests
      assert.deepEqual([request?.number, request?.by], [DAVE, DAVE])
      const onPhone = async (number: string) => {
        const { groups } = await world.get(`/phones/${number}/groups`, answers.groups)
        return groups.find((group) => group.jid === id)
      }
      const [forAdmin, forMember] = [await onPhone(ALICE), await onPhone(BOB)]
      assert.deepEqual([forAdmin?.inviteCode, forAdmin?.requests.length], [code, 1])
      assert.deepEqual([forMember?.inviteCode, forMember?.requests.length], [null, 0])
      assert.equal(await onPhone(DAVE), undefined)
      const forbidden = await world.ask('POST', `/groups/${id}/requests`, {
        by: BOB,
        action: 'approve',
        members: [DAVE],
      })
      assert.equal(forbidden.body['reason'], 'not_an_admin')
      await world.post(`/groups/${id}/requests`, { action: 'reject', members: [DAVE] })
      await requestOf(alice, id, 'rejected')
      await world.ask('PATCH', `/groups/${id}`, { joinApproval: false })
      assert.equal((await join())['outcome'], 'joined')
      await bob.wait('group-participants.update', (update) => update.id === id && update.action === 'add')
      const again = await world.ask('POST', `/phones/${DAVE}/join`, { code })
      assert.equal(again.body['reason'], 'already_a_member')
      await world.post(`/groups/${id}/invite-code`, {})
      const late = await world.ask('POST', `/phones/${CAROL}/join`, { code })
      assert.deepEqual([late.status, late.body['reason']], [410, 'invite_expired'])
      const unknown = await world.ask('POST', `/phones/${CAROL}/join`, { code: 'unknown' })
      assert.equal(unknown.body['reason'], 'invite_not_found')
    })

    test('a person who lets only contacts add them gets an invitation, and joins with it once', async () => {
      const { id, invitation } = await inviteCarol()
      assert.ok(Number(invitation.inviteExpiration) > Date.now() / 1000)
      const groupInviteMessage = { ...invitation, groupName: 'Private', caption: 'come in' }
      const sent = await alice.socket.relayMessage(jid(CAROL), { groupInviteMessage }, {})
      const message = (await carol.message(sent)).message?.groupInviteMessage
      assert.equal(message?.groupJid, id)
      const shown = await world.shown(CAROL, sent)
      assert.deepEqual([shown.kind, shown.text, shown.groupInvite?.jid], ['groupInvite', 'come in', id])
      assert.equal(await isMember(id, CAROL), false)
      assert.equal(await carol.socket.groupAcceptInviteV4(jid(ALICE), message ?? {}), id)
      await carol.wait('groups.upsert', ([group]) => group?.id === id)
      assert.equal(await isMember(id, CAROL), true)
      await carol.socket.groupLeave(id)
      await assert.rejects(carol.socket.groupAcceptInviteV4(jid(ALICE), message ?? {}), /gone/)
    })

    test('an invitation works for the invited person only, and not after it was revoked', async () => {
      const { id, invitation } = await inviteCarol()
      await bob.socket.groupLeave(id)
      await assert.rejects(bob.socket.groupAcceptInviteV4(jid(ALICE), invitation), /gone/)
      const forged = { ...invitation, inviteCode: 'forged' }
      await assert.rejects(carol.socket.groupAcceptInviteV4(jid(ALICE), forged), /gone/)
      assert.equal(await alice.socket.groupRevokeInviteV4(id, jid(CAROL)), true)
      await assert.rejects(carol.socket.groupAcceptInviteV4(jid(ALICE), invitation), /gone/)
      assert.deepEqual(
        (await groupOf(id)).members.map(({ number }) => number),
        [ALICE],
      )
    })

    test('a new group leaves out a person who has to be invited, and names them with the invitation', async () => {
      await carol.socket.updateGroupsAddPrivacy('contacts')
      const body = { subject: 'New', members: [BOB, CAROL], admin: ALICE }
      const { group, outcomes } = answers.groupWithOutcomes.parse(await world.post('/groups', body))
      assert.deepEqual(outcomes, [
        { number: BOB, outcome: 'done' },
        { number: CAROL, outcome: 'must_be_invited' },
      ])
      assert.equal(group.members.length, 2)
      const created = await alice.socket.query({
        tag: 'iq',
        attrs: { to: '@g.us', xmlns: 'w:g2', type: 'set' },
        content: [
          {
            tag: 'create',
            attrs: { subject: 'New', key: 'k' },
            content: [{ tag: 'participant', attrs: { jid: jid(CAROL) } }],
          },
        ],
      })
      const people = getBinaryNodeChildren(getBinaryNodeChild(created, 'group'), 'participant')
      const refused = people.find(({ attrs }) => attrs['error'] === '403')
      assert.match(invitationIn(refused).inviteCode, /^\w{22}$/)
      await world.post(`/phones/${CAROL}/contacts`, { number: ALICE, name: 'Alice' })
      const known = await alice.socket.groupCreate('Known', [jid(CAROL)])
      assert.equal(await isMember(known.id, CAROL), true)
    })

    test('a phone sends an invitation, and another phone joins with it', async () => {
      const body = { subject: 'By phone', members: [BOB], admin: ALICE }
      const { group } = answers.group.parse(await world.post('/groups', body))
      const sent = await world.post(`/groups/${group.jid}/invitations`, {
        members: [DAVE],
        caption: 'you too',
      })
      const [invitation] = answers.invitations.parse(sent).invitations
      const messageId = invitation?.messageId ?? ''
      const shown = await world.shown(DAVE, messageId)
      assert.deepEqual([shown.from, shown.groupInvite?.subject], [ALICE, 'By phone'])
      const joined = await world.post(`/phones/${DAVE}/join`, { messageId })
      assert.deepEqual([joined['jid'], joined['outcome']], [group.jid, 'joined'])
      await bob.wait('group-participants.update', (one) => one.id === group.jid && one.action === 'add')
      await world.post(`/groups/${group.jid}/leave`, { number: DAVE })
      const again = await world.ask('POST', `/phones/${DAVE}/join`, { messageId })
      assert.equal(again.body['reason'], 'invite_expired')
      const text = await world.send(ALICE, { to: DAVE, text: 'hi' })
      await world.shown(DAVE, text)
      const wrong = await world.ask('POST', `/phones/${DAVE}/join`, { messageId: text })
      assert.equal(wrong.body['reason'], 'not_an_invitation')
      const member = await world.ask('POST', `/groups/${group.jid}/invitations`, { members: [BOB] })
      assert.equal(member.body['reason'], 'already_a_member')
    })

    test('with approval, the invitation of a member leads to a request, once', async () => {
      const { id } = await approvedGroup()
      const sent = await world.post(`/groups/${id}/invitations`, { by: BOB, members: [DAVE] })
      const messageId = answers.invitations.parse(sent).invitations[0]?.messageId ?? ''
      await world.shown(DAVE, messageId)
      assert.equal((await world.post(`/phones/${DAVE}/join`, { messageId }))['outcome'], 'requested')
      const [request] = (await groupOf(id)).requests
      assert.deepEqual([request?.number, request?.by], [DAVE, BOB])
      const again = await world.ask('POST', `/phones/${DAVE}/join`, { messageId })
      assert.equal(again.body['reason'], 'invite_expired')
    })

    test('a person who has blocked the admin is not added', async () => {
      await world.post(`/phones/${DAVE}/block`, { number: ALICE })
      const { id } = await alice.socket.groupCreate('Blocked', [jid(BOB)])
      const [outcome] = await alice.socket.groupParticipantsUpdate(id, [jid(DAVE)], 'add')
      assert.equal(outcome?.status, '401')
      assert.equal(await isMember(id, DAVE), false)
      await world.post(`/phones/${DAVE}/block`, { number: ALICE, blocked: false })
    })
  })
