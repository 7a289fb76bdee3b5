// GET /groups
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPersonIds } from '../../src/chats/rules.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, shared, withInstance } from './fixture.ts'
import { reportPicture } from './known-picture.ts'

const PARTICIPANTS = [
  { jid: '5511900000001@s.whatsapp.net', phone: '5511900000001', isAdmin: true },
  { jid: '123456789012345@lid', phone: null, isAdmin: false },
]

contract('GET /groups', (gateway) => {
  const fixture = withInstance(gateway)
  const seeded = shared(async () => {
    const running = await fixture()
    const second = await running.openInstance(running.mine)
    const group = (instanceId: number, jid: string, subject: string, extra: object = {}) => ({
      instance_id: instanceId,
      jid,
      subject,
      description: null,
      owner_jid: null,
      group_created_at: null,
      size: 0,
      is_admin: 0 as const,
      is_announcement: 0 as const,
      is_locked: 0 as const,
      join_approval: null,
      member_add: null,
      disappearing_seconds: null,
      participants: '[]',
      updated_at: 1,
      ...extra,
    })
    await running.store.db
      .insertInto('groups')
      .values([
        group(running.instance.id, '120363000000000002@g.us', 'Zoo'),
        group(running.instance.id, '120363000000000001@g.us', 'Aviary', {
          description: 'All birds',
          owner_jid: '5511900000001@s.whatsapp.net',
          group_created_at: 1_700_000_000_000,
          size: 2,
          is_admin: 1,
          is_announcement: 1,
          is_locked: 1,
          join_approval: 1,
          member_add: 'admins',
          disappearing_seconds: 86_400,
          participants: JSON.stringify(PARTICIPANTS),
        }),
        group(second.id, '120363000000000001@g.us', 'Elsewhere'),
      ])
      .execute()
    await reportPicture(running, running.instance.id, '120363000000000001@g.us')
    return running
  })
  const list = async (query: Record<string, string | boolean> = {}) => {
    const { mine, instance } = await seeded()
    return mine.call('listGroups', { query: { instanceName: instance.name, ...query } })
  }

  test('200 returns every field of the groups of this instance, sorted by subject', async () => {
    const { instance } = await seeded()
    const answer = await list()
    assert.equal(answer.status, 200)
    const { profilePictureUrl } = answer.json.groups[0]
    const query = new URLSearchParams({ instanceName: instance.name, chat: '120363000000000001@g.us' })
    assert.ok(profilePictureUrl.includes(`/api/v1/chats/picture?${query.toString()}&v=`), profilePictureUrl)
    const named = {
      instanceName: 'Support',
      displayName: 'Support',
      apiInstanceName: instance.name,
      internalName: instance.name,
    }
    assert.deepEqual(answer.json, {
      success: true,
      count: 2,
      instance: { id: instance.id, ...named },
      groups: [
        {
          id: '120363000000000001@g.us',
          groupJid: '120363000000000001@g.us',
          subject: 'Aviary',
          description: 'All birds',
          ownerJid: '5511900000001@s.whatsapp.net',
          createdAt: '2023-11-14T22:13:20.000Z',
          size: 2,
          isAdmin: true,
          isAnnouncement: true,
          isLocked: true,
          joinApproval: true,
          memberAdd: 'admins',
          disappearingSeconds: 86_400,
          profilePictureUrl,
        },
        {
          id: '120363000000000002@g.us',
          groupJid: '120363000000000002@g.us',
          subject: 'Zoo',
          description: null,
          ownerJid: null,
          createdAt: null,
          size: 0,
          isAdmin: false,
          isAnnouncement: false,
          isLocked: false,
          joinApproval: null,
          memberAdd: null,
          disappearingSeconds: null,
          profilePictureUrl: null,
        },
      ],
    })
  })

  test('200 returns members with participants=true', async () => {
    const { groups } = (await list({ participants: true })).json
    assert.deepEqual(
      groups[0].participants,
      PARTICIPANTS.map((member) => withPersonIds({ lid: null, ...member })),
    )
    assert.deepEqual(groups[1].participants, [])
    assert.equal('participants' in (await list({ participants: false })).json.groups[0], false)
  })

  test('200 returns the groups of a member, by number or by lid', async () => {
    const subjects = async (member: string) =>
      (await list({ member })).json.groups.map(({ subject }: { subject: string }) => subject)
    assert.deepEqual(await subjects('5511900000001'), ['Aviary'])
    assert.deepEqual(await subjects('123456789012345@lid'), ['Aviary'])
    assert.deepEqual(await subjects('5511900000009'), [])
    assert.deepEqual(faultPaths(await list({ member: 'ana' })), ['member'])
  })

  test('400 when participants is not valid or instanceName is missing', async () => {
    assert.deepEqual(faultPaths(await list({ participants: 'yes' })), ['participants'])
    const answer = await (await seeded()).mine.call('listGroups')
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })

  test('404 when the instance does not exist', async () => {
    const answer = await list({ instanceName: 'unknown-00000000' })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'instance_not_found')
  })
})
