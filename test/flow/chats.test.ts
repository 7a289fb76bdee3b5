// The list of chats follows what is sent, received and read, whichever number a person was written to under (decision 0031).
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
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

    test('what is sent becomes the chat’s last message, puts it first, and is told of', async () => {
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
      const told = (await chatEvents()).map(({ chat, lastMessageText }) => [chat, lastMessageText])
      assert.deepEqual(told.slice(-3), [
        [jid(ana), 'to Ana'],
        [jid(bia), 'to Bia'],
        [jid(ana), 'again'],
      ])
    })

    test('what the owner reads on the phone is unread no more', async () => {
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

    test('a number with the other count of digits is the same chat, and finds the same messages', async () => {
      const real = `5531${OWNER.slice(-8)}`
      const asked = `55319${OWNER.slice(-8)}`
      await sandbox.world.phone(real, 'Nina')
      const sent = await sendText(asked, 'from us')
      const received = await sandbox.world.send(real, { to: OWNER, text: 'from Nina' })
      await sandbox.message(line, received)
      assert.deepEqual(
        (await chats()).filter((chat) => chat.remoteJid.startsWith('5531')).map((chat) => chat.remoteJid),
        [jid(real)],
      )
      for (const number of [asked, real]) {
        const { messages } = await sandbox.api('listMessages', { query: { number } })
        assert.deepEqual(
          messages.map((message: { messageId: string }) => message.messageId),
          [received, sent],
        )
        assert.equal(messages[1].number, asked, 'the number stays as it was asked for')
      }
    })
  })
}
