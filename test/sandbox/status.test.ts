// Status posts: a client's status reaches the phones it lists, and a phone's status reaches clients.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { downloadMediaMessage } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client, plainDispatcher } from './support/client.ts'
import { PNG } from './support/content.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const CAROL = '5511900000003'
const STATUS = 'status@broadcast'
const jid = (number: string) => `${number}@s.whatsapp.net`

for (const addressing of ['pn', 'lid'] as const)
  describe(`status posts (${addressing})`, () => {
    let world: World
    let alice: Client
    let bob: Client
    let bobJid: string
    before(async () => {
      world = await World.start()
      await world.post('/network', { addressing })
      await world.phone(ALICE, 'Alice')
      const { phone } = answers.phone.parse(await world.post('/phones', { number: BOB, name: 'Bob' }))
      bobJid = addressing === 'lid' ? `${phone.lid}@lid` : jid(BOB)
      await world.phone(CAROL, 'Carol')
      alice = await new Client(world).pair(ALICE)
      bob = await new Client(world).pair(BOB)
    })
    after(async () => {
      await alice.end()
      await bob.end()
      await world.stop()
    })

    const posts = async (body: Record<string, unknown>) =>
      String((await world.post(`/phones/${BOB}/status`, body))['messageId'])
    const knows = async (number: string, id: string) =>
      (await world.messages(number, `?chat=${STATUS}`)).some((message) => message.id === id)

    test('the status of a client reaches the phones and clients that it lists, and no other', async () => {
      const sent = await alice.socket.sendMessage(
        STATUS,
        { text: 'good morning' },
        { statusJidList: [jid(BOB)], backgroundColor: '#112233' },
      )
      const id = sent?.key.id ?? ''
      const shown = await world.shown(BOB, id)
      assert.deepEqual(
        [shown.chat, shown.from, shown.text, shown.backgroundColor],
        [STATUS, ALICE, 'good morning', '#112233'],
      )
      const atClient = await bob.message(id)
      assert.deepEqual([atClient.key.remoteJid, atClient.key.fromMe], [STATUS, false])
      await world.shown(CAROL, await world.send(BOB, { to: CAROL, text: 'later' }))
      assert.equal(await knows(CAROL, id), false)
      const { chats } = await world.get(`/phones/${BOB}/chats`, answers.chats)
      assert.equal(
        chats.some(({ chat }) => chat === STATUS),
        false,
      )
    })

    test('the author sees who viewed the status', async () => {
      const sent = await alice.socket.sendMessage(STATUS, { text: 'seen?' }, { statusJidList: [jid(BOB)] })
      const id = sent?.key.id ?? ''
      await world.shown(BOB, id)
      const read = await world.post(`/phones/${BOB}/read`, { chat: STATUS })
      assert.ok((read['messageIds'] as string[]).includes(id))
      const [update] = await alice.wait('message-receipt.update', (all) =>
        all.some(({ key, receipt }) => key.id === id && receipt.readTimestamp !== undefined),
      )
      assert.equal(update?.receipt.userJid?.replace(/:\d+/, ''), bobJid)
    })

    test('the status of a phone reaches the clients of its audience and its own', async () => {
      const id = await posts({ text: 'at sea', backgroundColor: '#ff8800', to: [ALICE] })
      const { key, message } = await alice.message(id)
      assert.deepEqual([key.remoteJid, key.participant, key.fromMe], [STATUS, bobJid, false])
      assert.equal(message?.extendedTextMessage?.text, 'at sea')
      assert.equal((message?.extendedTextMessage?.backgroundArgb ?? 0) >>> 0, 0xff_ff_88_00)
      assert.equal((await bob.message(id)).key.fromMe, true)
      assert.equal(await knows(CAROL, id), false)
      assert.equal((await world.shown(BOB, id)).fromMe, true)
    })

    test('a client views the status of a phone, and answers it', async () => {
      const id = await posts({ media: { type: 'image', base64: PNG.toString('base64') }, to: [ALICE] })
      const status = await alice.message(id)
      const download = { options: { dispatcher: plainDispatcher() } as unknown as RequestInit }
      assert.deepEqual(await downloadMediaMessage(status, 'buffer', download), PNG)
      await alice.socket.readMessages([status.key])
      const path = `/phones/${BOB}/messages/${id}?status=read&waitMs=20000`
      assert.equal((await world.get(path, answers.message)).message.status, 'read')
      const answer = await alice.socket.sendMessage(jid(BOB), { text: 'nice' }, { quoted: status })
      const shown = await world.shown(BOB, answer?.key.id ?? '')
      assert.deepEqual([shown.chat, shown.quoted?.id], [ALICE, id])
    })

    test('a phone answers the status of a client, naming the chat of the status', async () => {
      const sent = await alice.socket.sendMessage(STATUS, { text: 'hungry' }, { statusJidList: [jid(BOB)] })
      const quoted = (await world.shown(BOB, sent?.key.id ?? '')).id
      const { message } = await alice.message(await world.send(BOB, { to: ALICE, text: 'me too', quoted }))
      const context = message?.extendedTextMessage?.contextInfo
      assert.deepEqual([context?.stanzaId, context?.remoteJid], [quoted, STATUS])
    })

    test('without a list a status goes to the address book, and not to a person who blocked the author', async () => {
      await world.post(`/phones/${BOB}/contacts`, { number: ALICE, name: 'Alice' })
      await alice.message(await posts({ text: 'to my contacts' }))
      await alice.socket.updateBlockStatus(jid(BOB), 'block')
      const hidden = await posts({ text: 'not for you' })
      await alice.socket.updateBlockStatus(jid(BOB), 'unblock')
      await alice.message(await posts({ text: 'hello again' }))
      assert.equal(await knows(ALICE, hidden), false)
    })

    test('a client that lost its keys gets the status by a retry', async () => {
      alice.loseSessions()
      for (const name of alice.keys.data.keys())
        if (name.startsWith('sender-key ')) alice.keys.data.delete(name)
      await alice.end()
      await alice.login()
      const id = await posts({ text: 'again', to: [ALICE] })
      assert.equal((await alice.message(id)).message?.extendedTextMessage?.text, 'again')
      const receipts = await world.frames(`id=${id}&number=${ALICE}&tag=receipt`)
      assert.ok(receipts.some(({ attributes }) => attributes['type'] === 'retry'))
      // The second copy is the answer to the retry. The library could also have asked its own phone.
      const copies = await world.frames(`id=${id}&number=${ALICE}&tag=message`)
      assert.ok(copies.filter(({ device }) => device !== 0).length > 1)
    })
  })
