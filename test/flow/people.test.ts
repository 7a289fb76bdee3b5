// People and the profile of the account: what phones show reaches the API, and changes over the API reach the phones.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourCases } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import {
  api,
  ask,
  linkedInstance,
  newInstance,
  newNumber,
  until,
  untilState,
  world,
} from '../support/linked.ts'
import { png } from '../support/sample-files.ts'
import { onOwnSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

const jidOf = (number: string) => `${number}@s.whatsapp.net`

for (const { engine, variant: addressing } of behaviourCases(['pn', 'lid'] as const))
  describe(`people on ${engine.name} (${addressing})`, () => {
    const [owner, bob, carol, unregistered] = Array.from({ length: 4 }, newNumber) as [
      string,
      string,
      string,
      string,
    ]
    const key = newKey()
    let storeLocation: StoreLocation
    let gateway: StartedHere
    let sandbox: Record<string, string>
    let line = ''
    before(async () => {
      storeLocation = await engine.createLocation()
      const operator = newKey()
      sandbox = await onOwnSandbox()
      gateway = await startHere(storeLocation, key, { OPERATOR_KEY: operator, ...sandbox })
      await world({ ...gateway, key: operator }, 'POST /network', { addressing })
      for (const number of [bob, carol]) await world(gateway, 'POST /phones', { number, name: 'Friend' })
      line = await linkedInstance(gateway, owner)
    })
    after(async () => {
      await gateway.stop()
      await storeLocation.dispose()
    })

    const person = async (number: string): Promise<Json> =>
      (await api(gateway, `GET /people/${number}?instanceName=${line}`)).person
    const phone = async (number: string): Promise<Json> =>
      (await world(gateway, `GET /phones/${number}`)).phone
    const presences = async (): Promise<Json[]> => {
      const { events } = await api(
        gateway,
        `GET /events?instanceName=${line}&events=presence.update&limit=500`,
      )
      return events.map(({ data }: Json) => data)
    }
    const presenceAfter = (count: number, wanted: string) =>
      until(`presence ${wanted}`, async () =>
        (await presences()).slice(count).find(({ presence }) => presence === wanted),
      )

    test('a person is read as the phone shows them', async () => {
      await world(gateway, `PATCH /phones/${bob}`, {
        about: 'At sea',
        business: {
          description: 'Fish',
          category: 'Shop',
          email: 'bob@example.com',
          website: 'https://bob.example',
        },
      })
      await world(gateway, `POST /phones/${bob}/picture`, { base64: png(4, 4).toString('base64') })
      const shown = await person(bob)
      const { lid } = await phone(bob)
      assert.deepEqual(
        [shown.isRegistered, shown.jid, shown.lid, shown.about, shown.isBlocked],
        [true, jidOf(bob), `${lid}@lid`, 'At sea', false],
      )
      assert.ok(Math.abs(Date.parse(shown.aboutSetAt) - Date.now()) < 600_000)
      assert.deepEqual(shown.business, {
        description: 'Fish',
        category: 'Shop',
        address: null,
        email: 'bob@example.com',
        websites: ['https://bob.example'],
      })
      // The URL answers although there is no chat with the person.
      const picture = await ask(gateway, `GET ${shown.profilePictureUrl.replace(gateway.url, '')}`)
      assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'])
    })

    test('what a person hides is null, and an unregistered number is not an error', async () => {
      await world(gateway, `PATCH /phones/${carol}`, {
        about: 'Secret',
        privacy: { status: 'none', profile: 'none' },
      })
      const { about, aboutSetAt, profilePictureUrl, business } = await person(carol)
      assert.deepEqual([about, aboutSetAt, profilePictureUrl, business], [null, null, null, null])
      const { isRegistered, jid } = await person(unregistered)
      assert.deepEqual([isRegistered, jid], [false, null])
    })

    test('a blocked person is on the list of the phone, and is unblocked again', async () => {
      const change = (what: string) => api(gateway, `POST /people/${bob}/${what}?instanceName=${line}`)
      assert.equal((await change('block')).person.isBlocked, true)
      assert.deepEqual((await phone(owner)).blocked, [bob])
      assert.equal((await person(bob)).isBlocked, true)
      const { people } = await api(gateway, `GET /blocklist?instanceName=${line}`)
      assert.deepEqual(
        people.map(({ phone: number }: Json) => number),
        [bob],
      )
      assert.equal((await change('unblock')).person.isBlocked, false)
      assert.deepEqual((await phone(owner)).blocked, [])
      assert.equal((await api(gateway, `GET /blocklist?instanceName=${line}`)).count, 0)
      const unknown = await ask(gateway, `POST /api/v1/people/${unregistered}/block?instanceName=${line}`)
      assert.deepEqual([unknown.status, unknown.json.reason], [404, 'person_not_found'])
    })

    test('presence is reported for followed people only, once per change, also after a restart', async () => {
      const follow = async (change: Record<string, string[]>) =>
        api(gateway, 'POST /people/presence', { instanceName: line, ...change })
      const followed = await follow({ subscribe: [bob, unregistered] })
      assert.deepEqual(followed.numbers, [
        { number: bob, chat: jidOf(bob), outcome: 'subscribed' },
        { number: unregistered, chat: jidOf(unregistered), outcome: 'not_on_network' },
      ])
      const first = await presenceAfter(0, 'available')
      assert.deepEqual([first.person.phone, first.chat, first.lastSeen], [bob, jidOf(bob), null])
      assert.equal((await phone(owner)).devices[0].online, true)

      // A person who is not followed: their typing arrives, and causes no event.
      await world(gateway, `POST /phones/${carol}/typing`, { chat: owner })
      await world(gateway, `POST /phones/${bob}/typing`, { chat: owner })
      await presenceAfter(1, 'typing')
      await world(gateway, `POST /phones/${bob}/typing`, { chat: owner })
      await world(gateway, `POST /phones/${bob}/typing`, { chat: owner, state: 'recording' })
      await presenceAfter(2, 'recording')
      await world(gateway, `POST /phones/${bob}/presence`, { available: false })
      const away = await presenceAfter(3, 'unavailable')
      assert.ok(Date.parse(away.lastSeen) > 0)
      assert.deepEqual(
        (await presences()).map(({ person: { phone: number }, presence }) => [number, presence]),
        ['available', 'typing', 'recording', 'unavailable'].map((presence) => [bob, presence]),
      )

      await gateway.stop()
      gateway = await startHere(storeLocation, key, sandbox)
      await untilState(gateway, line, 'open')
      await world(gateway, `POST /phones/${bob}/presence`, { available: true })
      await presenceAfter(4, 'available')
      await world(gateway, `POST /phones/${bob}/typing`, { chat: owner })
      await presenceAfter(5, 'typing')
      assert.equal((await presences()).length, 6)
      const { subscriptions } = await api(gateway, `GET /people/presence?instanceName=${line}`)
      assert.deepEqual(
        subscriptions.map(({ phone: number }: Json) => number),
        [bob],
      )

      const ended = await follow({ unsubscribe: [bob] })
      assert.deepEqual(
        [ended.count, ended.numbers],
        [0, [{ number: bob, chat: jidOf(bob), outcome: 'unsubscribed' }]],
      )
    })

    test('the profile is changed on the phone, and privacy settings on the network', async () => {
      const path = `/profile?instanceName=${line}`
      const { mediaId } = await upload(gateway, png(8, 8))
      const { profile } = await api(gateway, `PATCH ${path}`, {
        name: 'Front desk',
        about: 'Open',
        picture: { mediaId },
        privacy: {
          lastSeen: 'none',
          calls: 'known',
          defaultDisappearingSeconds: 86_400,
          linkPreviews: false,
        },
      })
      assert.deepEqual([profile.number, profile.name, profile.about], [owner, 'Front desk', 'Open'])
      const { privacy } = profile
      assert.deepEqual(
        [privacy.lastSeen, privacy.calls, privacy.readReceipts, privacy.defaultDisappearingSeconds],
        ['none', 'known', 'all', 86_400],
      )
      assert.equal(privacy.linkPreviews, false)
      const shown = await until('the name on the phone', async () => {
        const now = await phone(owner)
        return now.name === 'Front desk' ? now : undefined
      })
      assert.deepEqual(
        [shown.about, shown.hasPicture, shown.privacy.last, shown.privacy.calladd, shown.disappearingSeconds],
        ['Open', true, 'none', 'known', 86_400],
      )
      assert.ok(profile.profilePictureUrl)
      const { instance } = await api(gateway, `GET /instance/state?instanceName=${line}`)
      assert.equal(instance.profileName, 'Front desk')
      const cleared = await api(gateway, `PATCH ${path}`, { about: '', picture: null })
      assert.deepEqual([cleared.profile.about, cleared.profile.profilePictureUrl], [null, null])
      assert.equal((await phone(owner)).hasPicture, false)
      assert.deepEqual((await api(gateway, `GET ${path}`)).profile, cleared.profile)
    })

    test('a change right after the link waits for the key of the phone', async () => {
      const number = newNumber()
      const fresh = await linkedInstance(gateway, number)
      const body = { name: 'At once', privacy: { linkPreviews: false } }
      const { profile } = await api(gateway, `PATCH /profile?instanceName=${fresh}`, body)
      assert.deepEqual([profile.name, profile.privacy.linkPreviews], ['At once', false])
      await until('the name on the phone', async () => (await phone(number)).name === 'At once' || undefined)
    })

    test('503 when the phone does not share its key, and other changes are made', async () => {
      const number = newNumber()
      const fresh = await newInstance(gateway)
      await world(gateway, 'POST /phones', { number })
      await world(gateway, 'POST /faults', { kind: 'linking', number, variant: 'app_state_key_withheld' })
      await world(gateway, `POST /phones/${number}/scan`, { instanceName: fresh })
      await untilState(gateway, fresh, 'open')
      const call = `PATCH /api/v1/profile?instanceName=${fresh}`
      const { status, json } = await ask(gateway, call, { name: 'Never' })
      assert.deepEqual([status, json.reason], [503, 'phone_keys_missing'])
      assert.equal((await ask(gateway, call, { about: 'Open' })).json.profile.about, 'Open')
    })

    test('400 and 404 for a picture that cannot be used', async () => {
      const refused = async (picture: unknown) => {
        const { status, json } = await ask(gateway, `PATCH /api/v1/profile?instanceName=${line}`, {
          picture,
        })
        return [status, json.reason]
      }
      const { mediaId } = await upload(gateway, png(8, 8).subarray(0, 20))
      assert.deepEqual(await refused({ mediaId }), [400, 'invalid_request'])
      assert.deepEqual(await refused({ mediaId: 'media-0000000000000000000000' }), [404, 'media_not_found'])
      assert.deepEqual(await refused({ mediaUrl: 'http://127.0.0.1/a.png' }), [400, 'url_not_allowed'])
    })
  })

async function upload(gateway: StartedHere, bytes: Uint8Array): Promise<Json> {
  const answer = await fetch(`${gateway.url}/api/v1/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'image/png' },
    body: new Uint8Array(bytes),
  })
  assert.equal(answer.status, 200)
  return answer.json()
}
