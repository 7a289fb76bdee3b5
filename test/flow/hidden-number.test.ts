// A person who hides the phone number writes, is answered by the chat of the webhook event, and then shows the number.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

for (const engine of behaviourEngines())
  describe(`a hidden number on ${engine.name}`, () => {
    const [owner, bob] = [newNumber(), newNumber()]
    const key = newKey()
    let storeLocation: StoreLocation
    let gateway: StartedHere
    let receiver: Receiver
    let line = ''
    let lid = ''
    before(async () => {
      storeLocation = await engine.createLocation()
      receiver = await startReceiver()
      const targets = { ALLOW_TARGETS: '127.0.0.1', EXTRA_CA_FILE: AUTHORITY_FILE }
      gateway = await startHere(storeLocation, key, { ...targets, ...(await onSharedSandbox()) })
      await world(gateway, 'POST /phones', { number: bob, name: 'Bob' })
      const { phone } = await world(gateway, `PATCH /phones/${bob}`, {
        hidesNumber: true,
        username: 'bob.by.the.sea',
      })
      lid = `${phone.lid}@lid`
      line = await linkedInstance(gateway, owner)
      const url = `https://127.0.0.1:${receiver.port}/hook`
      await api(gateway, 'POST /webhooks', { url, events: ['*'] })
    })
    after(async () => {
      await gateway.stop()
      await receiver.close()
      await storeLocation.dispose()
    })

    const delivered = (event: string, fits: (data: Json) => boolean): Promise<Json> =>
      until(`${event} at the receiver`, async () => {
        const found = receiver.received.find(({ json }) => json.event === event && fits(json.data))
        return found?.json.data
      })
    const writes = async (text: string) => {
      await world(gateway, `POST /phones/${bob}/send`, { to: owner, text })
      return delivered('messages.upsert', (data) => data.text === text)
    }
    const untilShown = (text: string): Promise<Json> =>
      until(`"${text}" on the phone`, async () => {
        const { messages } = await world(gateway, `GET /phones/${bob}/messages`)
        return messages.find((message: Json) => message.text === text)
      })
    const answer = (message: string, address: object) =>
      api(gateway, 'POST /send/text', { instanceName: line, message, delay: 0, ...address })
    const namesOf = ({ chat, number, lid: shown, username, groupJid }: Json) =>
      [chat, number, shown, username, groupJid] as const
    const chats = async (): Promise<Json[]> => (await api(gateway, `GET /chats?instanceName=${line}`)).chats

    test('the event names the person, and its chat is all that an answer needs', async () => {
      const received = await writes('who am I?')
      assert.deepEqual(namesOf(received), [lid, null, lid, 'bob.by.the.sea', null])
      assert.deepEqual(
        [received.from.chat, received.from.number, received.from.lid, received.from.username],
        [lid, null, lid, 'bob.by.the.sea'],
      )
      const { chat } = received
      const sent = await answer('Bob!', { chat, quotedMessageId: received.messageId })
      assert.deepEqual([sent.chat, sent.number], [lid, undefined])
      await untilShown('Bob!')
      const read = await delivered(
        'messages.update',
        (data) => data.messageId === sent.messageId && data.status === 'sent',
      )
      assert.deepEqual(namesOf(read), [lid, null, lid, 'bob.by.the.sea', null])
    })

    test('every call about the person takes the chat', async () => {
      const { person } = await api(gateway, `GET /people/${lid}?instanceName=${line}`)
      assert.deepEqual(
        [person.number, person.chat, person.lid, person.username],
        [null, lid, lid, 'bob.by.the.sea'],
      )
      await api(gateway, 'POST /chats/presence', { instanceName: line, chat: lid, presence: 'typing' })
      await api(gateway, 'PATCH /chats', { instanceName: line, chat: lid, pinned: true })
      await api(gateway, 'POST /contacts', { instanceName: line, chat: lid, name: 'Mr Sea' })
      await api(gateway, `POST /people/${lid}/block?instanceName=${line}`)
      const { people } = await api(gateway, `GET /blocklist?instanceName=${line}`)
      assert.deepEqual(people.map(namesOf), [[lid, null, lid, null, undefined]])
      await api(gateway, `POST /people/${lid}/unblock?instanceName=${line}`)
      const [chat, ...others] = (await chats()).filter(({ isGroup }) => !isGroup)
      assert.deepEqual([chat.chat, chat.username, chat.pinned, others], [lid, 'bob.by.the.sea', true, []])
    })

    test('when the number is shown, both chats are one, and the event has both identifiers', async () => {
      await world(gateway, `PATCH /phones/${bob}`, { hidesNumber: false })
      const jid = `${bob}@s.whatsapp.net`
      const received = await writes('it is me')
      assert.deepEqual(namesOf(received), [jid, bob, lid, 'bob.by.the.sea', null])
      const merged = await delivered('contacts.merged', () => true)
      assert.deepEqual(namesOf(merged), [jid, bob, lid, 'bob.by.the.sea', null])
      assert.deepEqual([merged.mergedChat, merged.removedContactId], [lid, null])
      const [chat, ...others] = (await chats()).filter(({ isGroup }) => !isGroup)
      assert.deepEqual([chat.chat, chat.number, chat.lid, chat.pinned, others], [jid, bob, lid, true, []])
      const { contacts } = await api(gateway, `GET /contacts?instanceName=${line}`)
      assert.deepEqual(
        contacts.map(({ id, name, number }: Json) => [id, name, number]),
        [[merged.contactId, 'Mr Sea', bob]],
      )
      // The old name of the chat still works, and so does a reply to a message from before.
      const first = await delivered('messages.upsert', (data) => data.text === 'who am I?')
      const byOldName = await answer('still you', { chat: lid, quotedMessageId: first.messageId })
      assert.deepEqual([byOldName.chat, byOldName.number], [jid, bob])
      await untilShown('still you')
      await answer('by number', { number: bob })
      await untilShown('by number')
      const { messages } = await api(gateway, `GET /chats/history?instanceName=${line}&number=${bob}`)
      assert.deepEqual(
        messages.map((message: Json) => message.content.text ?? message.content.message),
        ['by number', 'still you', 'it is me', 'Bob!', 'who am I?'],
      )
    })
  })
