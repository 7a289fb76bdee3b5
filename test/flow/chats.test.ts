// The list of chats follows sent, received and read messages, under every number of a person (decision 0031).
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { chatIds, withPersonIds } from '../../src/chats/rules.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import { type Addressing, type PairedInstance, startSandboxWorld, until } from '../support/sandbox-world.ts'

interface EventRow {
  name: string
  data: string
}

for (const addressing of ['pn', 'lid'] as const satisfies Addressing[]) {
  describe(`chats over ${addressing}`, () => {
    const OWNER = addressing === 'pn' ? '5511955550001' : '5511955560001'
    const [ana, bia] = [`${OWNER.slice(0, -1)}2`, `${OWNER.slice(0, -1)}3`]
    const jid = (number: string) => `${number}@s.whatsapp.net`
    let sandbox: Awaited<ReturnType<typeof startSandboxWorld>>
    let line: PairedInstance
    before(async () => {
      sandbox = await startSandboxWorld()
      await sandbox.setAddressing(addressing)
      line = await sandbox.pair(OWNER)
      for (const number of [ana, bia]) await sandbox.world.phone(number, `Phone ${number}`)
    })
    after(() => sandbox.stop())

    const sendText = async (number: string, message: string): Promise<string> => {
      const body = { instanceName: line.name, number, message, delay: 0 }
      const { messageId } = await sandbox.api('sendText', { body })
      await sandbox.message(line, messageId, ({ status }) => !['queued', 'sending'].includes(status))
      return messageId
    }
    const chats = async () =>
      (await sandbox.api('listChats', { query: { instanceName: line.name } })).chats as {
        remoteJid: string
        lastMessageText: string
        unreadCount: number
      }[]
    const chatEvents = async () => {
      const rows = (await sandbox.app.store.db
        .selectFrom('events')
        .select(['name', 'data'])
        .where('name', '=', 'chats.update')
        .orderBy('position')
        .execute()) as EventRow[]
      return rows.map(
        ({ data }) => JSON.parse(data) as { chat: string; lastMessageText: string; unreadCount: number },
      )
    }

    test('a sent message becomes the chat’s last message, moves the chat to the top, and is reported as an event', async () => {
      await sendText(ana, 'to Ana')
      await sendText(bia, 'to Bia')
      assert.deepEqual(
        (await chats()).map((chat) => [chat.remoteJid, chat.lastMessageText]),
        [
          [jid(bia), 'to Bia'],
          [jid(ana), 'to Ana'],
        ],
      )
      await sendText(ana, 'again')
      assert.equal((await chats())[0]?.lastMessageText, 'again')
      const shown = (await chatEvents()).map(({ chat, lastMessageText }) => [chat, lastMessageText])
      assert.deepEqual(shown.slice(-3), [
        [jid(ana), 'to Ana'],
        [jid(bia), 'to Bia'],
        [jid(ana), 'again'],
      ])
    })

    test('a chat that the owner reads on the phone is no longer unread', async () => {
      for (const text of ['one', 'two', 'three']) await sandbox.world.send(bia, { to: OWNER, text })
      const unread = async () => (await sandbox.chat(line, jid(bia)))?.unreadCount as number
      await until(unread, (count) => count === 3, 'three unread')
      await sandbox.world.post(`/phones/${OWNER}/read`, { chat: bia })
      await until(unread, (count) => count === 0, 'none unread')
      assert.deepEqual(
        (await chatEvents()).slice(-1).map(({ chat, unreadCount }) => [chat, unreadCount]),
        [[jid(bia), 0]],
      )
      await sandbox.world.send(bia, { to: OWNER, text: 'four' })
      await until(unread, (count) => count === 1, 'one unread')
    })

    test('reading a chat through the API is visible to its authors and on the owner’s phone', async () => {
      const { group } = (await sandbox.world.post('/groups', {
        subject: 'All of us',
        members: [OWNER, bia],
        admin: ana,
      })) as { group: { jid: string } }
      const written = [
        [ana, OWNER, jid(ana)],
        [ana, group.jid, group.jid],
        [bia, group.jid, group.jid],
      ] as const
      const ids = await Promise.all(
        written.map(async ([author, to, chat]) => {
          const id = await sandbox.world.send(author, { to, text: `to ${to}` })
          await sandbox.message(line, id)
          await sandbox.world.shown(OWNER, id)
          return { author, chat, id }
        }),
      )
      const onPhone = async (chat: string) => {
        const { chats: shown } = await sandbox.world.get(`/phones/${OWNER}/chats`, answers.chats)
        return shown.find((each) => each.chat === chat.replace('@s.whatsapp.net', ''))?.unread
      }
      for (const chat of [jid(ana), group.jid]) {
        assert.ok(((await onPhone(chat)) ?? 0) > 0, 'the phone has not read it yet')
        const answer = await sandbox.api('readChat', {
          query: { instanceName: line.name },
          body: { chat },
        })
        assert.deepEqual([answer.receipts, answer.chat.unreadCount], ['sent', 0])
        assert.equal((await chatEvents()).at(-1)?.unreadCount, 0)
        await until(
          () => onPhone(chat),
          (unread) => unread === 0,
          'read on the phone',
        )
      }
      for (const { author, id } of ids) {
        const path = `/phones/${author}/messages/${id}?status=read&waitMs=30000`
        assert.equal((await sandbox.world.get(path, answers.message)).message.status, 'read')
        assert.equal((await sandbox.message(line, id)).status, 'read')
      }
    })

    test('a group that the owner reads on the phone is no longer unread', async () => {
      const { group } = (await sandbox.world.post('/groups', {
        subject: 'Both of us',
        members: [OWNER, bia],
        admin: ana,
      })) as { group: { jid: string } }
      for (const author of [ana, bia]) {
        const id = await sandbox.world.send(author, { to: group.jid, text: `from ${author}` })
        await sandbox.message(line, id)
        await sandbox.world.shown(OWNER, id)
      }
      const unread = async () => (await sandbox.chat(line, group.jid))?.unreadCount as number
      assert.equal(await unread(), 2)
      await sandbox.world.post(`/phones/${OWNER}/read`, { chat: group.jid })
      await until(unread, (count) => count === 0, 'none unread')
    })

    test('a profile name is reported once, under every identifier of the person', async () => {
      const number = `${OWNER.slice(0, -1)}4`
      await sandbox.world.phone(number, 'Rita')
      const { lid } = (await sandbox.world.get(`/phones/${number}`, answers.phone)).phone
      for (const text of ['hello', 'again']) {
        await sandbox.message(line, await sandbox.world.send(number, { to: OWNER, text }))
      }
      const query = { instanceName: line.name, events: 'contacts.update', limit: 500 }
      const { events } = await sandbox.api('listEvents', { query })
      const person = { jid: jid(number), lid: `${lid}@lid`, phone: number, pushName: 'Rita' }
      assert.deepEqual(
        (events as { data: { person: { jid: string } } }[])
          .map(({ data }) => data)
          .filter((data) => data.person.jid === jid(number)),
        [
          {
            ...chatIds(person.jid, { lid: person.lid, username: null }),
            contactId: null,
            person: withPersonIds(person),
            name: null,
          },
        ],
      )
    })

    test('a number with or without the ninth digit is the same chat, with the same messages', async () => {
      const real = `5531${OWNER.slice(-8).replace('5', '8')}`
      const requested = `55319${real.slice(4)}`
      await sandbox.world.phone(real, 'Nina')
      const sent = await sendText(requested, 'from us')
      const received = await sandbox.world.send(real, { to: OWNER, text: 'from Nina' })
      await sandbox.message(line, received)
      assert.deepEqual(
        (await chats()).filter((chat) => chat.remoteJid.startsWith('5531')).map((chat) => chat.remoteJid),
        [jid(real)],
      )
      for (const number of [requested, real]) {
        const { messages } = await sandbox.api('listMessages', { query: { number } })
        assert.deepEqual(
          messages.map((message: { messageId: string }) => message.messageId),
          [received, sent],
        )
        assert.equal(messages[1].number, requested, 'the number stays as it was asked for')
      }
    })

    test('a key for one form of a number reads the chat under the other form, once the network has answered', async () => {
      const real = `5531${OWNER.slice(-8).replace('5', '7')}`
      const requested = `55319${real.slice(4)}`
      await sandbox.world.phone(real, 'Nara')
      const key = (await sandbox.api('createApiKey', { body: { name: 'Walled', chats: [jid(requested)] } }))
        .key
      const received = await sandbox.world.send(real, { to: OWNER, text: 'from Nara' })
      await sandbox.message(line, received)
      const read = async () =>
        (await sandbox.call('listMessages', { query: { instanceName: line.name }, key })).json.messages.map(
          (message: { messageId: string }) => message.messageId,
        )
      assert.deepEqual(await read(), [], 'a likely form is not enough')
      const body = { instanceName: line.name, number: requested, message: 'to Nara', delay: 0 }
      const sent = (await sandbox.call('sendText', { body, key })).json.messageId
      await sandbox.message(line, sent, ({ status }) => !['queued', 'sending'].includes(status))
      assert.deepEqual(await read(), [sent, received])
    })

    test('a send to a landline does not reach the mobile number with a 9 before it', async () => {
      const landline = `5531${OWNER.slice(-8).replace('5', '3')}`
      const stranger = `55319${landline.slice(4)}`
      await sandbox.world.phone(stranger, 'Stranger')
      const key = (await sandbox.api('createApiKey', { body: { name: 'Walled', chats: [jid(landline)] } }))
        .key
      const secret = await sandbox.world.send(stranger, { to: OWNER, text: 'between us' })
      await sandbox.message(line, secret)
      const body = { instanceName: line.name, number: landline, message: 'to the shop', delay: 0 }
      const sent = (await sandbox.call('sendText', { body, key })).json.messageId
      const { failure } = await sandbox.message(line, sent, ({ status }) => status === 'failed')
      assert.equal(failure.reason, 'number_not_on_network')
      const { messages } = (await sandbox.call('listMessages', { query: {}, key })).json
      assert.deepEqual(
        messages.map((message: { messageId: string }) => message.messageId),
        [sent],
      )
      for (const [number, exists] of [
        [landline, false],
        [stranger, true],
      ] as const) {
        const { data } = await sandbox.api('checkNumber', { query: { instanceName: line.name, number } })
        assert.equal(data.exists, exists)
      }
      await sandbox.world.phone(landline, 'Shop')
      // The answer that the number is not registered is used for some minutes, unless it is refuted.
      await sandbox.api('checkNumber', { query: { instanceName: line.name, number: landline } })
      const again = await sandbox.api('sendText', { body: { ...body, message: 'and now' } })
      assert.equal((await sandbox.world.shown(landline, again.messageId)).text, 'and now')
      const atStranger = await sandbox.world.get(`/phones/${stranger}/messages`, answers.messages)
      assert.deepEqual(
        atStranger.messages.filter(({ fromMe }) => !fromMe),
        [],
      )
    })
  })
}
