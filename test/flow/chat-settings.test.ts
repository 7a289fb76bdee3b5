// Settings of chats, stars, presence and cleared chats: from the API to the phone of the owner, and from the phone to the API.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourCases } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api, ask, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { onOwnSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

const jidOf = (number: string) => `${number}@s.whatsapp.net`

for (const { engine, variant: addressing } of behaviourCases(['pn', 'lid'] as const))
  describe(`chats on ${engine.name} (${addressing})`, () => {
    const [owner, ana, bia] = Array.from({ length: 3 }, newNumber) as [string, string, string]
    let storeLocation: StoreLocation
    let gateway: StartedHere
    let line = ''
    before(async () => {
      storeLocation = await engine.createLocation()
      const operator = newKey()
      gateway = await startHere(storeLocation, newKey(), {
        OPERATOR_KEY: operator,
        ...(await onOwnSandbox()),
      })
      await world({ ...gateway, key: operator }, 'POST /network', { addressing })
      for (const number of [ana, bia])
        await world(gateway, 'POST /phones', { number, name: `Phone ${number}` })
      line = await linkedInstance(gateway, owner)
    })
    after(async () => {
      await gateway.stop()
      await storeLocation.dispose()
    })

    const chat = async (number: string): Promise<Json> => {
      const { chats } = await api(gateway, `GET /chats?instanceName=${line}`)
      return chats.find((each: Json) => each.remoteJid === jidOf(number))
    }
    const messages = async (number: string): Promise<Json[]> =>
      (await api(gateway, `GET /messages?instanceName=${line}&chat=${jidOf(number)}&limit=100`)).messages
    const received = async (from: string, text: string): Promise<string> => {
      const { messageId } = await world(gateway, `POST /phones/${from}/send`, { to: owner, text })
      await until(text, async () =>
        (await messages(from)).find(({ messageId: id }: Json) => id === messageId) ? true : undefined,
      )
      await world(gateway, `GET /phones/${owner}/messages/${messageId}?waitMs=30000`)
      return messageId
    }
    const sent = async (number: string, message: string): Promise<string> => {
      const body = { instanceName: line, number, message, delay: 0 }
      const { messageId } = await api(gateway, 'POST /send/text', body)
      await until(`${message} sent`, async () =>
        ['sent', 'delivered', 'read'].includes(
          (await api(gateway, `GET /messages/${messageId}`)).message.status,
        )
          ? true
          : undefined,
      )
      return messageId
    }
    const change = (number: string, settings: object): Promise<Json> =>
      api(gateway, 'PATCH /chats', { instanceName: line, chat: jidOf(number), ...settings })
    /** The chat as the phone of the owner shows it. */
    const onPhone = async (number: string): Promise<Json> => {
      const { chats } = await world(gateway, `GET /phones/${owner}/chats`)
      return chats.find((each: Json) => each.chat === number)
    }
    const shownOnPhone = (what: string, number: string, fits: (each: Json) => boolean) =>
      until(what, async () => (fits((await onPhone(number)) ?? {}) ? true : undefined))
    const chatFits = (what: string, number: string, fits: (each: Json) => boolean): Promise<Json> =>
      until(what, async () => {
        const found = await chat(number)
        return fits(found ?? {}) ? found : undefined
      })
    const lastChatEvent = async (number: string): Promise<Json> => {
      const { events } = await api(
        gateway,
        `GET /events?instanceName=${line}&events=chats.update&before=end&limit=100`,
      )
      return events.find(({ data }: Json) => data.chat === jidOf(number))?.data
    }

    test('archived, muted, pinned and unread are set on the phone, listed at once, and reported', async () => {
      await received(ana, 'hello')
      const mutedUntil = '2999-01-01T00:00:00.000Z'
      const settings = { archived: true, mutedUntil, pinned: true, unread: true }
      const { chat: answered, messageId } = await change(ana, settings)
      assert.equal(messageId, null)
      assert.deepEqual(answered, await chat(ana))
      assert.deepEqual({ ...answered, ...settings }, answered)
      const event = await lastChatEvent(ana)
      assert.deepEqual({ ...event, ...settings }, event)
      await shownOnPhone(
        'the settings on the phone',
        ana,
        (each) =>
          each.archived && each.pinned && each.markedUnread && each.mutedUntil === Date.parse(mutedUntil),
      )
      const opposite = { archived: false, mutedUntil: null, pinned: false, unread: false }
      const { chat: ended } = await change(ana, opposite)
      assert.deepEqual({ ...ended, ...opposite }, ended)
      assert.equal(ended.unreadCount, 0)
      await shownOnPhone(
        'the end of the settings on the phone',
        ana,
        (each) => !each.archived && !each.pinned && !each.markedUnread && each.mutedUntil === null,
      )
    })

    test('the list follows what the owner does on the phone', async () => {
      await received(bia, 'one')
      const set = (body: object) => world(gateway, `PATCH /phones/${owner}/chats`, { chat: bia, ...body })
      const mutedUntil = Date.parse('2999-02-01T00:00:00.000Z')
      await set({ archived: true, pinned: true, mutedUntil })
      const changed = await chatFits(
        'archived',
        bia,
        (each) => each.archived && each.pinned && each.mutedUntil,
      )
      assert.equal(Date.parse(changed.mutedUntil), mutedUntil)
      await set({ archived: false, pinned: false, mutedUntil: null })
      await chatFits(
        'not archived',
        bia,
        (each) => !each.archived && !each.pinned && each.mutedUntil === null,
      )
      await set({ unread: false })
      await chatFits('read', bia, (each) => !each.unread && each.unreadCount === 0)
      await set({ unread: true })
      await chatFits('marked as unread', bia, (each) => each.unread && each.unreadCount === 0)
      const event = await until('the event', async () => {
        const data = await lastChatEvent(bia)
        return data?.unread ? data : undefined
      })
      assert.equal(event.unreadCount, 0)
    })

    test('a star is set on the phone and listed, and follows the phone', async () => {
      const starred = async (messageId: string): Promise<boolean> =>
        (await api(gateway, `GET /messages/${messageId}?instanceName=${line}`)).message.starred
      const onScreen = async (messageId: string): Promise<boolean> =>
        (await world(gateway, `GET /phones/${owner}/messages/${messageId}`)).message.starred === true
      for (const messageId of [await received(ana, 'star me'), await sent(ana, 'and me')]) {
        await world(gateway, `GET /phones/${owner}/messages/${messageId}?waitMs=30000`)
        const { message } = await api(gateway, `POST /messages/${messageId}/star`, { starred: true })
        assert.deepEqual([message.messageId, message.starred], [messageId, true])
        await until('the star on the phone', async () => ((await onScreen(messageId)) ? true : undefined))
        await world(gateway, `POST /phones/${owner}/star`, { messageId, starred: false })
        await until('no star', async () => ((await starred(messageId)) ? undefined : true))
      }
    })

    test('presence is shown to the person, ends by itself, and a new call replaces it', async () => {
      const signs = async (after = 0): Promise<Json[]> =>
        (await world(gateway, `GET /phones/${ana}/typing?after=${after}`)).typing
      const seen = (count: number, from: number) =>
        until(`${count} signs`, async () => {
          const found = await signs(from)
          return found.length >= count ? found.map(({ state }: Json) => state) : undefined
        })
      await world(gateway, `POST /phones/${ana}/presence`, { available: true })
      const show = (presence: string, seconds: number) =>
        api(gateway, 'POST /chats/presence', { instanceName: line, chat: jidOf(ana), presence, seconds })
      const from = (await signs()).at(-1)?.seq ?? 0
      await show('typing', 120)
      await show('recording', 1)
      assert.deepEqual(await seen(3, from), ['typing', 'recording', 'paused'])
    })

    test('a cleared chat has no messages on the phone and in the list, and later ones are listed', async () => {
      const id = await received(bia, 'secret')
      await sent(bia, 'answer')
      const path = `DELETE /chats?instanceName=${line}&chat=${jidOf(bia)}`
      const { chat: cleared } = await api(gateway, path)
      assert.deepEqual(
        [cleared.lastMessageText, cleared.lastMessageTimestamp, cleared.unreadCount, cleared.unread],
        [null, null, 0, false],
      )
      assert.deepEqual(await messages(bia), [])
      assert.equal((await ask(gateway, `GET /api/v1/messages/${id}`)).status, 404)
      assert.equal((await lastChatEvent(bia)).lastMessageText, null)
      await until('no messages on the phone', async () => {
        const { messages: shown } = await world(gateway, `GET /phones/${owner}/messages?chat=${bia}`)
        return shown.length === 0 ? true : undefined
      })
      await received(bia, 'later')
      assert.deepEqual(
        (await messages(bia)).map(({ content }) => content.text),
        ['later'],
      )
      assert.equal((await chat(bia)).lastMessageText, 'later')
    })

    test('a chat that the owner clears or deletes on the phone is cleared here', async () => {
      const star = await received(ana, 'keep me')
      await api(gateway, `POST /messages/${star}/star`, { starred: true })
      await until('the star on the phone', async () =>
        (await world(gateway, `GET /phones/${owner}/messages/${star}`)).message.starred ? true : undefined,
      )
      await received(ana, 'not me')
      await world(gateway, `POST /phones/${owner}/clear-chat`, { chat: ana, keepStarred: true })
      const kept = await chatFits('cleared', ana, (each) => each.lastMessageText === 'keep me')
      assert.equal(kept.lastMessageText, 'keep me')
      assert.deepEqual(
        (await messages(ana)).map(({ messageId }) => messageId),
        [star],
      )
      await world(gateway, `DELETE /phones/${owner}/chats?chat=${ana}`)
      await chatFits('deleted', ana, (each) => each.lastMessageText === null)
      assert.deepEqual(await messages(ana), [])
    })
  })
