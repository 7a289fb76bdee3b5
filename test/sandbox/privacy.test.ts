// Privacy settings of people, the notices that the other devices of an account get, and the rest of the profile.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BinaryNode, getBinaryNodeChildString } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client } from './support/client.ts'
import { PNG } from './support/content.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const CAROL = '5511900000003'
const jid = (number: string) => `${number}@s.whatsapp.net`
const DAY = 86_400

for (const addressing of ['pn', 'lid'] as const)
  describe(`privacy and profile (${addressing})`, () => {
    let world: World
    let alice: Client
    /** A second linked device of Alice. */
    let twin: Client
    let bob: Client
    before(async () => {
      world = await World.start()
      await world.post('/network', { addressing })
      for (const [number, name] of [
        [ALICE, 'Alice'],
        [BOB, 'Bob'],
        [CAROL, 'Carol'],
      ] as const)
        await world.phone(number, name)
      await world.send(ALICE, { to: BOB, text: 'hello' })
      ;[alice, twin, bob] = await Promise.all([
        new Client(world).pair(ALICE),
        new Client(world).pair(ALICE),
        new Client(world).pair(BOB),
      ])
    })
    after(async () => {
      for (const client of [alice, twin, bob]) await client.end()
      await world.stop()
    })

    const change = async (number: string, body: unknown) => {
      const answer = await world.ask('PATCH', `/phones/${number}`, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answers.phone.parse(answer.body).phone
    }
    const phone = async (number: string) => (await world.get(`/phones/${number}`, answers.phone)).phone
    const save = (number: string, contact: string) =>
      world.post(`/phones/${number}/contacts`, { number: contact, name: 'Saved' })
    /** The address in the presence that the network sends about the person. */
    const jidOf = async (number: string) =>
      addressing === 'lid' ? `${(await phone(number)).lid}@lid` : jid(number)
    /** The next notice of this kind that the client gets. */
    const notice = (client: Client, kind: string) => {
      const { promise, resolve, reject } = Promise.withResolvers<BinaryNode>()
      setTimeout(() => reject(new Error(`no notice about ${kind}`)), 20_000).unref()
      client.socket.ws.on('CB:notification,type:account_sync', (node: BinaryNode) => {
        const [part] = node.content as BinaryNode[]
        if (part?.tag === kind) resolve(part)
      })
      return promise
    }

    test('a query for the about text does not change it', async () => {
      await alice.socket.updateProfileStatus('at work')
      const answer = await bob.socket.query({
        tag: 'iq',
        attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'status' },
        content: [{ tag: 'status', attrs: { jid: jid(ALICE) } }],
      })
      assert.equal(getBinaryNodeChildString(answer, 'status'), 'at work')
      assert.equal((await phone(ALICE)).about, 'at work')
    })

    test('about text and picture are shown to the people that the settings select', async () => {
      const about = async () => {
        const [found] = (await bob.socket.fetchStatus(jid(ALICE))) ?? []
        return (found as unknown as { status: { status: string } }).status.status
      }
      await change(ALICE, { about: 'by phone' })
      await world.post(`/phones/${ALICE}/picture`, { base64: PNG.toString('base64') })
      assert.ok(await bob.socket.profilePictureUrl(jid(ALICE)))
      assert.equal(await about(), 'by phone')
      await alice.socket.updateProfilePicturePrivacy('contacts')
      await alice.socket.updateStatusPrivacy('contacts')
      await assert.rejects(
        bob.socket.profilePictureUrl(jid(ALICE)),
        (error: Error & { data?: number }) => error.data === 401,
      )
      assert.equal(await about(), '')
      assert.ok(await twin.socket.profilePictureUrl(jid(ALICE)))
      await save(ALICE, BOB)
      assert.ok(await bob.socket.profilePictureUrl(jid(ALICE)))
      assert.equal(await about(), 'by phone')
      await alice.socket.updateProfilePicturePrivacy('none')
      await assert.rejects(bob.socket.profilePictureUrl(jid(ALICE)), /not-authorized/)
    })

    test('a new picture is announced only to people who may see it', async () => {
      const own = await jidOf(ALICE)
      const announced = () =>
        bob.seen.filter(
          (event) =>
            event.name === 'contacts.update' && event.data.some(({ id, imgUrl }) => id === own && imgUrl),
        ).length
      const before = announced()
      await world.post(`/phones/${ALICE}/picture`, { base64: PNG.toString('base64') })
      await alice.socket.updateProfilePicturePrivacy('all')
      await world.post(`/phones/${ALICE}/picture`, { base64: null })
      await bob.wait('contacts.update', (all) =>
        all.some(({ id, imgUrl }) => id === own && imgUrl === 'removed'),
      )
      assert.equal(announced(), before + 1)
    })

    test('the picture of another person cannot be set or removed', async () => {
      await assert.rejects(
        alice.socket.updateProfilePicture(jid(BOB), PNG, { width: 32, height: 32 }),
        /forbidden/,
      )
      await world.post(`/phones/${BOB}/picture`, { base64: PNG.toString('base64') })
      await assert.rejects(alice.socket.removeProfilePicture(jid(BOB)), /forbidden/)
      assert.deepEqual([(await phone(ALICE)).hasPicture, (await phone(BOB)).hasPicture], [false, true])
    })

    test('last seen and online are hidden from people whom the settings exclude', async () => {
      const own = await jidOf(ALICE)
      const seenAs = async (presence: string, last: boolean) => {
        bob.seen = bob.seen.filter(({ name }) => name !== 'presence.update')
        await bob.socket.presenceSubscribe(own)
        const { presences } = await bob.wait('presence.update', ({ id }) => id === own)
        const [found] = Object.values(presences)
        assert.deepEqual([found?.lastKnownPresence, found?.lastSeen !== undefined], [presence, last])
      }
      await world.post(`/phones/${ALICE}/presence`, { available: false })
      for (const client of [alice, twin]) await client.socket.sendPresenceUpdate('unavailable')
      // Clients send presence without awaiting an answer; the answer to a later query proves that it was processed.
      for (const client of [alice, twin]) await client.socket.fetchPrivacySettings(true)
      await seenAs('unavailable', true)
      await alice.socket.updateLastSeenPrivacy('none')
      await seenAs('unavailable', false)
      await alice.socket.sendPresenceUpdate('available')
      await alice.socket.fetchPrivacySettings(true)
      await seenAs('unavailable', false)
      await alice.socket.updateOnlinePrivacy('all')
      await seenAs('available', false)
      await alice.socket.updateLastSeenPrivacy('all')
      await alice.socket.sendPresenceUpdate('unavailable')
      await alice.socket.fetchPrivacySettings(true)
      await bob.socket.updateLastSeenPrivacy('none')
      await seenAs('unavailable', false)
      await bob.socket.updateLastSeenPrivacy('all')
      await seenAs('unavailable', true)
    })

    test('an unknown privacy setting is a bad request', async () => {
      await assert.rejects(alice.socket.updateGroupsAddPrivacy('none' as 'all'), /bad-request/)
      const answer = await world.ask('PATCH', `/phones/${ALICE}`, { privacy: { groupadd: 'none' } })
      assert.deepEqual(
        [answer.status, (answer.body['details'] as { path: string }[])[0]?.path],
        [400, 'privacy.groupadd'],
      )
    })

    test('blocked people are the same on all devices of the account', async () => {
      await alice.socket.updateBlockStatus(jid(BOB), 'block')
      const lid = `${(await phone(BOB)).lid}@lid`
      await twin.wait('blocklist.update', ({ blocklist, type }) => blocklist[0] === lid && type === 'add')
      assert.deepEqual((await phone(ALICE)).blocked, [BOB])
      await world.post(`/phones/${ALICE}/block`, { number: BOB, blocked: false })
      for (const client of [alice, twin])
        await client.wait(
          'blocklist.update',
          ({ blocklist, type }) => blocklist[0] === lid && type === 'remove',
        )
      assert.deepEqual(await alice.socket.fetchBlocklist(), [])
      assert.equal(
        alice.seen.some((event) => event.name === 'blocklist.update' && event.data.type === 'add'),
        false,
        'the device that made the change gets no notice',
      )
    })

    test('a privacy setting reaches the other devices of the account', async () => {
      const fromDevice = notice(twin, 'privacy')
      await alice.socket.updateReadReceiptsPrivacy('none')
      const category = { name: 'readreceipts', value: 'none' }
      assert.deepEqual(((await fromDevice).content as BinaryNode[])[0]?.attrs, category)
      assert.equal((await twin.socket.fetchPrivacySettings(true))['readreceipts'], 'none')
      const fromPhone = notice(alice, 'privacy')
      const changed = await change(ALICE, { privacy: { readreceipts: 'all', calladd: 'known' } })
      assert.equal(((await fromPhone).content as BinaryNode[]).length, 2)
      assert.deepEqual([changed.privacy['readreceipts'], changed.privacy['calladd']], ['all', 'known'])
      assert.equal((await alice.socket.fetchPrivacySettings(true))['calladd'], 'known')
    })

    test('the default timer is stored, shown to others and synced', async () => {
      const synced = notice(twin, 'disappearing_mode')
      await alice.socket.updateDefaultDisappearingMode(DAY)
      await synced
      const [found] = (await bob.socket.fetchDisappearingDuration(jid(ALICE))) ?? []
      assert.equal(
        (found as unknown as { disappearing_mode: { duration: number } }).disappearing_mode.duration,
        DAY,
      )
      assert.equal((await phone(ALICE)).disappearingSeconds, DAY)
      const byPhone = notice(alice, 'disappearing_mode')
      await change(ALICE, { disappearingSeconds: 0 })
      assert.equal((await byPhone).attrs['duration'], '0')
    })

    test('a business profile is read by others; a person without one has none', async () => {
      assert.equal(await bob.socket.getBusinessProfile(jid(ALICE)), undefined)
      const business = { description: 'We bake', category: 'Bakery', address: 'Rua 1', email: 'a@b.example' }
      await change(ALICE, { business: { ...business, website: 'https://bakery.example' } })
      const profile = await bob.socket.getBusinessProfile(jid(ALICE))
      assert.deepEqual(
        [profile?.wid, profile?.description, profile?.category, profile?.address, profile?.email],
        [jid(ALICE), 'We bake', 'Bakery', 'Rua 1', 'a@b.example'],
      )
      assert.deepEqual(profile?.website, ['https://bakery.example'])
      assert.equal((await change(ALICE, { business: null })).business, null)
    })

    test('the name in a registration, or in a later login, becomes the name of the account', async () => {
      const named = new Client(world, { pushName: 'Carolina' })
      await world.post(`/phones/${CAROL}/scan`, { qr: await named.qr() })
      assert.equal((await phone(CAROL)).name, 'Carolina', 'before the first login')
      await named.restarted()
      assert.equal(named.creds.me?.name, 'Carolina')
      await named.end()
      const renamed = new Client(world, { pushName: 'Caro' })
      Object.assign(renamed, { creds: named.creds, keys: named.keys })
      // The library sends the name that it knows with its presence, which would replace the other one.
      delete renamed.creds.me?.name
      await renamed.login()
      assert.equal((await phone(CAROL)).name, 'Caro')
      await renamed.end()
    })
  })
