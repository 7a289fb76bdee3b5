// Older messages of a chat, which the phone of the owner sends on request, and timers of disappearing messages.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourCases } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import {
  api,
  ask,
  callSuccessfully,
  linkedInstance,
  newNumber,
  until,
  untilState,
  world,
} from '../support/linked.ts'
import { onOwnSandbox } from '../support/shared-sandbox.ts'
import { newKey, startWithKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

const jidOf = (number: string) => `${number}@s.whatsapp.net`
/** More than a phone transfers of one chat at pairing. */
const WRITTEN = 230

for (const { engine, variant: addressing } of behaviourCases(['pn', 'lid'] as const))
  describe(`histories and timers on ${engine.name} (${addressing})`, () => {
    const [owner, ana, bia] = Array.from({ length: 3 }, newNumber) as [string, string, string]
    const texts = Array.from({ length: WRITTEN }, (_none, index) => `message ${index}`)
    const operator = newKey()
    let storeLocation: StoreLocation
    let gateway: Pick<StartedHere, 'url' | 'key' | 'stop'>
    let sandbox: Record<string, string>
    let line = ''
    before(async () => {
      storeLocation = await engine.createLocation()
      sandbox = await onOwnSandbox()
      gateway = await startHere(storeLocation, newKey(), { OPERATOR_KEY: operator, ...sandbox })
      await world({ ...gateway, key: operator }, 'POST /network', { addressing })
      for (const number of [owner, ana, bia]) await world(gateway, 'POST /phones', { number })
      // Directly at the network: not through the gateway, which would take as long again.
      const network = { url: sandbox.SANDBOX_URL as string, key: sandbox.SANDBOX_KEY as string }
      let last = ''
      for (const text of texts)
        last = (await callSuccessfully(network, `POST /sandbox/v1/phones/${ana}/send`, { to: owner, text }))
          .messageId
      await world(gateway, `GET /phones/${owner}/messages/${last}?waitMs=30000`)
      await world(gateway, `POST /phones/${owner}/star`, { messageId: last, starred: true })
      await world(gateway, `POST /phones/${owner}/disappearing`, { chat: bia, seconds: 604_800 })
      line = await linkedInstance(gateway, owner)
      await until('the history', async () => ((await messages(ana)).length === 200 ? true : undefined))
    })
    after(async () => {
      await gateway.stop()
      await storeLocation.dispose()
    })

    const messages = async (number: string): Promise<Json[]> => {
      const path = `GET /messages?instanceName=${line}&chat=${jidOf(number)}&limit=100`
      const pages = await Promise.all([1, 2, 3].map((page) => api(gateway, `${path}&page=${page}`)))
      return pages.flatMap(({ messages: found }) => found)
    }
    const textsOf = (found: Json[]): string[] => found.map(({ content }) => content.text ?? content.message)
    const history = (query: string, number = ana): Promise<Json> =>
      api(gateway, `GET /chats/history?instanceName=${line}&chat=${jidOf(number)}${query}`)
    const chat = async (number: string): Promise<Json> => {
      const { chats } = await api(gateway, `GET /chats?instanceName=${line}`)
      return chats.find((each: Json) => each.remoteJid === jidOf(number))
    }
    const sendText = (number: string, message: string): Promise<Json> =>
      api(gateway, 'POST /send/text', { instanceName: line, number, message, delay: 0 })
    /** The message as the phone of the recipient shows it. */
    const shown = async (number: string, messageId: string): Promise<Json> =>
      (await world(gateway, `GET /phones/${number}/messages/${messageId}?waitMs=30000`)).message

    test('older messages are requested from the phone, listed in their place, and stored once', async () => {
      const { messageId: sentNow } = await sendText(ana, 'now')
      await shown(ana, sentNow)
      const before = await chat(ana)
      const { messages: stored } = await history('&limit=100')
      assert.deepEqual(textsOf(stored), ['now', ...texts.toReversed().slice(0, 99)])
      assert.deepEqual(
        stored.slice(0, 2).map(({ historical, starred }: Json) => [historical, starred]),
        [
          [false, false],
          [true, true],
        ],
      )
      const oldest = (await messages(ana)).at(-1).messageId
      const requested = await history(`&before=${oldest}&limit=20`)
      assert.deepEqual([requested.count, requested.moreComing], [0, true])
      const more = await until('the answer of the phone', async () => {
        const found = await history(`&before=${oldest}&limit=20`)
        return found.count === 20 ? found : undefined
      })
      assert.deepEqual(textsOf(more.messages), texts.slice(10, 30).toReversed())
      assert.ok(more.messages.every(({ historical }: Json) => historical))
      const rest = await until('the rest', async () => {
        const found = await history(`&before=${oldest}&limit=40`)
        return found.count === 30 && !found.moreComing ? found : undefined
      })
      assert.deepEqual(textsOf(rest.messages), texts.slice(0, 30).toReversed())
      assert.deepEqual(textsOf(await messages(ana)), ['now', ...texts.toReversed()])
      // The phone shows a message before the gateway has stored its outcome.
      const { unreadCount } = await until('the last message', async () => {
        const found = await chat(ana)
        return found.lastMessageText === 'now' ? found : undefined
      })
      assert.equal(unreadCount, before.unreadCount)
    })

    test('a history causes no events of messages', async () => {
      const { events } = await api(
        gateway,
        `GET /events?instanceName=${line}&events=messages.upsert&limit=500`,
      )
      assert.ok(events.every(({ data }: Json) => data.historical === false))
      assert.ok(!events.some(({ data }: Json) => data.text?.startsWith('message ')))
    })

    test('the time of a message is a place in the history, and an unknown message is refused', async () => {
      const [, second] = (await history('&limit=2')).messages
      const { messages: found } = await history(`&limit=5&before=${second.createdAt}`)
      // Times of the phone are whole seconds, and messages that it sent later are placed before those of the same second.
      assert.ok(found.length > 0)
      assert.ok(found.every(({ createdAt }: Json) => createdAt <= second.createdAt))
      assert.ok(!textsOf(found).includes(textsOf([second])[0] as string))
      const unknown = await ask(
        gateway,
        `GET /api/v1/chats/history?instanceName=${line}&chat=${jidOf(ana)}&before=3EB0FF`,
      )
      assert.deepEqual([unknown.status, unknown.json.reason], [404, 'message_not_found'])
    })

    test('a timer that was set before pairing is known, and messages carry it', async () => {
      await until('the timer', async () =>
        (await chat(bia))?.disappearingSeconds === 604_800 ? true : undefined,
      )
      const { messageId } = await sendText(bia, 'seven days')
      assert.equal((await shown(bia, messageId)).expiresAfterSeconds, 604_800)
    })

    test('a timer is sent to the person through the queue, and the chat has it when it is sent', async () => {
      const body = { instanceName: line, chat: jidOf(ana), disappearingSeconds: 86_400 }
      const { messageId } = await api(gateway, 'PATCH /chats', body)
      await until('the timer', async () =>
        (await chat(ana)).disappearingSeconds === 86_400 ? true : undefined,
      )
      const { message } = await api(gateway, `GET /messages/${messageId}`)
      assert.deepEqual([message.type, message.content.seconds], ['disappearing', 86_400])
      assert.equal((await chat(ana)).lastMessageText, 'now')
      for (const phone of [ana, owner]) {
        const other = phone === ana ? owner : ana
        await until('the timer on the phone', async () => {
          const { chats } = await world(gateway, `GET /phones/${phone}/chats`)
          const found = chats.find((each: Json) => each.chat === other)
          return found?.disappearingSeconds === 86_400 ? true : undefined
        })
      }
      const sent = await sendText(ana, 'one day')
      assert.equal((await shown(ana, sent.messageId)).expiresAfterSeconds, 86_400)
    })

    test('a timer that the other side or the owner sets on a phone is followed', async () => {
      const { unreadCount } = await chat(ana)
      for (const [phone, other, seconds] of [
        [ana, owner, 7_776_000],
        [owner, ana, 0],
      ] as const) {
        await world(gateway, `POST /phones/${phone}/disappearing`, { chat: other, seconds })
        await until('the timer', async () =>
          (await chat(ana)).disappearingSeconds === seconds ? true : undefined,
        )
      }
      const { messageId } = await sendText(ana, 'stays')
      assert.equal((await shown(ana, messageId)).expiresAfterSeconds, undefined)
      assert.equal((await chat(ana)).unreadCount, unreadCount)
    })

    test('the timer of a group is its setting, and messages to the group carry it', async () => {
      const made = { instanceName: line, subject: 'Short', members: [ana] }
      const { groupJid } = (await api(gateway, 'POST /groups', made)).group
      await api(gateway, `PATCH /groups/${groupJid}?instanceName=${line}`, { disappearingSeconds: 86_400 })
      const send = async (message: string) => {
        const body = { instanceName: line, groupJid, message, delay: 0 }
        const { messageId } = await api(gateway, 'POST /send-group', body)
        return (await shown(ana, messageId)).expiresAfterSeconds
      }
      assert.equal(await send('first'), 86_400)
      const listed = await until('the chat of the group', async () => {
        const { chats } = await api(gateway, `GET /chats?instanceName=${line}`)
        return chats.find((each: Json) => each.remoteJid === groupJid)
      })
      assert.equal(listed.disappearingSeconds, 86_400)
      const { chat: changed, messageId } = await api(gateway, 'PATCH /chats', {
        instanceName: line,
        chat: groupJid,
        disappearingSeconds: 604_800,
      })
      assert.deepEqual([changed.disappearingSeconds, messageId], [604_800, null])
      assert.equal((await world(gateway, `GET /groups/${groupJid}`)).group.disappearingSeconds, 604_800)
      assert.equal(await send('second'), 604_800)
    })

    test('a timer that was accepted survives a kill of the process', async () => {
      await gateway.stop()
      const killed = await startWithKey(storeLocation, gateway.key, { OPERATOR_KEY: operator, ...sandbox })
      await untilState(killed, line, 'open')
      gateway = { ...killed, stop: async () => void (await killed.stop('SIGKILL')) }
      const body = { instanceName: line, chat: jidOf(bia), disappearingSeconds: 86_400 }
      const { messageId } = await api(gateway, 'PATCH /chats', body)
      await gateway.stop()
      gateway = await startHere(storeLocation, gateway.key, { OPERATOR_KEY: operator, ...sandbox })
      await until('the timer on the phone', async () => {
        const { chats } = await world(gateway, `GET /phones/${bia}/chats`)
        const found = chats.find((each: Json) => each.chat === owner)
        return found?.disappearingSeconds === 86_400 ? true : undefined
      })
      await until('the timer', async () =>
        (await chat(bia)).disappearingSeconds === 86_400 ? true : undefined,
      )
      await until('the outcome', async () => {
        const { status } = (await api(gateway, `GET /messages/${messageId}`)).message
        return ['sent', 'delivered', 'read'].includes(status) ? true : undefined
      })
    })
  })
