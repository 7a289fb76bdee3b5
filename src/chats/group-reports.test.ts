// Groups and calls that the network reports are stored together with their events, and a repeated report has no second event.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines } from '../../test/support/engines.ts'
import { openStore } from '../../test/support/open-store.ts'
import { findGroup } from '../contacts/contact-queries.ts'
import { updateInstance } from '../instances/instance-queries.ts'
import type { NetworkCall } from '../network/calls.ts'
import type { GroupNotice, KnownPerson, NetworkGroup } from '../network/groups.ts'
import { makeTenant, NOON } from '../store/conformance/tenant.ts'
import type { Store } from '../store/store.ts'
import { findCall } from './call-queries.ts'
import { recordCall } from './calls.ts'
import { recordAllGroups, recordGroups, recordLeftGroup } from './group-reports.ts'
import { chatIds, withPersonIds } from './rules.ts'

const [FIRST, SECOND] = ['120363000000000001@g.us', '120363000000000002@g.us']
const ANA: KnownPerson = {
  jid: '5511900000001@s.whatsapp.net',
  lid: null,
  phone: '5511900000001',
  pushName: null,
}
const ME: KnownPerson = {
  jid: '5511900000009@s.whatsapp.net',
  lid: '9@lid',
  phone: '5511900000009',
  pushName: null,
}
const member = ({ jid, lid, phone }: KnownPerson, isAdmin = false) => ({ jid, lid, phone, isAdmin })

const group = (jid: string, change: Partial<NetworkGroup> = {}): NetworkGroup => ({
  jid,
  subject: 'Team',
  description: null,
  ownerJid: null,
  createdAtMs: null,
  isAdmin: false,
  isAnnouncement: false,
  isLocked: false,
  joinApproval: false,
  memberAdd: 'admins',
  disappearingSeconds: 0,
  participants: [member(ME)],
  ...change,
})

