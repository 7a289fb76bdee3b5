// Events and status posts that are sent over HTTP reach the phone, and those of a phone arrive. So do messages that only the phone of
// the account may open.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { RouteId } from '../../src/contract/routes.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import { behaviourCases } from '../support/behaviour-engines.ts'
import { png } from '../support/sample-files.ts'
import {
  type PairedInstance,
  type SandboxWorld,
  type Shown,
  startSandboxWorld,
  until,
} from '../support/sandbox-world.ts'

const STATUS = 'status@broadcast'
const jid = (number: string): string => `${number}@s.whatsapp.net`
const CASES = [
  { addressing: 'pn', prefix: '55119633300' },
  { addressing: 'lid', prefix: '55119644400' },
] as const

for (const {
  engine,
  variant: { addressing, prefix },
} of behaviourCases(CASES))
  describe(`events, status posts and placeholders (${addressing}, ${engine.name})`, () => {
    const [OWNER, BOB, CAROL] = [1, 2, 3].map((last) => `${prefix}0${last}`) as [string, string, string]
    let sandbox: SandboxWorld
    let line: PairedInstance
    let group = ''
    const storeLocation = engine.createLocation()
    before(async () => {
      const { databaseUrl } = await storeLocation
      sandbox = await startSandboxWorld(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl })
      await sandbox.setAddressing(addressing)
      await sandbox.world.phone(BOB, 'Bob')
      await sandbox.world.phone(CAROL, 'Carol')
      line = await sandbox.pair(OWNER)
      const members = [OWNER, BOB, CAROL]
      const made = await sandbox.world.post('/groups', { subject: 'Team', admin: OWNER, members })
      group = answers.group.parse(made).group.jid
    })
    after(async () => {
      await sandbox.stop()
      await (await storeLocation).dispose()
    })

    const send = async (id: RouteId, body: Record<string, unknown>): Promise<string> =>
      (await sandbox.api(id, { body: { instanceName: line.name, ...body } })).messageId
    const shown = (id: string, phone = BOB): Promise<Shown> => sandbox.world.shown(phone, id)
    const settled = (id: string) =>
      sandbox.message(line, id, ({ status }) => !['queued', 'sending'].includes(status))
    const upsertOf = async (id: string) =>
      (await sandbox.events(line, id)).find(({ event }) => event === 'messages.upsert')?.data
    const isOnPhone = async (id: string, phone: string): Promise<boolean> =>
      (await sandbox.world.messages(phone, `?chat=${STATUS}`)).some((message) => message.id === id)
    const chatList = async () =>
      (await sandbox.api('listChats', { query: { instanceName: line.name } })).chats as {
        remoteJid: string
        unreadCount: number
      }[]
    const startsAt = '2026-12-24T18:00:00.000Z'
    const endsAt = '2026-12-24T20:00:00.000Z'

    test('an event with time, place and call link reaches a person and a group', async () => {
      const event = { name: 'Tasting', description: 'Six wines', startsAt, endsAt, place: 'Our shop' }
      const first = await shown(await send('sendEvent', { number: BOB, ...event, call: 'video' }))
      const { callLink, ...rest } = first.event ?? {}
      assert.deepEqual(rest, { ...event, canceled: false })
      assert.match(callLink ?? '', /^https:\/\/call\.whatsapp\.com\/video\/.{20}/)
      await until(
        () => sandbox.chat(line, jid(BOB)),
        (chat) => chat?.lastMessageText === 'Tasting',
        'the event in the list of chats',
      )
      const quoted = { groupJid: group, name: 'Walk', startsAt, mentions: ['all'] }
      const inGroup = await send('sendEvent', quoted)
      for (const phone of [BOB, CAROL])
        assert.deepEqual((await shown(inGroup, phone)).event, { name: 'Walk', startsAt, canceled: false })
      const reply = { groupJid: group, message: 'Who comes?', quotedMessageId: inGroup, delay: 0 }
      assert.deepEqual((await shown(await send('sendText', reply))).quoted, { id: inGroup, text: 'Walk' })
    })

    test('an event of a phone arrives with its time and place, also when it is cancelled', async () => {
      const event = { name: 'Dinner', startsAt, endsAt, description: 'At ours', place: 'Rua A 1' }
      const id = await sandbox.world.send(BOB, { to: OWNER, event })
      const { type, content } = await sandbox.message(line, id)
      const { from: _from, text, media: _media, quoted: _quoted, interactiveReplyId: _id, ...own } = content
      assert.deepEqual([type, text, own], ['event', 'Dinner', { ...event, canceled: false }])
      const off = await sandbox.world.send(BOB, { to: OWNER, event: { ...event, canceled: true } })
      assert.equal((await sandbox.message(line, off)).content.canceled, true)
    })

    test('a status reaches the listed phones and the phone of the instance, and no chat list', async () => {
      const post = { message: 'open late', backgroundColor: '#112233', font: 'bold', to: [BOB] }
      const id = await send('sendStatus', post)
      for (const phone of [BOB, OWNER]) {
        const status = await shown(id, phone)
        assert.deepEqual(
          [status.chat, status.text, status.backgroundColor, status.fromMe],
          [STATUS, 'open late', '#112233', phone === OWNER],
        )
      }
      assert.equal((await settled(id)).status === 'failed', false)
      await shown(await sandbox.world.send(BOB, { to: CAROL, text: 'later' }), CAROL)
      assert.equal(await isOnPhone(id, CAROL), false)
      assert.equal(
        (await chatList()).some(({ remoteJid }) => remoteJid === STATUS),
        false,
      )
      await sandbox.world.post(`/phones/${BOB}/read`, { chat: STATUS })
      await sandbox.message(line, id, ({ status }) => status === 'read')
    })

    test('without a list a status with a picture goes to the saved contacts', async () => {
      const body = { instanceName: line.name, phone: CAROL, name: 'Carol' }
      await sandbox.api('saveContact', { body })
      const bytes = png(3, 2)
      const { mediaId } = await sandbox.api('uploadMedia', {
        body: bytes,
        headers: { 'content-type': 'image/png' },
      })
      const id = await send('sendStatus', { type: 'image', mediaId, message: 'new' })
      const status = await shown(id, CAROL)
      assert.deepEqual([status.kind, status.media?.caption], ['image', 'new'])
      assert.deepEqual(await sandbox.world.bytes(`/phones/${CAROL}/messages/${id}/media`), bytes)
      await shown(await sandbox.world.send(CAROL, { to: BOB, text: 'seen?' }))
      assert.equal(await isOnPhone(id, BOB), false)
    })

    test('a posted status can be deleted for its audience', async () => {
      const id = await send('sendStatus', { message: 'oops', to: [BOB] })
      await shown(id)
      await sandbox.api('deleteMessage', { params: { messageId: id } })
      for (const phone of [BOB, OWNER])
        await until(
          () => shown(id, phone),
          ({ deleted }) => deleted === true,
          `the deletion on ${phone}`,
        )
    })

    test('a status that no person would see fails', async () => {
      const { failure } = await settled(await send('sendStatus', { message: 'x', to: ['5511900000099'] }))
      assert.equal(failure.reason, 'no_recipients')
    })

    test('the status of a phone is a message of its own chat, and no unread chat', async () => {
      const before = await chatList()
      const { messageId } = await sandbox.world.post(`/phones/${BOB}/status`, { text: 'at sea', to: [OWNER] })
      const id = String(messageId)
      const message = await sandbox.message(line, id)
      assert.deepEqual(
        [message.type, message.direction, message.number, message.groupJid, message.content.text],
        ['text', 'incoming', null, null, 'at sea'],
      )
      assert.equal(message.content.from.jid, jid(BOB))
      const upsert = await upsertOf(id)
      assert.ok(upsert && 'chat' in upsert)
      assert.equal(upsert.chat, STATUS)
      const query = { instanceName: line.name, chat: STATUS }
      const { messages } = await sandbox.api('listMessages', { query })
      assert.equal(messages[0].messageId, id)
      assert.deepEqual(await chatList(), before)
    })

    test('a view-once message of a phone is reported once, without content', async () => {
      const media = { type: 'image', base64: png(2, 2).toString('base64'), viewOnce: true }
      const direct = await sandbox.world.send(BOB, { to: OWNER, media })
      const inGroup = await sandbox.world.send(BOB, { to: group, media })
      const own = await sandbox.world.send(OWNER, { to: BOB, media })
      for (const [id, chat, direction] of [
        [direct, jid(BOB), 'incoming'],
        [inGroup, group, 'incoming'],
        [own, jid(BOB), 'outgoing'],
      ] as const) {
        const message = await sandbox.message(line, id)
        const { text, media: file, viewOnce } = message.content
        assert.deepEqual(
          [message.type, message.direction, text, file, viewOnce],
          ['view_once_unavailable', direction, null, null, true],
        )
        const upsert = await upsertOf(id)
        assert.equal(upsert && 'chat' in upsert && upsert.chat, chat)
      }
      const next = await sandbox.world.send(BOB, { to: group, text: 'and now?' })
      assert.equal((await sandbox.message(line, next)).content.text, 'and now?')
      const count = (await sandbox.events(line, direct)).length
      await sandbox.api('restartInstance', { query: { instanceName: line.name } })
      const later = await sandbox.world.send(BOB, { to: OWNER, text: 'after the restart' })
      await sandbox.message(line, later)
      assert.equal((await sandbox.events(line, direct)).length, count)
    })
  })
