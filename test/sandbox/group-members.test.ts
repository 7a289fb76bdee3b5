// Changes of members: what each of them is notified of, and the network's code for each person.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import type { Client } from './support/client.ts'
import { ALICE, BOB, CAROL, DAVE, jid, type People, startPeople } from './support/people.ts'
import type { World } from './support/world.ts'

for (const addressing of ['pn', 'lid'] as const)
  describe(`members of groups (${addressing})`, () => {
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

    const members = async (group: string) =>
      Object.fromEntries(
        (await world.get(`/groups/${group}`, answers.group)).group.members.map(({ number, role }) => [
          number,
          role,
        ]),
      )
    const codes = async (
      client: Client,
      group: string,
      change: 'add' | 'remove' | 'promote' | 'demote',
      people: string[],
    ) =>
      (await client.socket.groupParticipantsUpdate(group, people.map(jid), change)).map(
        ({ status }) => status,
      )
    /** The events of a group that the client has seen so far. A round trip makes sure that the last one has arrived. */
    const seen = async (
      client: Client,
      name: 'groups.upsert' | 'group-participants.update',
      group: string,
    ) => {
      await client.roundTrip()
      return client.seen.filter(
        (event) =>
          event.name === name &&
          (Array.isArray(event.data) ? event.data[0] : (event.data as { id: string }))?.id === group,
      )
    }

    test('ids of groups have 18 digits, invite codes 22 characters', async () => {
      const { id } = await alice.socket.groupCreate('Ids', [jid(BOB)])
      assert.match(id, /^\d{18}@g\.us$/)
      assert.match((await alice.socket.groupInviteCode(id)) ?? '', /^[0-9A-Za-z]{22}$/)
    })

    test('a member who is added gets the whole group, the others get the addition', async () => {
      const { id } = await alice.socket.groupCreate('Additions', [jid(BOB)])
      assert.deepEqual(await codes(alice, id, 'add', [CAROL]), ['200'])
      const [upsert] = await carol.wait('groups.upsert', ([group]) => group?.id === id)
      assert.deepEqual([upsert?.subject, upsert?.participants.length], ['Additions', 3])
      const { participants } = await bob.wait(
        'group-participants.update',
        (update) => update.id === id && update.action === 'add',
      )
      assert.ok(participants.some((person) => [person.id, person.phoneNumber].includes(jid(CAROL))))
      assert.deepEqual(await seen(carol, 'group-participants.update', id), [])
      assert.equal((await seen(bob, 'groups.upsert', id)).length, 1)
    })

    test('a person who joins by code gets the whole group, the others get the addition', async () => {
      const { id } = await alice.socket.groupCreate('Link', [jid(BOB)])
      const code = (await alice.socket.groupInviteCode(id)) ?? ''
      assert.equal((await carol.socket.groupGetInviteInfo(code)).subject, 'Link')
      assert.equal(await carol.socket.groupAcceptInvite(code), id)
      await carol.wait('groups.upsert', ([group]) => group?.id === id)
      const { author } = await bob.wait(
        'group-participants.update',
        (update) => update.id === id && update.action === 'add',
      )
      assert.equal(author, addressing === 'lid' ? carol.creds.me?.lid?.replace(/:\d+/, '') : jid(CAROL))
      await assert.rejects(carol.socket.groupAcceptInvite(code), /conflict/)
    })

    test('a replaced code is gone, a code that never existed is not acceptable; only admins read the code', async () => {
      const { id } = await alice.socket.groupCreate('Codes', [jid(BOB)])
      const old = (await alice.socket.groupInviteCode(id)) ?? ''
      const current = (await alice.socket.groupRevokeInvite(id)) ?? ''
      await bob.wait('groups.update', (all) => all.some(({ inviteCode }) => inviteCode === current))
      await assert.rejects(carol.socket.groupAcceptInvite(old), /gone/)
      await assert.rejects(carol.socket.groupGetInviteInfo('AAAAAAAAAAAAAAAAAAAAAA'), /not-acceptable/)
      await assert.rejects(bob.socket.groupInviteCode(id), /not-authorized/)
      assert.equal(await carol.socket.groupAcceptInvite(current), id)
    })

    test('each person gets a code: 409 for a member who is added, 404 for a stranger who is removed', async () => {
      const { id } = await alice.socket.groupCreate('Codes', [jid(BOB)])
      assert.deepEqual(await codes(alice, id, 'add', [BOB, CAROL, '5511988887777']), ['409', '200', '404'])
      assert.deepEqual(await codes(alice, id, 'remove', [DAVE, CAROL]), ['404', '200'])
      for (const change of ['promote', 'demote'] as const)
        assert.deepEqual(await codes(alice, id, change, [DAVE]), ['404'])
      await bob.wait('group-participants.update', (update) => update.id === id && update.action === 'remove')
      const before = (await seen(bob, 'group-participants.update', id)).length
      assert.deepEqual(await codes(alice, id, 'add', [BOB]), ['409'])
      assert.equal((await seen(bob, 'group-participants.update', id)).length, before)
    })

    test('the creator is neither removed nor demoted, and stays the creator when promoted', async () => {
      const { id } = await alice.socket.groupCreate('Creator', [jid(BOB)])
      await codes(alice, id, 'promote', [BOB])
      assert.deepEqual(await codes(bob, id, 'remove', [ALICE]), ['405'])
      assert.deepEqual(await codes(bob, id, 'demote', [ALICE]), ['405'])
      assert.deepEqual(await codes(bob, id, 'promote', [ALICE]), ['200'])
      assert.deepEqual(await members(id), { [ALICE]: 'superadmin', [BOB]: 'admin' })
      const answer = await world.post(`/groups/${id}/members`, {
        by: BOB,
        change: 'remove',
        members: [ALICE],
      })
      assert.deepEqual(answers.groupWithOutcomes.parse(answer).outcomes, [
        { number: ALICE, outcome: 'not_possible' },
      ])
    })

    test('when the last admin leaves, the member of longest standing becomes admin', async () => {
      const { id } = await alice.socket.groupCreate('Heirs', [jid(BOB), jid(DAVE)])
      await alice.socket.groupLeave(id)
      await bob.wait('group-participants.update', (update) => update.id === id && update.action === 'remove')
      const { participants } = await bob.wait(
        'group-participants.update',
        (update) => update.id === id && update.action === 'promote',
      )
      assert.ok([participants[0]?.id, participants[0]?.phoneNumber].includes(jid(BOB)))
      assert.deepEqual(await members(id), { [BOB]: 'admin', [DAVE]: 'member' })
      assert.deepEqual(await codes(bob, id, 'demote', [BOB]), ['405'])
      const { status } = await world.ask('PATCH', `/groups/${id}`, { announcement: true })
      assert.equal(status, 200, 'the call acts for the admin who is left')
    })

    test('members add others until the add mode says that only admins do', async () => {
      const { id } = await alice.socket.groupCreate('Add mode', [jid(BOB)])
      assert.equal((await alice.socket.groupMetadata(id)).memberAddMode, true)
      assert.deepEqual(await codes(bob, id, 'add', [CAROL]), ['200'])
      await alice.socket.groupMemberAddMode(id, 'admin_add')
      await bob.wait('groups.update', (all) =>
        all.some((one) => one.id === id && one.memberAddMode === false),
      )
      assert.equal((await bob.socket.groupMetadata(id)).memberAddMode, false)
      await assert.rejects(codes(bob, id, 'add', [DAVE]), /forbidden/)
      const refused = await world.ask('POST', `/groups/${id}/members`, {
        by: BOB,
        change: 'add',
        members: [DAVE],
      })
      assert.equal(refused.body['reason'], 'not_an_admin')
    })
  })
