// Groups as the API administers them: from the request to the phones of the members, and back as events.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourCases } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api, ask, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { png } from '../support/sample-files.ts'
import { onOwnSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

const jidOf = (number: string) => `${number}@s.whatsapp.net`

for (const { engine, variant: addressing } of behaviourCases(['pn', 'lid'] as const))
  describe(`administering groups on ${engine.name} (${addressing})`, () => {
    const [owner, guest, bob, carol, unregistered] = Array.from({ length: 5 }, newNumber) as [
      string,
      string,
      string,
      string,
      string,
    ]
    let storeLocation: StoreLocation
    let gateway: StartedHere
    let [line, guestLine] = ['', '']
    before(async () => {
      storeLocation = await engine.createLocation()
      const operator = newKey()
      gateway = await startHere(storeLocation, newKey(), {
        OPERATOR_KEY: operator,
        ...(await onOwnSandbox()),
      })
      await world({ ...gateway, key: operator }, 'POST /network', { addressing })
      for (const number of [bob, carol]) await world(gateway, 'POST /phones', { number })
      line = await linkedInstance(gateway, owner)
      guestLine = await linkedInstance(gateway, guest)
    })
    after(async () => {
      await gateway.stop()
      await storeLocation.dispose()
    })

    const path = (jid: string, rest = '', name = line) => `/groups/${jid}${rest}?instanceName=${name}`
    const create = async (subject: string, members = [bob]): Promise<string> => {
      const body = { instanceName: line, subject, members }
      return (await api(gateway, 'POST /groups', body)).group.groupJid
    }
    /** The group as its members see it. */
    const onPhones = async (jid: string): Promise<Json> => (await world(gateway, `GET /groups/${jid}`)).group
    const roles = async (jid: string): Promise<Record<string, string>> =>
      Object.fromEntries((await onPhones(jid)).members.map(({ number, role }: Json) => [number, role]))
    /** The group as `GET /groups` shows it, without waiting. */
    const listed = async (jid: string, name = line): Promise<Json> => {
      const { groups } = await api(gateway, `GET /groups?instanceName=${name}&participants=true`)
      return groups.find((group: Json) => group.groupJid === jid)
    }
    const phonesIn = (group: Json): string[] => group.participants.map(({ phone }: Json) => phone).sort()
    /** The events about a group so far, oldest first. */
    const events = async (jid: string, name = line): Promise<Json[]> => {
      const names = 'groups.upsert,groups.update,group-participants.update'
      const { events: all } = await api(gateway, `GET /events?instanceName=${name}&events=${names}&limit=500`)
      return all.filter(({ data }: Json) => data.groupJid === jid)
    }
    const eventAfter = (jid: string, count: number, name = line) =>
      until(`event ${count + 1} of the group`, async () => (await events(jid, name))[count])
    const refused = async (call: string, body?: unknown) => {
      const { status, json } = await ask(gateway, call.replace(' ', ' /api/v1'), body)
      return [status, json.reason]
    }

    test('a created group is on the phones of its members, and listed at once', async () => {
      const body = {
        instanceName: line,
        subject: 'Launch',
        members: [bob, unregistered],
        description: 'Soon',
      }
      const { group, members } = await api(gateway, 'POST /groups', body)
      assert.deepEqual(members, [
        { number: bob, chat: `${bob}@s.whatsapp.net`, outcome: 'added', networkCode: null },
        {
          number: unregistered,
          chat: `${unregistered}@s.whatsapp.net`,
          outcome: 'not_on_network',
          networkCode: null,
        },
      ])
      const { subject, description, isAdmin } = group
      assert.deepEqual([subject, description, isAdmin], ['Launch', 'Soon', true])
      assert.deepEqual(phonesIn(group), [owner, bob].sort())
      assert.deepEqual(await listed(group.groupJid), group)
      const shown = await onPhones(group.groupJid)
      assert.deepEqual([shown.subject, shown.description], ['Launch', 'Soon'])
      const [upsert, update] = await events(group.groupJid)
      assert.equal(upsert.event, 'groups.upsert')
      assert.deepEqual([upsert.data.subject, upsert.data.author.jid], ['Launch', jidOf(owner)])
      assert.deepEqual([update.data.changes, update.data.author.jid], [{ description: 'Soon' }, jidOf(owner)])
    })

    test('changed settings reach the phones, the list and the event log once', async () => {
      const jid = await create('Before')
      const settings = { subject: 'After', description: 'Text', announce: true, locked: true }
      const { group } = await api(gateway, `PATCH ${path(jid)}`, {
        ...settings,
        disappearingSeconds: 86_400,
      })
      assert.deepEqual(
        [group.subject, group.description, group.isAnnouncement, group.isLocked, group.disappearingSeconds],
        ['After', 'Text', true, true, 86_400],
      )
      assert.deepEqual(await listed(jid), group)
      const { subject, description, announcement, locked } = await onPhones(jid)
      assert.deepEqual({ subject, description, announce: announcement, locked }, settings)
      const opened = { description: null, announce: false, locked: false, disappearingSeconds: 0 }
      await api(gateway, `PATCH ${path(jid)}`, opened)
      const updates = (await events(jid)).slice(1)
      const changes = Object.assign({}, ...updates.map(({ data }) => data.changes))
      assert.deepEqual(changes, { subject: 'After', ...opened })
      const fields = updates.flatMap(({ data }) => Object.keys(data.changes))
      assert.equal(fields.length, 9)
      assert.deepEqual(new Set(updates.map(({ data }) => data.author.jid)), new Set([jidOf(owner)]))
    })

    test('members are added, promoted, demoted and removed, with an outcome per number', async () => {
      const jid = await create('Members')
      const change = async (body: Record<string, string[]>) =>
        (await api(gateway, `POST ${path(jid, '/members')}`, body)).members.map(
          ({ outcome }: Json) => outcome,
        )
      assert.deepEqual(await change({ add: [carol, unregistered] }), ['added', 'not_on_network'])
      assert.deepEqual(phonesIn(await listed(jid)), [owner, bob, carol].sort())
      assert.deepEqual(await change({ promote: [carol] }), ['promoted'])
      assert.equal((await roles(jid))[carol], 'admin')
      assert.deepEqual(await change({ demote: [carol] }), ['demoted'])
      assert.equal((await roles(jid))[carol], 'member')
      assert.deepEqual(await change({ remove: [carol, unregistered] }), ['removed', 'not_a_member'])
      assert.deepEqual(Object.keys(await roles(jid)).sort(), [owner, bob].sort())
      const seen = (await events(jid)).slice(1).map(({ event, data }) => {
        assert.equal(event, 'group-participants.update')
        return [data.action, data.author.phone, data.people.map(({ phone }: Json) => phone).join()]
      })
      assert.deepEqual(seen, [
        ['add', owner, carol],
        ['promote', owner, carol],
        ['demote', owner, carol],
        ['remove', owner, carol],
      ])
    })

    test('a group is created with a picture that was uploaded before', async () => {
      const upload = await fetch(new URL('/api/v1/media', gateway.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'image/png' },
        body: new Uint8Array(png(64, 64)),
      })
      const { mediaId } = (await upload.json()) as { mediaId: string }
      const body = { instanceName: line, subject: 'Pictured', members: [bob], picture: { mediaId } }
      const { group, picture } = await api(gateway, 'POST /groups', body)
      assert.equal(picture, 'set')
      const shown = await ask(
        gateway,
        `GET /api/v1/chats/picture?instanceName=${line}&chat=${group.groupJid}`,
      )
      assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/jpeg'])
    })

    test('a picture is set and removed, each with one event', async () => {
      const jid = await create('Picture')
      const upload = await fetch(new URL(`/api/v1${path(jid, '/picture')}`, gateway.url), {
        method: 'PUT',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'image/png' },
        body: new Uint8Array(png(8, 8)),
      })
      assert.equal(upload.status, 200, await upload.clone().text())
      const { group } = (await upload.json()) as Json
      assert.ok(group.profilePictureUrl)
      const picture = await ask(gateway, `GET /api/v1/chats/picture?instanceName=${line}&chat=${jid}`)
      assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg'])
      const broken = await fetch(new URL(`/api/v1${path(jid, '/picture')}`, gateway.url), {
        method: 'PUT',
        headers: { authorization: `Bearer ${gateway.key}` },
        body: new Uint8Array(png(8, 8).subarray(0, 20)),
      })
      assert.equal(broken.status, 400)
      const removed = await api(gateway, `DELETE ${path(jid, '/picture')}`)
      assert.equal(removed.group.profilePictureUrl, null)
      // The notice of the network comes before the answer to a later request.
      await api(gateway, `PATCH ${path(jid)}`, { subject: 'Picture 2' })
      assert.deepEqual(
        (await events(jid)).slice(1).map(({ data }) => [data.changes, data.author.phone]),
        [
          [{ picture: 'set' }, owner],
          [{ picture: 'removed' }, owner],
          [{ subject: 'Picture 2' }, owner],
        ],
      )
    })

    test('an invite link is shown, used and replaced; a guest joins and leaves', async () => {
      const jid = await create('Open house')
      const { code, link } = await api(gateway, `GET ${path(jid, '/invite')}`)
      assert.equal(link, `https://chat.whatsapp.com/${code}`)
      const { preview } = await api(gateway, `GET /groups/invite/${code}?instanceName=${guestLine}`)
      assert.deepEqual(
        [preview.groupJid, preview.subject, preview.size, preview.ownerJid],
        [jid, 'Open house', 2, jidOf(owner)],
      )
      const joined = await api(gateway, 'POST /groups/join', { instanceName: guestLine, code: link })
      assert.deepEqual([joined.groupJid, joined.status], [jid, 'joined'])
      assert.equal((await listed(jid, guestLine)).size, 3)
      assert.equal((await events(jid, guestLine))[0].event, 'groups.upsert')
      const arrival = await eventAfter(jid, 1)
      assert.deepEqual([arrival.data.action, arrival.data.people[0].phone], ['add', guest])

      const reset = await api(gateway, `POST ${path(jid, '/invite/reset')}`)
      assert.notEqual(reset.code, code)
      assert.deepEqual(await refused('POST /groups/join', { instanceName: guestLine, code }), [
        404,
        'invite_not_found',
      ])
      assert.deepEqual(await refused(`GET /groups/invite/${code}?instanceName=${guestLine}`), [
        404,
        'invite_not_found',
      ])

      await api(gateway, `POST ${path(jid, '/leave', guestLine)}`)
      assert.equal(await listed(jid, guestLine), undefined)
      assert.equal((await roles(jid))[guest], undefined)
      const left = await eventAfter(jid, 1, guestLine)
      assert.deepEqual(
        [left.data.action, left.data.author.phone, left.data.people[0].phone],
        ['remove', guest, guest],
      )
      const seen = await eventAfter(jid, 2)
      assert.deepEqual([seen.data.action, seen.data.people[0].phone], ['remove', guest])
    })

    test('403 for a member who is not an admin, 404 for a stranger', async () => {
      const jid = await create('Closed', [guest])
      await until('the guest is a member', async () => ((await listed(jid, guestLine)) ? true : undefined))
      await api(gateway, `PATCH ${path(jid)}`, { locked: true, memberAdd: 'admins' })
      const calls: [call: string, body?: unknown][] = [
        [`PATCH ${path(jid, '', guestLine)}`, { subject: 'Mine' }],
        [`POST ${path(jid, '/members', guestLine)}`, { add: [bob] }],
        [`GET ${path(jid, '/invite', guestLine)}`],
      ]
      for (const [call, body] of calls)
        assert.deepEqual(await refused(call, body), [403, 'not_a_group_admin'], call)
      await api(gateway, `POST ${path(jid, '/members')}`, { remove: [guest] })
      calls.push([`GET ${path(jid, '', guestLine)}`], [`POST ${path(jid, '/leave', guestLine)}`])
      for (const [call, body] of calls)
        assert.deepEqual(await refused(call, body), [404, 'not_a_group_member'], call)
      assert.equal((await onPhones(jid)).subject, 'Closed')
    })

    test('with approval by admins, requests to join are listed, approved and rejected', async () => {
      const jid = await create('Approved')
      await api(gateway, `PATCH ${path(jid)}`, { joinApproval: true })
      const { code } = await api(gateway, `GET ${path(jid, '/invite')}`)
      for (const number of [carol, guest])
        assert.equal((await world(gateway, `POST /phones/${number}/join`, { code })).outcome, 'requested')
      const { requests } = await api(gateway, `GET ${path(jid, '/requests')}`)
      assert.deepEqual(requests.map(({ phone }: Json) => phone).sort(), [carol, guest].sort())
      const approved = await api(gateway, `POST ${path(jid, '/requests')}`, {
        approve: [carol, unregistered],
      })
      assert.deepEqual(
        approved.requests.map(({ number, outcome }: Json) => [number, outcome]),
        [
          [carol, 'approved'],
          [unregistered, 'no_request'],
        ],
      )
      await api(gateway, `POST ${path(jid, '/requests')}`, { reject: [guest] })
      assert.equal((await roles(jid))[carol], 'member')
      assert.equal((await roles(jid))[guest], undefined)
      assert.equal((await api(gateway, `GET ${path(jid, '/requests')}`)).count, 0)
    })

    test('a person whose privacy forbids it is invited instead of added', async () => {
      await world(gateway, `PATCH /phones/${carol}`, { privacy: { groupadd: 'contacts' } })
      const jid = await create('Invited')
      const { members } = await api(gateway, `POST ${path(jid, '/members')}`, { add: [carol, bob] })
      assert.deepEqual(
        members.map(({ number, outcome }: Json) => [number, outcome]),
        [
          [carol, 'invited'],
          [bob, 'already_member'],
        ],
      )
      await world(gateway, `PATCH /phones/${carol}`, { privacy: { groupadd: 'all' } })
    })

    test('a call is an event; a rejected one ends on the phone of the caller', async () => {
      const { call } = await world(gateway, `POST /phones/${bob}/call`, { to: owner, video: true })
      const callId = call.id
      const reject = `POST /calls/${callId}/reject?instanceName=${line}`
      const calls = async (): Promise<Json[]> => {
        const { events: all } = await api(gateway, `GET /events?instanceName=${line}&events=call&limit=100`)
        return all.filter(({ data }: Json) => data.callId === callId)
      }
      const offer = await until('the offer', async () => (await calls())[0])
      assert.deepEqual([offer.data.status, offer.data.from.phone, offer.data.isVideo], ['offer', bob, true])
      await api(gateway, reject)
      const shown = `GET /phones/${bob}/calls?callId=${callId}&status=rejected&waitMs=30000`
      assert.equal((await world(gateway, shown)).calls[0].status, 'rejected')
      await until('its end', async () =>
        (await calls()).some(({ data }) => data.status === 'rejected') ? true : undefined,
      )
      assert.deepEqual(await refused(reject), [409, 'call_over'])
    })

    test('changes that a person makes on the phone are events with that person as the author', async () => {
      const jid = (await world(gateway, 'POST /groups', { subject: 'By Bob', members: [owner], admin: bob }))
        .group.jid
      const upsert = await eventAfter(jid, 0)
      assert.deepEqual(
        [upsert.event, upsert.data.author.phone, upsert.data.isAdmin],
        ['groups.upsert', bob, false],
      )
      await world(gateway, `PATCH /groups/${jid}`, { subject: 'By Bob 2', by: bob })
      const update = await eventAfter(jid, 1)
      assert.deepEqual([update.data.changes, update.data.author.phone], [{ subject: 'By Bob 2' }, bob])
      await world(gateway, `POST /groups/${jid}/members`, { change: 'add', members: [carol], by: bob })
      const added = await eventAfter(jid, 2)
      assert.deepEqual([added.data.action, added.data.author.phone], ['add', bob])
      assert.deepEqual(added.data.people[0].jid, jidOf(carol))
      await world(gateway, `POST /groups/${jid}/members`, { change: 'remove', members: [owner], by: bob })
      const removed = await eventAfter(jid, 3)
      assert.deepEqual(
        [removed.data.action, removed.data.author.phone, removed.data.people[0].phone],
        ['remove', bob, owner],
      )
    })
  })
