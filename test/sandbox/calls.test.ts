// Calls: a phone rings a number, and the clients linked to that number are notified and may reject.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BaileysEventMap } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client } from './support/client.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const jid = (number: string) => `${number}@s.whatsapp.net`
type CallEvent = BaileysEventMap['call'][number]

for (const addressing of ['pn', 'lid'] as const)
  describe(`calls (${addressing})`, () => {
    let world: World
    let client: Client
    let twin: Client
    let bob: string
    before(async () => {
      world = await World.start()
      await world.post('/network', { addressing })
      await world.phone(ALICE, 'Alice')
      const { phone } = answers.phone.parse(await world.post('/phones', { number: BOB, name: 'Bob' }))
      bob = addressing === 'lid' ? `${phone.lid}@lid` : jid(BOB)
      client = await new Client(world).pair(ALICE)
      twin = await new Client(world).pair(ALICE)
    })
    after(async () => {
      await client.end()
      await twin.end()
      await world.stop()
    })

    const startCall = async (body: Record<string, unknown> = {}) =>
      answers.call.parse(await world.post(`/phones/${BOB}/call`, { to: ALICE, ...body })).call
    const rings = async (id: string, status: CallEvent['status'], device = client): Promise<CallEvent> => {
      const fits = (call: CallEvent) => call.id === id && call.status === status
      const found = (await device.wait('call', (all) => all.some(fits))).find(fits)
      assert.ok(found)
      return found
    }
    const waits = async (number: string, callId: string, status: string) => {
      const path = `/phones/${number}/calls?callId=${callId}&status=${status}&waitMs=20000`
      const { calls } = await world.get(path, answers.calls)
      assert.equal(calls[0]?.status, status)
    }

    test('a call rings at every linked device, as voice or as video', async () => {
      const { id, status } = await startCall()
      assert.equal(status, 'ringing')
      const voice = await rings(id, 'offer')
      assert.deepEqual([voice.from, voice.chatId, voice.isVideo, voice.offline], [bob, bob, false, false])
      assert.equal(voice.callerPn, addressing === 'lid' ? jid(BOB) : undefined)
      await rings(id, 'offer', twin)
      await waits(ALICE, id, 'ringing')
      const video = await startCall({ video: true })
      assert.equal((await rings(video.id, 'offer')).isVideo, true)
      const group = await world.ask('POST', `/phones/${BOB}/call`, { to: '120363000000000000@g.us' })
      assert.equal(group.status, 400)
      assert.equal((await world.ask('POST', `/phones/${BOB}/call`, { to: BOB })).status, 400)
    })

    test('a client rejects a call: the caller sees it, and the other device stops ringing', async () => {
      const { id } = await startCall()
      const { from } = await rings(id, 'offer')
      await client.socket.rejectCall(id, from)
      await waits(BOB, id, 'rejected')
      await rings(id, 'terminate', twin)
      // A late rejection by the other device is acknowledged and changes nothing.
      await twin.socket.rejectCall(id, from)
      await waits(BOB, id, 'rejected')
    })

    test('the caller hangs up', async () => {
      const { id } = await startCall()
      await world.post(`/phones/${BOB}/hang-up`, { callId: id })
      await rings(id, 'terminate')
      await waits(ALICE, id, 'missed')
      const again = await world.ask('POST', `/phones/${BOB}/hang-up`, { callId: id })
      assert.deepEqual([again.status, again.body['reason']], [409, 'call_over'])
    })

    test('the phone answers, and its linked devices stop ringing', async () => {
      const { id } = await startCall()
      const wrong = await world.ask('POST', `/phones/${BOB}/answer-call`, { callId: id })
      assert.equal(wrong.body['reason'], 'call_over')
      await world.post(`/phones/${ALICE}/answer-call`, { callId: id })
      await rings(id, 'terminate')
      await waits(BOB, id, 'answered')
      await world.post(`/phones/${ALICE}/hang-up`, { callId: id })
      await waits(BOB, id, 'ended')
    })

    test('the phone rejects, and its linked devices stop ringing', async () => {
      const { id } = await startCall()
      await world.post(`/phones/${ALICE}/hang-up`, { callId: id })
      await rings(id, 'terminate')
      await waits(BOB, id, 'rejected')
    })

    test('a call of another phone, or an unknown one, cannot be ended', async () => {
      await world.phone('5511900000003', 'Carol')
      const { id } = await startCall()
      const answer = await world.ask('POST', '/phones/5511900000003/hang-up', { callId: id })
      assert.deepEqual([answer.status, answer.body['reason']], [404, 'call_not_found'])
    })

    test('a person who blocked the caller hears nothing', async () => {
      await client.socket.updateBlockStatus(jid(BOB), 'block')
      const { id } = await startCall()
      await client.socket.updateBlockStatus(jid(BOB), 'unblock')
      await rings((await startCall()).id, 'offer')
      const heard = client.seen.some(
        (event) => event.name === 'call' && event.data.some((call) => call.id === id),
      )
      assert.equal(heard, false)
    })

    test('a device that was offline learns of the call at its next login, and once only', async () => {
      await twin.end()
      const { id } = await startCall()
      await world.post(`/phones/${BOB}/hang-up`, { callId: id })
      await twin.login()
      assert.equal((await rings(id, 'offer', twin)).offline, true)
      await rings(id, 'terminate', twin)
      await twin.roundTrip()
      await twin.end()
      await twin.login()
      await rings((await startCall()).id, 'offer', twin)
      const heard = twin.seen.some(
        (event) => event.name === 'call' && event.data.some((call) => call.id === id),
      )
      assert.equal(heard, false)
    })
  })

test('a call that is not answered ends by itself, and the client reports a timeout', async () => {
  const world = await World.start({ limits: { callRingMs: 50 } })
  await world.phone(ALICE, 'Alice')
  await world.phone(BOB, 'Bob')
  const client = await new Client(world).pair(ALICE)
  const { call } = answers.call.parse(await world.post(`/phones/${BOB}/call`, { to: ALICE }))
  await client.wait('call', (all) => all.some(({ id, status }) => id === call.id && status === 'timeout'))
  const { calls } = await world.get(`/phones/${BOB}/calls?status=missed&waitMs=20000`, answers.calls)
  assert.equal(calls[0]?.id, call.id)
  await client.end()
  await world.stop()
})
