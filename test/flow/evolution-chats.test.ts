// Chats, contacts, stored messages, profile and privacy through the Evolution dialect.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { assertRefused, type EvolutionWorld, startEvolutionWorld } from '../support/evolution.ts'
import { ogg, png } from '../support/sample-files.ts'
import { until } from '../support/sandbox-world.ts'

const jidOf = (number: string) => `${number}@s.whatsapp.net`

for (const engine of behaviourEngines('sqlite'))
  describe(`chats of the Evolution dialect on ${engine.name}`, () => {
    const prefix = engine.name === 'sqlite' ? '5511975550' : '5511976660'
    const [OWNER, BOB, NOBODY] = [1, 2, 3].map((last) => `${prefix}00${last}`) as [string, string, string]
    let world: EvolutionWorld
    let received = ''
    let photo = ''
    before(async () => {
      world = await startEvolutionWorld(engine, OWNER)
      await world.sandbox.world.phone(BOB, 'Bob')
      received = await world.sandbox.world.send(BOB, { to: OWNER, text: 'Hello' })
      const media = { type: 'image', base64: png(4, 4).toString('base64'), mimetype: 'image/png' }
      photo = await world.sandbox.world.send(BOB, { to: OWNER, media: { ...media, caption: 'Photo' } })
      await world.sandbox.message(world.line, received)
      await world.sandbox.message(world.line, photo)
    })
    after(() => world.stop())

    const post = (call: string, body: object) => world.shop(`POST /chat/${call}/shop`, body)
    const sendText = async (text: string): Promise<string> => {
      const reply = await world.shop('POST /message/sendText/shop', { number: BOB, text })
      assert.equal(reply.status, 201)
      await world.sandbox.world.shown(BOB, reply.json.key.id)
      return reply.json.key.id
    }

    test('200 whatsappNumbers', async () => {
      const { status, json } = await post('whatsappNumbers', { numbers: [BOB, NOBODY] })
      assert.equal(status, 200)
      assert.deepEqual(json[0], { jid: jidOf(BOB), exists: true, number: BOB, name: null, lid: null })
      assert.equal(json[1].exists, false)
      assertRefused(await post('whatsappNumbers', {}), 400, /^numbers: required/)
    })

    test('200 findMessages by chat, id, type, direction and time, with pages', async () => {
      const find = async (where: object, more: object = {}) => {
        const { status, json } = await post('findMessages', { where, ...more })
        assert.equal(status, 200, JSON.stringify(json))
        assert.deepEqual(Object.keys(json.messages).toSorted(), ['currentPage', 'pages', 'records', 'total'])
        return json.messages
      }
      const remoteJid = jidOf(BOB)
      const all = await find({ key: { remoteJid } })
      assert.deepEqual([all.total, all.pages, all.currentPage], [2, 1, 1])
      assert.deepEqual(
        all.records.map(({ key }: { key: { id: string } }) => key.id),
        [photo, received],
      )
      const [first] = (await find({ key: { id: received } })).records
      assert.deepEqual(
        [first.message, first.messageType, first.pushName, first.key.fromMe],
        [{ conversation: 'Hello' }, 'conversation', 'Bob', false],
      )
      assert.equal((await find({ messageType: 'imageMessage' })).total, 1)
      assert.equal((await find({ key: { fromMe: true } })).total, 0)
      const second = await find({ key: { remoteJid } }, { page: 2, offset: 1 })
      assert.deepEqual([second.pages, second.records[0].key.id], [2, received])
      const since = { gte: '2000-01-01T00:00:00Z', lte: '2001-01-01T00:00:00Z' }
      assert.equal((await find({ messageTimestamp: since })).total, 0)
      assert.equal((await find({ key: { id: 'NONE' } })).total, 0)
    })

    test('200 findStatusMessage shows the status of a sent message', async () => {
      const id = await sendText('status?')
      const found = await until(
        async () => (await post('findStatusMessage', { where: { id } })).json[0],
        ({ status }) => status === 'DELIVERY_ACK',
        'the delivery',
      )
      assert.deepEqual(
        [found.keyId, found.remoteJid, found.fromMe, found.status],
        [id, jidOf(BOB), true, 'DELIVERY_ACK'],
      )
    })

    test('201 getBase64FromMediaMessage, 404 without a file', async () => {
      const { status, json } = await post('getBase64FromMediaMessage', { message: { key: { id: photo } } })
      assert.equal(status, 201, JSON.stringify(json))
      assert.deepEqual(Buffer.from(json.base64, 'base64'), png(4, 4))
      assert.deepEqual([json.mediaType, json.mimetype], ['imageMessage', 'image/png'])
      const none = await post('getBase64FromMediaMessage', { message: { key: { id: received } } })
      assertRefused(none, 404, /media/)
    })

    test('200 updateMessage, 201 deleteMessageForEveryone', async () => {
      const id = await sendText('first')
      const edited = await post('updateMessage', { number: BOB, key: { id }, text: 'second' })
      assert.equal(edited.status, 200, JSON.stringify(edited.json))
      assert.equal(edited.json.message.protocolMessage.key.id, id)
      const body = { id, remoteJid: jidOf(BOB), fromMe: true }
      const deleted = await world.shop('DELETE /chat/deleteMessageForEveryone/shop', body)
      assert.equal(deleted.status, 201, JSON.stringify(deleted.json))
      assert.equal(deleted.json.message.protocolMessage.type, 'REVOKE')
      const again = await post('updateMessage', { number: BOB, key: { id }, text: 'third' })
      assertRefused(again, 400, /was deleted/)
    })

    test('200 findChats, findContacts and findChatByRemoteJid', async () => {
      const { json: chats } = await post('findChats', {})
      const [chat] = chats
      assert.deepEqual([chats.length, chat.remoteJid, chat.pushName], [1, jidOf(BOB), 'Bob'])
      const { json: contacts } = await post('findContacts', { where: { remoteJid: jidOf(BOB) } })
      assert.deepEqual([contacts[0].remoteJid, contacts[0].type], [jidOf(BOB), 'contact'])
      assert.deepEqual((await post('findContacts', { where: { pushName: 'Nobody' } })).json, [])
      const path = `GET /chat/findChatByRemoteJid/shop?remoteJid=`
      const one = await world.shop(path + jidOf(BOB))
      assert.deepEqual([one.status, one.json.id], [200, chat.id])
      assert.equal((await world.shop(path + jidOf(NOBODY))).json, null)
    })

    test('201 markMessageAsRead, archiveChat, markChatUnread and sendPresence', async () => {
      const read = await post('markMessageAsRead', {
        readMessages: [{ id: received, fromMe: false, remoteJid: jidOf(BOB) }],
      })
      assert.deepEqual([read.status, read.json], [201, { message: 'Read messages', read: 'success' }])
      const lastMessage = { key: { id: received, remoteJid: jidOf(BOB) } }
      const archived = await post('archiveChat', { lastMessage, archive: true })
      assert.deepEqual([archived.status, archived.json], [201, { chatId: jidOf(BOB), archived: true }])
      const [chat] = (await world.sandbox.api('listChats', { query: { instanceName: world.line.name } }))
        .chats
      assert.deepEqual([chat.archived, chat.unreadCount], [true, 0])
      const unread = await post('markChatUnread', { chat: jidOf(BOB), lastMessage })
      assert.deepEqual([unread.status, unread.json.markedChatUnread], [201, true])
      const typing = await post('sendPresence', { number: BOB, presence: 'composing', delay: 1200 })
      assert.deepEqual([typing.status, typing.json], [201, { presence: 'composing' }])
      assertRefused(await post('archiveChat', { archive: true }), 400, /^chat: required/)
    })

    test('201 markMessageAsPlayed shows the sender of a voice message that it was played', async () => {
      const media = { type: 'audio', base64: ogg().toString('base64'), mimetype: 'audio/ogg' }
      const voice = await world.sandbox.world.send(BOB, { to: OWNER, media })
      await world.sandbox.message(world.line, voice)
      const played = await post('markMessageAsPlayed', {
        playedMessages: [{ id: voice, fromMe: false, remoteJid: jidOf(BOB) }],
      })
      assert.deepEqual([played.status, played.json], [201, { message: 'Played messages', played: 'success' }])
      const path = `/phones/${BOB}/messages/${voice}?status=played&waitMs=30000`
      assert.equal((await world.sandbox.world.get(path, answers.message)).message.status, 'played')
      const [found] = (await post('findMessages', { where: { key: { id: voice } } })).json.messages.records
      assert.equal(found.status, 'PLAYED')
      const text = await post('markMessageAsPlayed', { playedMessages: [{ id: received }] })
      assertRefused(text, 400, /Only audio and videos/)
    })

    test('200 getPollVote counts the last vote of each person', async () => {
      const poll = { number: BOB, name: 'Day?', selectableCount: 1, values: ['Monday', 'Tuesday'] }
      const { key } = (await world.shop('POST /message/sendPoll/shop', poll)).json
      await world.sandbox.world.shown(BOB, key.id)
      const count = async () => (await post('getPollVote', { message: { key }, remoteJid: jidOf(BOB) })).json
      for (const option of ['Monday', 'Tuesday']) {
        await world.sandbox.world.post(`/phones/${BOB}/vote`, { messageId: key.id, options: [option] })
        await until(count, ({ poll: { results } }) => results[option].votes === 1, `the vote for ${option}`)
      }
      assert.deepEqual(await count(), {
        poll: {
          name: 'Day?',
          totalVotes: 1,
          results: { Monday: { votes: 0, voters: [] }, Tuesday: { votes: 1, voters: [jidOf(BOB)] } },
        },
      })
      assertRefused(await post('getPollVote', { message: { key: { id: received } } }), 400, /not a poll/)
      assertRefused(await post('getPollVote', { message: { key: { id: 'NONE' } } }), 404, /./)
    })

    test('201 updateBlockStatus', async () => {
      for (const status of ['block', 'unblock']) {
        const reply = await post('updateBlockStatus', { number: BOB, status })
        assert.deepEqual([reply.status, reply.json], [201, { [status]: 'success' }])
      }
    })

    test('200 fetchProfile of a person and of the instance, its picture and business profile', async () => {
      const { status, json } = await post('fetchProfile', { number: BOB })
      assert.equal(status, 200, JSON.stringify(json))
      assert.deepEqual([json.wuid, json.numberExists, json.isBusiness], [jidOf(BOB), true, false])
      assert.equal((await post('fetchProfile', {})).json.wuid, jidOf(OWNER))
      const picture = await post('fetchProfilePictureUrl', { number: BOB })
      assert.deepEqual([picture.status, picture.json], [200, { wuid: jidOf(BOB), profilePictureUrl: null }])
      const business = await post('fetchBusinessProfile', { number: BOB })
      assert.deepEqual([business.status, business.json.isBusiness], [200, false])
    })

    test('200 updateProfileName, Status and Picture, and removeProfilePicture', async () => {
      const updated = { update: 'success' }
      assert.deepEqual((await post('updateProfileName', { name: 'New name' })).json, updated)
      assert.deepEqual((await post('updateProfileStatus', { status: 'At work' })).json, updated)
      assert.equal((await post('fetchProfile', {})).json.status.status, 'At work')
      const picture = png(640, 640).toString('base64')
      assert.deepEqual((await post('updateProfilePicture', { picture })).json, updated)
      const removed = await world.shop('DELETE /chat/removeProfilePicture/shop')
      assert.deepEqual([removed.status, removed.json], [200, updated])
      assertRefused(await post('updateProfileName', { name: 'x'.repeat(26) }), 400, /^name: /)
    })

    test('201 updatePrivacySettings needs all settings, and fetchPrivacySettings shows them', async () => {
      const settings = {
        readreceipts: 'all',
        profile: 'contacts',
        status: 'none',
        online: 'all',
        last: 'contacts',
        groupadd: 'contacts',
      }
      const changed = await post('updatePrivacySettings', settings)
      assert.equal(changed.status, 201, JSON.stringify(changed.json))
      assert.deepEqual(changed.json, { update: 'success', data: settings })
      const shown = await world.shop('GET /chat/fetchPrivacySettings/shop')
      assert.deepEqual([shown.status, shown.json], [200, settings])
      const { last: _last, ...incomplete } = settings
      assertRefused(await post('updatePrivacySettings', incomplete), 400, /^last: /)
    })

    test('200 findLabels and handleLabel: labels of the phone, given to a chat and taken from it', async () => {
      const { api } = world.sandbox
      const { label } = await api('createLabel', {
        body: { instanceName: world.line.name, name: 'Follow up' },
      })
      const listed = await world.shop('GET /label/findLabels/shop')
      assert.equal(listed.status, 200)
      assert.deepEqual([listed.json[0].id, listed.json[0].name], [label.id, 'Follow up'])
      const handle = (action: string, labelId = label.id) =>
        world.shop('POST /label/handleLabel/shop', { number: BOB, labelId, action })
      const added = await handle('add')
      assert.deepEqual(
        [added.status, added.json],
        [200, { numberJid: jidOf(BOB), labelId: label.id, add: true }],
      )
      assert.deepEqual((await handle('remove')).json, {
        numberJid: jidOf(BOB),
        labelId: label.id,
        remove: true,
      })
      assertRefused(await handle('add', '99'), 404, /label/)
      assertRefused(await handle('toggle'), 400, /^action: /)
    })

    test('200 findChannels names neither people nor groups', async () => {
      const { status, json } = await post('findChannels', { where: {} })
      assert.equal(status, 200, JSON.stringify(json))
      assert.deepEqual(json, { total: 0, pages: 0, currentPage: 1, limit: 50, records: [] })
      assertRefused(await post('findChannels', { limit: 0 }), 400, /^limit: /)
    })

    test('every call about chats was answered with its status', () =>
      assert.deepEqual([...world.missing('chat'), ...world.missing('label')], []))
  })
