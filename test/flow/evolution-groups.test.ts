// Groups, settings, proxy and webhook of an instance through the Evolution dialect.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { assertRefused, type EvolutionWorld, startEvolutionWorld } from '../support/evolution.ts'
import { png } from '../support/sample-files.ts'

const jidOf = (number: string) => `${number}@s.whatsapp.net`

for (const engine of behaviourEngines('postgres'))
  describe(`groups and settings of the Evolution dialect on ${engine.name}`, () => {
    const prefix = engine.name === 'sqlite' ? '5511977770' : '5511978880'
    const [OWNER, BOB, CAROL] = [1, 2, 3].map((last) => `${prefix}00${last}`) as [string, string, string]
    let world: EvolutionWorld
    let group = ''
    before(async () => {
      world = await startEvolutionWorld(engine, OWNER)
      await world.sandbox.world.phone(BOB, 'Bob')
      await world.sandbox.world.phone(CAROL, 'Carol')
      const made = await world.shop('POST /group/create/shop', {
        subject: 'Team',
        participants: [BOB],
        description: 'Ours',
        promoteParticipants: true,
      })
      assert.equal(made.status, 201, JSON.stringify(made.json))
      group = made.json.id
    })
    after(() => world.stop())

    const post = (call: string, body: object, jid = group) =>
      world.shop(`POST /group/${call}/shop?groupJid=${jid}`, body)
    const get = (call: string, query = `groupJid=${group}`) => world.shop(`GET /group/${call}/shop?${query}`)
    const infos = async () => (await get('findGroupInfos')).json

    test('201 create has promoted the participants', async () => {
      const { id, subject, desc, participants, size } = await infos()
      assert.deepEqual([id, subject, desc, size], [group, 'Team', 'Ours', 2])
      const bob = participants.find(({ phoneNumber }: { phoneNumber: string }) => phoneNumber === BOB)
      assert.equal(bob.admin, 'admin')
    })

    test('201 updateGroupSubject, Description and Picture', async () => {
      for (const [call, body] of [
        ['updateGroupSubject', { subject: 'Crew' }],
        ['updateGroupDescription', { description: 'All of us' }],
        ['updateGroupPicture', { image: png(640, 640).toString('base64') }],
      ] as const) {
        const reply = await post(call, body)
        assert.deepEqual([reply.status, reply.json], [201, { update: 'success' }], call)
      }
      const { subject, desc } = await infos()
      assert.deepEqual([subject, desc], ['Crew', 'All of us'])
    })

    test('201 updateParticipant adds and removes, with an outcome per person', async () => {
      const participants = [jidOf(CAROL)]
      for (const action of ['add', 'promote', 'demote', 'remove']) {
        const { status, json } = await post('updateParticipant', { action, participants })
        assert.equal(status, 201, JSON.stringify(json))
        assert.deepEqual(json.updateParticipants, [{ jid: jidOf(CAROL), status: '200' }], action)
      }
      const members = await get('participants')
      assert.deepEqual([members.status, members.json.participants.length], [200, 2])
    })

    test('201 updateSetting, updateMemberAddMode and toggleEphemeral', async () => {
      assert.equal((await post('updateSetting', { action: 'announcement' })).status, 201)
      assert.equal((await post('updateSetting', { action: 'locked' })).status, 201)
      assert.equal((await post('updateMemberAddMode', { mode: 'admin_add' })).status, 201)
      assert.equal((await post('toggleEphemeral', { expiration: 604_800 })).status, 201)
      const { announce, restrict, memberAddMode, ephemeralDuration } = await infos()
      assert.deepEqual([announce, restrict, memberAddMode, ephemeralDuration], [true, true, false, 604_800])
      assertRefused(await post('toggleEphemeral', { expiration: 5 }), 400, /^expiration: /)
      assertRefused(await post('updateSetting', { action: 'other' }), 400, /^action: /)
    })

    test('200 fetchAllGroups with and without participants', async () => {
      const [withoutThem] = (await get('fetchAllGroups', 'getParticipants=false')).json
      assert.deepEqual([withoutThem.id, withoutThem.participants], [group, undefined])
      const [withThem] = (await get('fetchAllGroups', 'getParticipants=true')).json
      assert.equal(withThem.participants.length, 2)
      assertRefused(await get('fetchAllGroups', ''), 400, /^getParticipants: /)
    })

    test('200 inviteCode, inviteInfo, sendInvite; 201 revokeInviteCode', async () => {
      const { status, json } = await get('inviteCode')
      assert.equal(status, 200, JSON.stringify(json))
      assert.ok(json.inviteUrl.endsWith(json.inviteCode))
      const info = await get('inviteInfo', `inviteCode=${json.inviteCode}`)
      assert.deepEqual([info.status, info.json.id, info.json.subject], [200, group, 'Crew'])
      const body = { groupJid: group, description: 'Join us', numbers: [CAROL] }
      const invited = await post('sendInvite', body)
      assert.deepEqual([invited.status, invited.json], [200, { send: true, inviteUrl: json.inviteUrl }])
      const revoked = await post('revokeInviteCode', {})
      assert.deepEqual([revoked.status, revoked.json.revoked], [201, true])
      assert.notEqual(revoked.json.inviteCode, json.inviteCode)
      assertRefused(await get('inviteInfo', `inviteCode=${json.inviteCode}`), 404, /invite code/)
    })

    test('200 acceptInviteCode and leaveGroup', async () => {
      const made = await world.sandbox.world.post('/groups', {
        subject: 'Theirs',
        admin: BOB,
        members: [BOB],
      })
      const { jid, inviteCode: code } = made['group'] as { jid: string; inviteCode: string }
      const joined = await get('acceptInviteCode', `inviteCode=${code}`)
      assert.deepEqual([joined.status, joined.json], [200, { accepted: true, groupJid: jid }])
      const left = await world.shop(`DELETE /group/leaveGroup/shop?groupJid=${jid}`)
      assert.deepEqual([left.status, left.json], [200, { groupJid: jid, leave: true }])
      assertRefused(await get('findGroupInfos', 'groupJid=12'), 400, /^groupJid: /)
    })

    test('201 settings/set needs all flags, and settings/find shows them', async () => {
      const given = {
        rejectCall: true,
        msgCall: 'Please write',
        groupsIgnore: false,
        alwaysOnline: true,
        readMessages: true,
        readStatus: false,
        syncFullHistory: false,
      }
      const saved = await world.shop('POST /settings/set/shop', given)
      assert.equal(saved.status, 201, JSON.stringify(saved.json))
      const found = await world.shop('GET /settings/find/shop')
      assert.deepEqual([found.status, found.json], [200, { ...given, wavoipToken: '' }])
      assert.equal(
        (await world.sandbox.api('getSettings', { query: { instanceName: world.line.name } })).settings
          .rejectCalls,
        true,
      )
      assertRefused(await world.shop('POST /settings/set/shop', { rejectCall: true }), 400, /groupsIgnore/)
    })

    test('201 proxy/set, and proxy/find shows it without credentials', async () => {
      const proxy = {
        enabled: true,
        host: '127.0.0.1',
        port: '9',
        protocol: 'http',
        username: 'u',
        password: 'secret',
      }
      const saved = await world.shop('POST /proxy/set/shop', proxy)
      assert.equal(saved.status, 201, JSON.stringify(saved.json))
      const found = await world.shop('GET /proxy/find/shop')
      assert.deepEqual(found.json, {
        enabled: true,
        host: '127.0.0.1',
        port: '9',
        protocol: 'http',
        username: '',
        password: '',
      })
      assert.equal((await world.shop('POST /proxy/set/shop', { ...proxy, enabled: false })).status, 201)
      assert.equal((await world.shop('GET /proxy/find/shop')).json, null)
    })

    test('every call about groups, settings and proxies was answered with its status', () => {
      for (const family of ['group', 'settings', 'proxy']) assert.deepEqual(world.missing(family), [], family)
    })
  })
