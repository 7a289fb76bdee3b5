// Groups, numbers and pictures as the API shows them follow what happens on the network.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { lidForNumber } from '../../sandbox/model/address.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import type { Answer } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'

const NUMBERS = { pn: '55119555500', lid: '55119666600' } as const
const jidOf = (number: string) => `${number}@s.whatsapp.net`

describe('groups and pictures', () => {
  let sandbox: SandboxWorld
  before(async () => {
    sandbox = await startSandboxWorld()
  })
  after(() => sandbox.stop())

  for (const addressing of ['pn', 'lid'] as const)
    describe(`the groups of an instance follow the network (${addressing})`, () => {
      const number = (last: number) => `${NUMBERS[addressing]}${String(last).padStart(2, '0')}`
      const [OWNER, BOB, CAROL, DAVE] = [number(1), number(2), number(3), number(4)]
      let line: PairedInstance
      let early: string
      before(async () => {
        await sandbox.setAddressing(addressing)
        for (const each of [OWNER, BOB, CAROL, DAVE])
          await sandbox.world.phone(each, `Phone ${each.slice(-2)}`)
        early = await makeGroup('Before the pairing')
        line = await sandbox.pair(OWNER)
      })

      const makeGroup = async (subject: string, members = [OWNER, CAROL]): Promise<string> =>
        answers.group.parse(await sandbox.world.post('/groups', { subject, members, admin: BOB })).group.jid
      const groups = async (participants = false): Promise<Answer['json'][]> => {
        const answer = await sandbox.api('listGroups', { query: { instanceName: line.name, participants } })
        assert.equal(answer.count, answer.groups.length)
        return answer.groups
      }
      /** The group once it fits. */
      const group = (jid: string, fits: (group: Answer['json']) => boolean, what: string) =>
        until(
          async () => (await groups(true)).find((each) => each.groupJid === jid),
          (found) => found !== undefined && fits(found),
          what,
        )
      const gone = (jid: string) =>
        until(groups, (found) => !found.some((each) => each.groupJid === jid), `${jid} gone`)
      const change = (jid: string, body: Record<string, unknown>) =>
        sandbox.world.post(`/groups/${jid}/members`, body)
      const patch = async (jid: string, body: Record<string, unknown>) =>
        assert.equal((await sandbox.world.ask('PATCH', `/groups/${jid}`, body)).status, 200)

      test('a group from before the pairing is listed with all details', async () => {
        const found = await group(early, () => true, 'listed')
        const member = (phone: string, isAdmin = false) => {
          const names = {
            chat: jidOf(phone),
            number: phone,
            lid: `${lidForNumber(phone)}@lid`,
            username: null,
          }
          return { ...names, jid: jidOf(phone), phone, isAdmin }
        }
        assert.deepEqual(
          found.participants.toSorted((a: { phone: string }, b: { phone: string }) =>
            a.phone.localeCompare(b.phone),
          ),
          [member(OWNER), member(BOB, true), member(CAROL)],
        )
        const { participants: _participants, createdAt, memberAdd, ...rest } = found
        assert.ok(['all', 'admins'].includes(memberAdd))
        assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 600_000)
        assert.deepEqual(rest, {
          id: early,
          groupJid: early,
          subject: 'Before the pairing',
          description: null,
          ownerJid: jidOf(BOB),
          size: 3,
          isAdmin: false,
          isAnnouncement: false,
          isLocked: false,
          joinApproval: false,
          disappearingSeconds: 0,
          profilePictureUrl: null,
        })
        const plain = (await groups()).find((each) => each.groupJid === early)
        assert.equal('participants' in plain, false)
      })

      test('a new group and changes of its subject, description and settings are listed', async () => {
        const jid = await makeGroup('Fresh')
        await group(jid, ({ subject }) => subject === 'Fresh', 'created')
        await patch(jid, { subject: 'Renamed', description: 'since today' })
        await group(jid, (g) => g.subject === 'Renamed' && g.description === 'since today', 'renamed')
        await patch(jid, { announcement: true, locked: true })
        await group(jid, (g) => g.isAnnouncement && g.isLocked, 'closed')
        await patch(jid, { announcement: false, locked: false })
        await group(jid, (g) => !g.isAnnouncement && !g.isLocked, 'opened')
      })

      test('members come and go, and the instance knows when it is an admin', async () => {
        const jid = await makeGroup('Moving')
        const phones = (g: Answer['json']): string[] =>
          g.participants.map((each: { phone: string }) => each.phone)
        await change(jid, { change: 'add', members: [DAVE] })
        await group(jid, (g) => g.size === 4 && phones(g).includes(DAVE), 'Dave added')
        await change(jid, { change: 'promote', members: [OWNER, DAVE] })
        const promoted = await group(jid, (g) => g.isAdmin, 'promoted')
        assert.deepEqual(promoted.participants.filter((each: { isAdmin: boolean }) => each.isAdmin).length, 3)
        await change(jid, { change: 'demote', members: [OWNER] })
        await group(jid, (g) => !g.isAdmin, 'demoted')
        await change(jid, { change: 'remove', members: [CAROL] })
        await group(jid, (g) => g.size === 3 && !phones(g).includes(CAROL), 'Carol removed')
        await sandbox.world.post(`/groups/${jid}/leave`, { number: DAVE })
        await group(jid, (g) => g.size === 2 && !phones(g).includes(DAVE), 'Dave left')
      })

      test('groups that the account left, was removed from or was added to are listed correctly', async () => {
        const [left, removed] = [await makeGroup('Left'), await makeGroup('Removed')]
        for (const jid of [left, removed]) await group(jid, () => true, 'created')
        await sandbox.world.post(`/groups/${left}/leave`, { number: OWNER })
        await gone(left)
        await change(removed, { change: 'remove', members: [OWNER] })
        await gone(removed)
        const later = await makeGroup('Later', [CAROL])
        await change(later, { change: 'add', members: [OWNER] })
        await group(later, (g) => g.subject === 'Later' && g.size === 3, 'added')
        assert.ok((await groups()).some((each) => each.groupJid === early))
      })

      test('the profile picture is the one of the phone, or absent', async () => {
        const picture = () => sandbox.call('profilePicture', { query: { instanceName: line.name } })
        const none = await picture()
        assert.deepEqual([none.status, none.json.reason], [404, 'profile_picture_not_found'])
        await sandbox.world.post(`/phones/${OWNER}/picture`, { base64: png(5, 5).toString('base64') })
        const found = await picture()
        assert.deepEqual([found.status, found.headers.get('content-type')], [200, 'image/png'])
        assert.ok(found.bytes.equals(png(5, 5)))
      })
    })
})
