// App state in both directions: what a client changes is shown on the phone, and what the phone changes reaches the client.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Chat, ChatModification, WAMessage } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { until } from '../support/linked.ts'
import { Client } from './support/client.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const CAROL = '5511900000003'

/** How many patches of a collection the client has applied. */
const appliedBy = ({ keys }: Client, collection: string): number =>
  (
    JSON.parse(keys.data.get(`app-state-sync-version ${collection}`) ?? '{"version":0}') as {
      version: number
    }
  ).version

for (const addressing of ['pn', 'lid'] as const)
  describe(`app state (${addressing})`, () => {
    let world: World
    let client: Client
    let bob: string
    before(async () => {
      world = await World.start()
      await world.post('/network', { addressing })
      await world.phone(ALICE, 'Alice')
      const { phone } = answers.phone.parse(await world.post('/phones', { number: BOB, name: 'Bob' }))
      await world.phone(CAROL, 'Carol')
      bob = addressing === 'lid' ? `${phone.lid}@lid` : `${BOB}@s.whatsapp.net`
      client = await new Client(world).pair(ALICE)
    })
    after(async () => {
      await client.end()
      await world.stop()
    })

    const received = async (text: string): Promise<WAMessage> => {
      const id = await world.send(BOB, { to: ALICE, text })
      await world.shown(ALICE, id)
      return client.message(id)
    }
    const chatOf = async (chat: string) =>
      (await world.get(`/phones/${ALICE}/chats`, answers.chats)).chats.find((entry) => entry.chat === chat)
    /** Makes the change at the client, and resolves when the phone reports one in the chat. */
    const modifies = async (change: ChatModification) => {
      let { cursor } = await world.get('/changes', answers.changes)
      await client.socket.chatModify(change, bob)
      for (;;) {
        const news = await world.get(`/changes?after=${cursor}&waitMs=20000`, answers.changes)
        assert.notDeepEqual(news.changes, [], 'the phone reports no change')
        cursor = news.cursor
        if (news.changes.some((entry) => entry.about === 'messages' && entry.number === ALICE)) return
      }
    }
    /** Resolves when the chat on the phone fits. */
    const shows = async (
      fits: (chat: Awaited<ReturnType<typeof chatOf>>) => boolean | undefined,
      name = BOB,
    ) => {
      let { cursor } = await world.get('/changes', answers.changes)
      for (let chat = await chatOf(name); !fits(chat); chat = await chatOf(name)) {
        const news = await world.get(`/changes?after=${cursor}&waitMs=20000`, answers.changes)
        assert.notDeepEqual(news.changes, [], JSON.stringify(chat))
        cursor = news.cursor
      }
    }
    const changes = async (body: Record<string, unknown>) => {
      const answer = await world.ask('PATCH', `/phones/${ALICE}/chats`, { chat: BOB, ...body })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    }

    test('a client archives, pins and mutes a chat of the phone, and ends it', async () => {
      const lastMessages = [await received('hello')]
      const mutedUntil = Date.now() + 3_600_000
      await modifies({ archive: true, lastMessages })
      await modifies({ pin: true })
      await modifies({ mute: mutedUntil })
      const chat = await chatOf(BOB)
      assert.deepEqual([chat?.archived, chat?.pinned, chat?.mutedUntil], [true, true, mutedUntil])
      await modifies({ archive: false, lastMessages })
      await modifies({ pin: false })
      await modifies({ mute: null })
      const ended = await chatOf(BOB)
      assert.deepEqual([ended?.archived, ended?.pinned, ended?.mutedUntil], [false, false, null])
    })

    test('the phone archives, pins and mutes a chat of the client, and ends it', async () => {
      const seen = (fits: (chat: Partial<Chat>) => boolean) => client.chatNews(bob, fits)
      const mutedUntil = Date.now() + 7_200_000
      await changes({ archived: true, pinned: true, mutedUntil })
      await seen((chat) => 'archived' in chat && chat.archived === true)
      await seen((chat) => 'pinned' in chat && Number(chat.pinned) > 0)
      await seen((chat) => 'muteEndTime' in chat && chat.muteEndTime === mutedUntil)
      await changes({ archived: false, pinned: false, mutedUntil: null })
      await seen((chat) => 'archived' in chat && chat.archived === false)
      await seen((chat) => 'pinned' in chat && chat.pinned === null)
      await seen((chat) => 'muteEndTime' in chat && chat.muteEndTime === null)
      assert.equal((await chatOf(BOB))?.archived, false)
    })

    test('a client marks a chat as unread and as read on the phone', async () => {
      const lastMessages = [await received('read me')]
      await modifies({ markRead: false, lastMessages })
      const marked = await chatOf(BOB)
      assert.equal(marked?.markedUnread, true)
      assert.ok((marked?.unread ?? 0) > 0)
      await modifies({ markRead: true, lastMessages })
      const read = await chatOf(BOB)
      assert.deepEqual([read?.markedUnread, read?.unread], [false, 0])
    })

    test('the phone marks a chat as unread at the client, and reading it ends the mark', async () => {
      const seen = (unreadCount: number) =>
        client.chatNews(bob, (chat) => chat.unreadCount === unreadCount && !('messages' in chat))
      await changes({ unread: true })
      await seen(-1)
      await received('new')
      await world.post(`/phones/${ALICE}/read`, { chat: BOB })
      await seen(0)
      assert.equal((await chatOf(BOB))?.markedUnread, false)
    })

    test('stars are shared in both directions', async () => {
      const first = await received('remember this')
      const star = (isStarred: boolean) => ({
        star: { messages: [{ id: first.key.id ?? '', fromMe: false }], star: isStarred },
      })
      await modifies(star(true))
      assert.equal((await world.shown(ALICE, first.key.id ?? '')).starred, true)
      await modifies(star(false))
      assert.equal((await world.shown(ALICE, first.key.id ?? '')).starred, false)
      const second = await received('and this')
      const messageId = second.key.id ?? ''
      const seen = (starred: boolean) =>
        client.wait('messages.update', (all) =>
          all.some(({ key, update }) => key.id === messageId && update.starred === starred),
        )
      await world.post(`/phones/${ALICE}/star`, { messageId, starred: true })
      await seen(true)
      await world.post(`/phones/${ALICE}/star`, { messageId, starred: false })
      await seen(false)
      assert.equal((await world.shown(BOB, messageId)).starred, undefined)
    })

    test('a message that is deleted for me leaves the devices of the account only', async () => {
      const gone = async (id: string) =>
        (await world.ask('GET', `/phones/${ALICE}/messages/${id}`)).body['reason'] === 'message_not_found'
      const first = await received('not for me')
      const { key } = first
      const timestamp = Number(first.messageTimestamp)
      await modifies({ deleteForMe: { key, timestamp, deleteMedia: false } })
      assert.ok(await gone(key.id ?? ''))
      assert.equal((await world.shown(BOB, key.id ?? '')).text, 'not for me')
      const messageId = (await received('nor this')).key.id ?? ''
      await world.post(`/phones/${ALICE}/delete-for-me`, { messageId })
      await client.wait('messages.delete', (event) => 'keys' in event && event.keys[0]?.id === messageId)
      assert.ok(await gone(messageId))
      assert.equal((await world.shown(BOB, messageId)).text, 'nor this')
    })

    test('a chat is cleared and deleted in both directions', async () => {
      const texts = async () => (await world.messages(ALICE, `?chat=${BOB}`)).map(({ text }) => text)
      await modifies({ clear: true, lastMessages: [await received('to be cleared')] })
      assert.deepEqual(await texts(), [])
      await modifies({ delete: true, lastMessages: [await received('to be deleted')] })
      assert.equal(await chatOf(BOB), undefined)
      await received('again')
      assert.equal((await world.ask('DELETE', `/phones/${ALICE}/chats?chat=${BOB}`)).status, 200)
      await client.wait('chats.delete', (ids) => ids.includes(bob))
      assert.equal(await chatOf(BOB), undefined)
      await received('once more')
      await world.post(`/phones/${ALICE}/clear-chat`, { chat: BOB })
      assert.deepEqual(await texts(), [])
    })

    test('a chat can be cleared without its starred messages', async () => {
      const messageId = (await received('keep me')).key.id ?? ''
      await world.post(`/phones/${ALICE}/star`, { messageId, starred: true })
      await received('and not me')
      await world.post(`/phones/${ALICE}/clear-chat`, { chat: BOB, keepStarred: true })
      assert.deepEqual(
        (await world.messages(ALICE, `?chat=${BOB}`)).map(({ text }) => text),
        ['keep me'],
      )
    })

    test('a message that came after a chat was cleared stays', async () => {
      const early = await received('early')
      const late = await received('late')
      const lastMessages = [{ ...early, messageTimestamp: Number(late.messageTimestamp) - 1 }]
      await modifies({ clear: true, lastMessages })
      assert.equal((await world.shown(ALICE, late.key.id ?? '')).text, 'late')
    })

    test('a contact that a client saves is in the address book of the phone', async () => {
      await world.send(CAROL, { to: ALICE, text: 'who is this?' })
      await client.socket.addOrEditContact(`${CAROL}@s.whatsapp.net`, {
        fullName: 'Carol C.',
        saveOnPrimaryAddressbook: true,
      })
      await shows((chat) => chat?.name === 'Carol C.', CAROL)
    })

    test('changes that are made at the same time reach the phone and every linked device', async () => {
      const twin = await new Client(world).pair(ALICE)
      await twin.wait('creds.update', ({ accountSyncCounter }) => (accountSyncCounter ?? 0) > 0)
      await received('busy')
      const before = { low: appliedBy(twin, 'regular_low'), high: appliedBy(twin, 'regular_high') }
      // The library does not repeat an upload that lost against another device, so each device has a collection of its own.
      await Promise.all([
        twin.socket.chatModify({ mute: 5_000_000_000_000 }, bob),
        changes({ pinned: true }),
        changes({ archived: true }),
      ])
      // Its events are not enough: a new device keeps news of a chat back that was not in its history.
      for (const device of [client, twin])
        await until('the changes of the phone', async () =>
          appliedBy(device, 'regular_low') === before.low + 2 ? true : undefined,
        )
      await until('the change of the other device', async () =>
        appliedBy(client, 'regular_high') === before.high + 1 ? true : undefined,
      )
      await client.chatNews(bob, (chat) => chat.muteEndTime === 5_000_000_000_000)
      await shows((chat) => chat?.archived && chat.pinned && chat.mutedUntil === 5_000_000_000_000)
      await twin.end()
    })
  })
