// Settings of an instance: what they change is seen on the phones and in the events.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import {
  api,
  linkedInstance,
  newInstance,
  newNumber,
  until,
  untilReceived,
  untilState,
  world,
} from '../support/linked.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, startWithKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

const jidOf = (number: string) => `${number}@s.whatsapp.net`

for (const engine of behaviourEngines('postgres'))
  describe(`instance settings on ${engine.name}`, () => {
    const [owner, bob] = [newNumber(), newNumber()]
    const key = newKey()
    let storeLocation: StoreLocation
    let gateway: Pick<StartedHere, 'url' | 'key' | 'stop'>
    let line = ''
    before(async () => {
      storeLocation = await engine.createLocation()
      gateway = await startHere(storeLocation, key, await onSharedSandbox())
      await world(gateway, 'POST /phones', { number: bob, name: 'Bob' })
      line = await linkedInstance(gateway, owner)
    })
    after(async () => {
      await gateway.stop()
      await storeLocation.dispose()
    })

    const change = async (settings: Json, name = line): Promise<Json> =>
      (await api(gateway, `PATCH /instance/settings?instanceName=${name}`, settings)).settings
    const received = async (number: string): Promise<Json[]> =>
      (await world(gateway, `GET /phones/${number}/messages?limit=200`)).messages
    const tell = async (text: string, to = owner): Promise<string> =>
      (await world(gateway, `POST /phones/${bob}/send`, { to, text })).messageId

    test('settings are the defaults until they are changed, and stay after a restart', async () => {
      const { settings } = await api(gateway, `GET /instance/settings?instanceName=${line}`)
      const defaults = {
        rejectCalls: false,
        rejectCallsText: null,
        readOnReply: false,
        alwaysOnline: false,
        ignoreGroups: false,
        syncHistory: 'recent',
        deviceName: null,
        proxy: null,
        viewWithoutReceipts: false,
      }
      assert.deepEqual(settings, defaults)
      const changed = { rejectCalls: true, rejectCallsText: 'Please write.' }
      assert.deepEqual(await change(changed), { ...defaults, ...changed })
      await gateway.stop()
      gateway = await startHere(storeLocation, key, await onSharedSandbox())
      await untilState(gateway, line, 'open')
      assert.deepEqual(await change({ syncHistory: 'full' }), {
        ...defaults,
        ...changed,
        syncHistory: 'full',
      })
    })

    test('a call is rejected on the phone of the caller, who gets the text once per call', async () => {
      const texts = async () => (await received(bob)).filter(({ text }) => text === 'Please write.').length
      for (const calls of [1, 2]) {
        const { call } = await world(gateway, `POST /phones/${bob}/call`, { to: owner })
        const path = `GET /phones/${bob}/calls?callId=${call.id}&status=rejected&waitMs=30000`
        assert.equal((await world(gateway, path)).calls[0].status, 'rejected')
        await until('the text', async () => ((await texts()) === calls ? true : undefined))
      }
      const rejections = async (): Promise<number> =>
        (await api(gateway, `GET /events?instanceName=${line}&events=call&limit=100`)).events.filter(
          ({ data }: Json) => data.status === 'rejected',
        ).length
      await until('both rejections', async () => ((await rejections()) >= 2 ? true : undefined))
      assert.equal(await rejections(), 2)
      // The text is in the outbox before the network gets an acknowledgement of the offer.
      const offers = async (): Promise<number> =>
        (await api(gateway, `GET /events?instanceName=${line}&events=call&limit=100`)).events.filter(
          ({ data }: Json) => data.status === 'offer',
        ).length
      await gateway.stop()
      const killed = await startWithKey(storeLocation, key, await onSharedSandbox())
      await untilState(killed, line, 'open')
      gateway = { ...killed, stop: async () => void (await killed.stop('SIGKILL')) }
      await world(gateway, `POST /phones/${bob}/call`, { to: owner })
      await until('the third offer', async () => ((await offers()) === 3 ? true : undefined))
      await gateway.stop()
      gateway = await startHere(storeLocation, key, await onSharedSandbox())
      await until('the text', async () => ((await texts()) >= 3 ? true : undefined))

      await change({ rejectCalls: false })
      const { call } = await world(gateway, `POST /phones/${bob}/call`, { to: owner })
      await until('the offer', async () => {
        const { events: all } = await api(gateway, `GET /events?instanceName=${line}&events=call&limit=100`)
        return all.find(({ data }: Json) => data.callId === call.id)
      })
      await world(gateway, `POST /phones/${bob}/hang-up`, { callId: call.id })
      assert.equal(await texts(), 3)
    })

    test('with readOnReply a message to a chat marks what was received in it as read', async () => {
      const statusOf = async (id: string) =>
        (await world(gateway, `GET /phones/${bob}/messages/${id}`)).message.status
      const chat = async (): Promise<Json> =>
        (await api(gateway, `GET /chats?instanceName=${line}`)).chats.find(
          ({ remoteJid }: Json) => remoteJid === jidOf(bob),
        )
      const reply = async (message: string) => {
        const { messageId } = await api(gateway, 'POST /send/text', {
          instanceName: line,
          number: bob,
          message,
          delay: 0,
        })
        await world(gateway, `GET /phones/${bob}/messages/${messageId}?waitMs=30000`)
      }
      const first = await tell('unread')
      await untilReceived(gateway, line, 'unread')
      await reply('without the setting')
      assert.equal((await chat()).unreadCount, 1)
      await change({ readOnReply: true })
      await reply('with the setting')
      await until('the read mark', async () => ((await statusOf(first)) === 'read' ? true : undefined))
      assert.equal((await chat()).unreadCount, 0)
    })

    test('with ignoreGroups messages of groups are neither stored nor reported', async () => {
      const { group } = await world(gateway, 'POST /groups', {
        subject: 'Noise',
        members: [owner, bob],
        admin: bob,
      })
      await tell('heard in the group', group.jid)
      await untilReceived(gateway, line, 'heard in the group')
      await change({ ignoreGroups: true })
      await tell('not heard in the group', group.jid)
      await tell('heard by the person')
      await untilReceived(gateway, line, 'heard by the person')
      const { messages } = await api(gateway, `GET /messages?instanceName=${line}&limit=100`)
      assert.ok(!JSON.stringify(messages).includes('not heard in the group'))
      const { events } = await api(gateway, `GET /events?instanceName=${line}&before=end&limit=50`)
      assert.ok(!JSON.stringify(events).includes('not heard in the group'))
    })

    test('with alwaysOnline the account is shown as online, at once and after a reconnection', async () => {
      const watcher = newNumber()
      const watching = await linkedInstance(gateway, watcher)
      await world(gateway, `POST /phones/${owner}/presence`, { available: false })
      await api(gateway, 'POST /people/presence', { instanceName: watching, subscribe: [owner] })
      const presences = async (): Promise<string[]> => {
        const query = `instanceName=${watching}&events=presence.update&limit=100`
        const { events } = await api(gateway, `GET /events?${query}`)
        return events.map(({ data }: Json) => data.presence)
      }
      const seen = (wanted: string[]) =>
        until(wanted.join(), async () => ((await presences()).join() === wanted.join() ? true : undefined))
      await seen(['unavailable'])
      await change({ alwaysOnline: true })
      await seen(['unavailable', 'available'])
      await api(gateway, `POST /instance/restart?instanceName=${line}`)
      await untilState(gateway, line, 'open')
      await until('online again', async () => ((await presences()).at(-1) === 'available' ? true : undefined))
      await change({ alwaysOnline: false })
      await until('offline', async () => ((await presences()).at(-1) === 'unavailable' ? true : undefined))
    })

    test('deviceName is in the list of linked devices, and syncHistory none leaves out messages', async () => {
      const other = newNumber()
      await world(gateway, 'POST /phones', { number: other })
      await tell('from before', other)
      const name = await newInstance(gateway)
      await untilState(gateway, name, 'connecting/awaiting_scan')
      await change({ deviceName: 'Support desk', syncHistory: 'none' }, name)
      await untilState(gateway, name, 'connecting/awaiting_scan')
      await world(gateway, `POST /phones/${other}/scan`, { instanceName: name })
      await untilState(gateway, name, 'open')
      const { phone } = await world(gateway, `GET /phones/${other}`)
      assert.deepEqual(
        phone.devices.map(({ platform }: Json) => platform),
        ['Support desk'],
      )
      await tell('from now on', other)
      await untilReceived(gateway, name, 'from now on')
      const { messages } = await api(gateway, `GET /messages?instanceName=${name}&limit=100`)
      assert.ok(!JSON.stringify(messages).includes('from before'))
      // Another device with the default gets them.
      const usual = await newInstance(gateway)
      await untilState(gateway, usual, 'connecting/awaiting_scan')
      await world(gateway, `POST /phones/${other}/scan`, { instanceName: usual })
      await untilReceived(gateway, usual, 'from before')
    })
  })
