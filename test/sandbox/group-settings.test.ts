// Settings of groups: who may change them, and the notification that the members' clients understand.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import type { Client } from './support/client.ts'
import { PNG } from './support/content.ts'
import { ALICE, BOB, CAROL, jid, type People, startPeople } from './support/people.ts'
import type { World } from './support/world.ts'

const PIXELS = { width: 200, height: 200 }
const WEEK = 604_800

for (const addressing of ['pn', 'lid'] as const)
  describe(`settings of groups (${addressing})`, () => {
    let people: People<[string, string]>
    let world: World
    let alice: Client
    let bob: Client
    let group: string
    before(async () => {
      people = await startPeople(addressing, [ALICE, BOB])
      ;({ world } = people)
      ;[alice, bob] = people.clients
      group = (await alice.socket.groupCreate('Settings', [jid(BOB), jid(CAROL)])).id
    })
    after(() => people.stop())

    const shown = async () => (await world.get(`/groups/${group}`, answers.group)).group
    const change = (body: Record<string, unknown>) => world.ask('PATCH', `/groups/${group}`, body)

    test('members of an unlocked group change subject, description, picture and timer', async () => {
      await bob.socket.groupUpdateSubject(group, 'Of all')
      await alice.wait('groups.update', (all) => all.some(({ subject }) => subject === 'Of all'))
      await bob.socket.groupUpdateDescription(group, 'we all write here')
      await alice.wait('groups.update', (all) => all.some(({ desc }) => desc === 'we all write here'))
      await bob.socket.updateProfilePicture(group, PNG, PIXELS)
      await alice.wait('contacts.update', (all) =>
        all.some(({ id, imgUrl }) => id === group && imgUrl === 'changed'),
      )
      await bob.socket.groupToggleEphemeral(group, WEEK)
      const { hasPicture, disappearingSeconds, subject, description } = await shown()
      assert.deepEqual(
        [hasPicture, disappearingSeconds, subject, description],
        [true, WEEK, 'Of all', 'we all write here'],
      )
      assert.equal((await change({ by: CAROL, subject: 'By phone' })).status, 200)
      await alice.wait('groups.update', (all) => all.some((update) => update.subject === 'By phone'))
    })

    test('members of a locked group change none of them; admins do', async () => {
      await alice.socket.groupSettingUpdate(group, 'locked')
      await bob.wait('groups.update', (all) => all.some(({ restrict }) => restrict === true))
      await assert.rejects(bob.socket.groupUpdateSubject(group, 'Mine'), /forbidden/)
      await assert.rejects(bob.socket.groupUpdateDescription(group, 'mine'), /forbidden/)
      await assert.rejects(bob.socket.updateProfilePicture(group, PNG, PIXELS), /forbidden/)
      await assert.rejects(bob.socket.removeProfilePicture(group), /forbidden/)
      await assert.rejects(bob.socket.groupToggleEphemeral(group, 0), /forbidden/)
      assert.equal((await change({ by: CAROL, subject: 'Mine' })).body['reason'], 'not_an_admin')
      await alice.socket.groupUpdateSubject(group, 'Locked')
      await alice.socket.removeProfilePicture(group)
      const { hasPicture, subject, locked } = await shown()
      assert.deepEqual([hasPicture, subject, locked], [false, 'Locked', true])
      await alice.socket.groupSettingUpdate(group, 'unlocked')
    })

    test('a stranger changes nothing, not even the picture', async () => {
      const { id } = await alice.socket.groupCreate('Without Bob', [jid(CAROL)])
      await assert.rejects(bob.socket.updateProfilePicture(id, PNG, PIXELS), /forbidden/)
      await assert.rejects(bob.socket.groupUpdateSubject(id, 'Mine'), /forbidden/)
    })

    test('members do not change who sends, who adds, who approves and who edits', async () => {
      for (const setting of ['announcement', 'locked'] as const)
        await assert.rejects(bob.socket.groupSettingUpdate(group, setting), /forbidden/)
      await assert.rejects(bob.socket.groupMemberAddMode(group, 'all_member_add'), /forbidden/)
      await assert.rejects(bob.socket.groupJoinApprovalMode(group, 'on'), /forbidden/)
      const refused = await change({ by: CAROL, subject: 'Half', announcement: true })
      assert.equal(refused.body['reason'], 'not_an_admin')
      assert.notEqual((await shown()).subject, 'Half')
    })

    test('a subject of more than 100 characters is not acceptable', async () => {
      const long = 'x'.repeat(101)
      await assert.rejects(alice.socket.groupUpdateSubject(group, long), /not-acceptable/)
      await assert.rejects(alice.socket.groupCreate(long, [jid(BOB)]), /not-acceptable/)
      await alice.socket.groupUpdateSubject(group, long.slice(1))
      assert.equal((await shown()).subject.length, 100)
    })

    test('the timer of disappearing messages is stored, and members are notified', async () => {
      const timers: (number | null | undefined)[] = []
      bob.socket.ev.on('chats.update', (chats) =>
        timers.push(...chats.filter(({ id }) => id === group).map((chat) => chat.ephemeralExpiration)),
      )
      await alice.socket.groupToggleEphemeral(group, WEEK)
      assert.equal((await bob.socket.groupMetadata(group)).ephemeralDuration, WEEK)
      await change({ disappearingSeconds: 0 })
      // Notifications keep their order, so the timer has arrived before this one.
      await change({ description: 'no timer' })
      await bob.wait('groups.update', (all) => all.some(({ desc }) => desc === 'no timer'))
      assert.deepEqual(
        timers.filter((timer) => timer !== undefined),
        [WEEK, null],
      )
      assert.equal((await bob.socket.groupMetadata(group)).ephemeralDuration, undefined)
    })

    test('changes over the API reach the clients', async () => {
      const answer = await change({
        joinApproval: true,
        memberAdd: 'admins',
        locked: true,
        announcement: true,
      })
      const { group: changed } = answers.group.parse(answer.body)
      assert.deepEqual(
        [changed.joinApproval, changed.memberAdd, changed.locked, changed.announcement],
        [true, 'admins', true, true],
      )
      await bob.wait('groups.update', (all) => all.some(({ joinApprovalMode }) => joinApprovalMode === true))
      await bob.wait('groups.update', (all) => all.some(({ memberAddMode }) => memberAddMode === false))
      const { joinApprovalMode, memberAddMode, restrict, announce } = await bob.socket.groupMetadata(group)
      assert.deepEqual([joinApprovalMode, memberAddMode, restrict, announce], [true, false, true, true])
    })

    test('a preview of a picture is smaller than the picture', async () => {
      await change({ locked: false })
      await alice.socket.updateProfilePicture(group, PNG, PIXELS)
      const sizeOf = async (type: 'preview' | 'image') => {
        const url = (await bob.socket.profilePictureUrl(group, type)) ?? ''
        const bytes = Buffer.from(await (await fetch(url.replace('https:', 'http:'))).arrayBuffer())
        return widthOf(bytes)
      }
      assert.equal(await sizeOf('image'), PIXELS.width)
      assert.equal(await sizeOf('preview'), 96)
    })
  })

/** The width in the first frame header of a JPEG file. */
function widthOf(jpeg: Buffer): number {
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  return jpeg.readUInt16BE(frame + 7)
}
