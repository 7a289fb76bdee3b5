// Presence and typing: who is available, and which devices are notified.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BaileysEventMap } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client } from './support/client.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const jid = (number: string) => `${number}@s.whatsapp.net`

for (const addressing of ['pn', 'lid'] as const)
  describe(`presence (${addressing})`, () => {
    let world: World
    let alice: Client
    let bob: Client
    before(async () => {
      world = await World.start()
      await world.post('/network', { addressing })
      await world.phone(ALICE, 'Alice')
      await world.phone(BOB, 'Bob')
      alice = await new Client(world).pair(ALICE)
      bob = await new Client(world).pair(BOB)
      await alice.socket.sendPresenceUpdate('available')
    })
    after(async () => {
      await alice.end()
      await bob.end()
      await world.stop()
    })

    const shows = (state: string) => (event: BaileysEventMap['presence.update']) =>
      Object.values(event.presences).some((presence) => presence.lastKnownPresence === state)
    const count = (client: Client, state: string) =>
      client.seen.filter((event) => event.name === 'presence.update' && shows(state)(event.data)).length
    /** Resolves when everything that was sent to the client before has arrived. */
    const settled = async (client: Client) => {
      await client.message(await world.send(BOB, { to: ALICE, text: 'after it' }))
      await client.roundTrip()
    }

    test('typing reaches a client that is available, and not one that is unavailable', async () => {
      await alice.socket.sendPresenceUpdate('unavailable')
      await alice.roundTrip()
      await bob.socket.sendPresenceUpdate('composing', jid(ALICE))
      await world.post(`/phones/${BOB}/typing`, { chat: ALICE })
      await bob.roundTrip()
      await settled(alice)
      assert.equal(count(alice, 'composing'), 0)
      await alice.socket.sendPresenceUpdate('available')
      await alice.roundTrip()
      await bob.socket.sendPresenceUpdate('composing', jid(ALICE))
      await alice.wait('presence.update', shows('composing'))
    })

    test('typing does not reach the devices of a person who blocked the writer', async () => {
      const heard = async () =>
        (await world.get(`/phones/${ALICE}/typing`, answers.typing)).typing.map(({ state }) => state)
      await alice.socket.updateBlockStatus(jid(BOB), 'block')
      const before = await heard()
      await bob.socket.sendPresenceUpdate('recording', jid(ALICE))
      await bob.roundTrip()
      await alice.socket.updateBlockStatus(jid(BOB), 'unblock')
      await settled(alice)
      assert.equal(count(alice, 'recording'), 0)
      assert.deepEqual(await heard(), before)
      await bob.socket.sendPresenceUpdate('recording', jid(ALICE))
      await alice.wait('presence.update', shows('recording'))
    })

    test('a phone that is put away gets no typing', async () => {
      await world.post(`/phones/${ALICE}/presence`, { available: false })
      const { typing } = await world.get(`/phones/${ALICE}/typing`, answers.typing)
      await world.post(`/phones/${BOB}/typing`, { chat: ALICE })
      assert.deepEqual((await world.get(`/phones/${ALICE}/typing`, answers.typing)).typing, typing)
      const opened = await world.post(`/phones/${ALICE}/presence`, { available: true })
      assert.equal(answers.phone.parse(opened).phone.available, true)
    })

    test('a client that subscribes sees the phone open, put away, offline and back', async () => {
      await bob.socket.sendPresenceUpdate('unavailable')
      await bob.roundTrip()
      await alice.socket.presenceSubscribe(jid(BOB))
      const next = async (state: string, change: () => Promise<unknown>) => {
        alice.seen = alice.seen.filter(({ name }) => name !== 'presence.update')
        await change()
        const event = await alice.wait('presence.update', shows(state))
        return Object.values(event.presences)[0]
      }
      const begin = Math.floor(Date.now() / 1000)
      const put = (available: boolean) => () => world.post(`/phones/${BOB}/presence`, { available })
      assert.ok(((await next('unavailable', put(false)))?.lastSeen ?? 0) >= begin)
      await next('available', put(true))
      await next('unavailable', () => world.post('/faults', { number: BOB, kind: 'offline' }))
      await next('available', () => world.ask('DELETE', `/faults?number=${BOB}`))
      // The linked device keeps the account available when the phone is put away.
      await next('available', () => bob.socket.sendPresenceUpdate('available'))
      await next('available', put(false))
    })
  })