for (const engine of engines)
  describe(`reported groups and calls on ${engine.name}`, () => {
    let store: Store
    let dispose: () => Promise<void>
    before(async () => {
      const storeLocation = await engine.createLocation()
      dispose = storeLocation.dispose
      store = await openStore(storeLocation)
    })
    after(async () => {
      await store.close()
      await dispose()
    })

    async function makeLine() {
      const { instanceId } = await makeTenant(store)
      await updateInstance(store.db, instanceId, { number: '5511900000009', lid: '9' })
      const deps = { store, clock: () => NOON }
      let seen = 0
      return {
        instanceId,
        list: (...groups: NetworkGroup[]) => recordAllGroups(deps, instanceId, { groups, uncertain: [] }),
        listExcept: (uncertain: string[], ...groups: NetworkGroup[]) =>
          recordAllGroups(deps, instanceId, { groups, uncertain }),
        report: (one: NetworkGroup, ...notices: GroupNotice[]) =>
          recordGroups(deps, instanceId, { groups: [one], notices }),
        leave: (jid: string, ...notices: GroupNotice[]) =>
          recordLeftGroup(deps, instanceId, { jid, notices }),
        call: (call: NetworkCall) => recordCall(deps, instanceId, call),
        stored: (jid: string) => findGroup(store.db, instanceId, jid),
        /** The events since the last look: name and payload. */
        async news(): Promise<[name: string, data: Record<string, unknown>][]> {
          const rows = await store.db
            .selectFrom('events')
            .select(['name', 'data'])
            .where('instance_id', '=', instanceId)
            .orderBy('sequence')
            .execute()
          const fresh = rows.slice(seen)
          seen = rows.length
          return fresh.map(({ name, data }) => [name, JSON.parse(data) as Record<string, unknown>])
        },
      }
    }
    const notice = (jid: string, what: GroupNotice['what'], people: string[] = []): GroupNotice => ({
      jid,
      what,
      people,
      author: ANA,
    })

    test('the groups of a new login cause no events; a group that is new in a later list is one', async () => {
      const line = await makeLine()
      await line.list(group(FIRST))
      assert.deepEqual(await line.news(), [])
      await line.list(group(FIRST), group(SECOND))
      assert.deepEqual(
        (await line.news()).map(([name, data]) => [name, data.groupJid, data.author]),
        [['groups.upsert', SECOND, null]],
      )
    })

    test('a group that the network announces is an event even before the first list', async () => {
      const line = await makeLine()
      await line.report(group(FIRST))
      assert.deepEqual(await line.news(), [])
      await line.report(group(SECOND), notice(SECOND, 'join'))
      const [[name, data] = []] = await line.news()
      assert.deepEqual([name, data?.groupJid, data?.author], ['groups.upsert', SECOND, withPersonIds(ANA)])
    })

    test('a change is stored with one event, however often it is reported', async () => {
      const line = await makeLine()
      await line.list(group(FIRST))
      const changed = group(FIRST, {
        subject: 'New',
        memberAdd: 'all',
        participants: [member(ME, true), member(ANA)],
      })
      await line.report(changed, notice(FIRST, 'subject'), notice(FIRST, 'add', [ANA.jid]))
      await line.report(changed, notice(FIRST, 'subject'))
      assert.deepEqual(await line.news(), [
        ['groups.update', { ...chatIds(FIRST), author: withPersonIds(ANA), changes: { subject: 'New' } }],
        ['groups.update', { ...chatIds(FIRST), author: null, changes: { memberAdd: 'all' } }],
        [
          'group-participants.update',
          { ...chatIds(FIRST), author: withPersonIds(ANA), action: 'add', people: [withPersonIds(ANA)] },
        ],
        [
          'group-participants.update',
          { ...chatIds(FIRST), author: null, action: 'promote', people: [withPersonIds(ME)] },
        ],
      ])
      const row = await line.stored(FIRST)
      assert.deepEqual([row?.subject, row?.member_add, row?.size], ['New', 'all', 2])
    })

    test('a change that was made offline is found in the list', async () => {
      const line = await makeLine()
      await line.list(group(FIRST))
      await line.list(group(FIRST, { isLocked: true }))
      assert.deepEqual(await line.news(), [
        ['groups.update', { ...chatIds(FIRST), author: null, changes: { locked: true } }],
      ])
    })

    test('a setting that an older program did not store is not an event', async () => {
      const line = await makeLine()
      await line.list(group(FIRST))
      await store.db
        .updateTable('groups')
        .set({ join_approval: null, member_add: null, disappearing_seconds: null })
        .where('instance_id', '=', line.instanceId)
        .execute()
      await line.list(group(FIRST, { joinApproval: true, memberAdd: 'all', disappearingSeconds: 86_400 }))
      assert.deepEqual(await line.news(), [])
      assert.equal((await line.stored(FIRST))?.disappearing_seconds, 86_400)
    })

    test('a list leaves a group alone that changed while it was read', async () => {
      const line = await makeLine()
      await line.list(group(FIRST))
      await line.report(group(SECOND), notice(SECOND, 'join'))
      await line.news()
      await line.listExcept([SECOND], group(FIRST))
      assert.equal((await line.stored(SECOND))?.subject, 'Team')
      assert.deepEqual(await line.news(), [])
    })

    test('leaving a group is one event, with the person who removed the account', async () => {
      const line = await makeLine()
      await line.list(group(FIRST), group(SECOND))
      await line.leave(FIRST, notice(FIRST, 'remove', ['9@lid']))
      await line.leave(FIRST)
      assert.deepEqual(await line.news(), [
        [
          'group-participants.update',
          { ...chatIds(FIRST), author: withPersonIds(ANA), action: 'remove', people: [withPersonIds(ME)] },
        ],
      ])
      assert.equal(await line.stored(FIRST), undefined)
      await line.list()
      assert.deepEqual(await line.news(), [
        [
          'group-participants.update',
          { ...chatIds(SECOND), author: null, action: 'remove', people: [withPersonIds(ME)] },
        ],
      ])
    })

    test('a call is stored with one event per step, and keeps what only its offer said', async () => {
      const line = await makeLine()
      const offer: NetworkCall = {
        id: 'CALL',
        from: ANA,
        creator: ANA.jid,
        status: 'offer',
        atMs: NOON,
        isVideo: true,
        isGroup: true,
        groupJid: FIRST,
      }
      const later = { ...offer, isVideo: null, isGroup: null, groupJid: null }
      await line.call(offer)
      await line.call(offer)
      await line.call({ ...later, status: 'ringing' })
      await line.call({ ...later, status: 'missed', atMs: NOON + 1000 })
      await line.call({ ...later, status: 'ended' })
      const shown = {
        callId: 'CALL',
        from: withPersonIds(ANA),
        isVideo: true,
        isGroup: true,
        ...chatIds(FIRST),
      }
      const at = '2026-01-15T12:00:00.000Z'
      assert.deepEqual(await line.news(), [
        ['call', { ...shown, status: 'offer', at }],
        ['call', { ...shown, status: 'ringing', at }],
        ['call', { ...shown, status: 'missed', at: '2026-01-15T12:00:01.000Z' }],
      ])
      assert.equal((await findCall(store.db, line.instanceId, 'CALL'))?.status, 'missed')
    })
  })
