import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BaileysEventMap } from 'baileys'
import { Client } from './support/client.ts'
import { PNG } from './support/content.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
/** Registered without the ninth digit that is used today. */
const OLD_BRAZILIAN = '551188887777'
const jid = (number: string) => `${number}@s.whatsapp.net`

for (const addressing of ['pn', 'lid'] as const)
  describe(`history, contacts and profiles (${addressing})`, () => {
    let world: World
    let client: Client
    let history: BaileysEventMap['messaging-history.set'][]
    before(async () => {
      world = await World.start()
      await world.post('/network', { addressing })
      await world.phone(ALICE, 'Alice')
      await world.phone(BOB, 'Bob')
      await world.phone(OLD_BRAZILIAN, 'Old')
      await world.send(BOB, { to: ALICE, text: 'long ago' })
      await world.send(ALICE, { to: BOB, text: 'even so' })
      await world.post(`/phones/${ALICE}/contacts`, { number: OLD_BRAZILIAN, name: 'Uncle Old' })
      await world.post('/groups', { subject: 'Club', admin: ALICE, members: [BOB] })
      client = await new Client(world).pair(ALICE)
      await client.wait('messaging-history.set', ({ contacts }) => contacts.some((contact) => contact.notify))
      history = client.seen.flatMap((event) => (event.name === 'messaging-history.set' ? [event.data] : []))
    })
    after(async () => {
      await client.end()
      await world.stop()
    })

    test('the first login delivers chats with their messages, names and hidden ids', () => {
      const chats = history.flatMap((chunk) => chunk.chats)
      assert.ok(chats.some((chat) => chat.id?.endsWith(addressing === 'lid' ? '@lid' : '@s.whatsapp.net')))
      assert.deepEqual(
        history.flatMap((chunk) => chunk.messages).map((m) => [m.message?.conversation, m.key.fromMe]),
        [
          ['even so', true],
          ['long ago', false],
        ],
      )
      assert.ok(history.flatMap((chunk) => chunk.contacts).some((contact) => contact.notify === 'Bob'))
      // The library does not report the hidden ids when it merges the chunks into one event.
      assert.ok(client.keys.data.has(`lid-mapping ${BOB}`))
    })

    test('contacts of the phone reach the client at its first login, and later ones when they are saved', async () => {
      await client.wait('contacts.upsert', (all) => all.some((contact) => contact.name === 'Uncle Old'))
      await client.socket.addOrEditContact(jid(ALICE), { fullName: 'Me', saveOnPrimaryAddressbook: true })
      await world.post(`/phones/${ALICE}/contacts`, { number: OLD_BRAZILIAN, name: 'Aunt Old' })
      const contacts = await client.wait('contacts.upsert', (all) =>
        all.some(({ name }) => name === 'Aunt Old'),
      )
      const entry = contacts.find(({ name }) => name === 'Aunt Old')
      assert.equal(entry?.id, jid(OLD_BRAZILIAN))
      assert.match(entry?.lid ?? '', /@lid$/)
    })

    test('the history is sent at the first login only', async () => {
      await client.end()
      await client.login()
      await world.shown(BOB, (await client.socket.sendMessage(jid(BOB), { text: 'hi' }))?.key.id ?? '')
      assert.equal(
        client.seen.some((event) => event.name === 'messaging-history.set'),
        false,
      )
    })

    test('a registered number is found in every spelling', async () => {
      const found = await client.socket.onWhatsApp(BOB, '5511999999999', '5511988887777')
      assert.deepEqual(found, [
        { jid: jid(BOB), exists: true },
        { jid: jid(OLD_BRAZILIAN), exists: true },
      ])
    })

    test('profile pictures can be set by phone and client, read, and removed', async () => {
      await assert.rejects(
        client.socket.profilePictureUrl(jid(BOB)),
        (error: { data?: number }) => error.data === 404,
      )
      await world.post(`/phones/${BOB}/picture`, { base64: PNG.toString('base64') })
      await client.wait('contacts.update', (all) => all.some((update) => update.imgUrl === 'changed'))
      const url = await client.socket.profilePictureUrl(jid(BOB), 'image')
      const response = await fetch((url ?? '').replace('https:', 'http:'))
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(PNG))
      await client.socket.updateProfilePicture(client.creds.me?.id ?? '', PNG, { width: 32, height: 32 })
      assert.ok(await client.socket.profilePictureUrl(client.creds.me?.id ?? ''))
      await world.post(`/phones/${BOB}/picture`, { base64: null })
      await assert.rejects(client.socket.profilePictureUrl(jid(BOB)))
    })

    test('status text, blocked people and app state are stored', async () => {
      await client.socket.updateProfileStatus('busy')
      const [status] = (await client.socket.fetchStatus(jid(ALICE))) ?? []
      assert.equal((status as unknown as { status: { status: string } }).status.status, 'busy')
      await client.socket.updateBlockStatus(jid(BOB), 'block')
      assert.equal((await client.socket.fetchBlocklist()).length, 1)
      const unheard = await world.send(BOB, { to: ALICE, text: 'hear me' })
      await client.socket.updateBlockStatus(jid(BOB), 'unblock')
      const heard = await world.send(BOB, { to: ALICE, text: 'now?' })
      await client.message(heard)
      assert.equal(
        (await world.messages(ALICE)).some((message) => message.id === unheard),
        false,
      )
      await client.socket.addOrEditContact(jid(BOB), { fullName: 'Bob B.', saveOnPrimaryAddressbook: true })
      await client.socket.addOrEditContact(jid(BOB), { fullName: 'Bob C.', saveOnPrimaryAddressbook: true })
      const twin = await new Client(world).pair(ALICE)
      // During the first sync the library may merge a contact into the history event.
      const named = (contacts: { name?: string }[]) => contacts.some((contact) => contact.name === 'Bob C.')
      await Promise.any([
        twin.wait('contacts.upsert', named),
        twin.wait('messaging-history.set', ({ contacts }) => named(contacts)),
      ])
      await twin.end()
    })
  })
