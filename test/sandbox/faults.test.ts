import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { proto } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client } from './support/client.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const CAROL = '5511900000003'
const jid = (number: string) => `${number}@s.whatsapp.net`

describe('faults', () => {
  let world: World
  let client: Client
  before(async () => {
    world = await World.start()
    await world.phone(ALICE, 'Alice')
    await world.phone(BOB, 'Bob')
    await world.phone(CAROL, 'Carol')
    client = await new Client(world).pair(ALICE)
  })
  beforeEach(async () => {
    await client.end()
    await client.login()
  })
  afterEach(async () => {
    await world.ask('DELETE', '/faults')
  })
  after(async () => {
    await client.end()
    await world.stop()
  })

  const fault = (body: Record<string, unknown>) => world.post('/faults', { number: ALICE, ...body })
  const says = async (number: string, text: string) =>
    (await client.socket.sendMessage(jid(number), { text }))?.key.id ?? ''
  /** The acknowledgement the client gets for a message it sends. */
  const acknowledged = (id: string) =>
    new Promise<string | undefined>((resolve) => {
      client.socket.ws.on('CB:ack,class:message', (ack: { attrs: Record<string, string> }) => {
        if (ack.attrs['id'] === id) resolve(ack.attrs['error'])
      })
    })
  const rejected = async (id: string) => {
    const updates = await client.wait('messages.update', (all) =>
      all.some(({ key, update }) => key.id === id && update.status === proto.WebMessageInfo.Status.ERROR),
    )
    return updates.find(({ key }) => key.id === id)?.update.messageStubParameters?.[0]
  }

  test('disconnect closes the socket, with a code when given', async () => {
    await fault({ kind: 'disconnect' })
    assert.equal(await client.closed(), 428)
    await client.login()
    await fault({ kind: 'disconnect', code: 503 })
    assert.equal(await client.closed(), 503)
  })

  test('replace ends the stream as a second login would; refuse fails logins as often as told', async () => {
    await fault({ kind: 'replace' })
    assert.equal(await client.closed(), 440)
    await fault({ kind: 'refuse', code: 503, count: 1 })
    await assert.rejects(client.login(), /Connection Failure/)
    assert.equal(await client.closed(), 503)
    await client.login()
  })

  test('reject refuses messages with the code, as many as told, and delivers none of them', async () => {
    await fault({ kind: 'reject', code: 479, count: 1 })
    const refused = await says(BOB, 'no')
    assert.equal(await rejected(refused), '479')
    const taken = await says(BOB, 'yes')
    await world.shown(BOB, taken)
    assert.equal(
      (await world.messages(BOB)).some((message) => message.id === refused),
      false,
    )
  })

  test('silent leaves the socket open and dead; a new connection works and gets what it missed', async () => {
    await fault({ kind: 'silent' })
    const unanswered = await Promise.race([
      client.socket.onWhatsApp(BOB).then(() => 'answered'),
      new Promise((resolve) => setTimeout(() => resolve('silence'), 150)),
    ])
    assert.equal(unanswered, 'silence')
    assert.equal(
      client.seen.some((event) => event.name === 'connection.update' && event.data.connection === 'close'),
      false,
    )
    await world.post(`/phones/${BOB}/typing`, { chat: ALICE })
    const id = await world.send(BOB, { to: ALICE, text: 'anyone?' })
    await world.get('/faults', answers.faults)
    assert.equal(
      client.seen.some(({ name }) => name === 'presence.update' || name === 'messages.upsert'),
      false,
    )
    await client.end()
    await client.login()
    assert.equal((await client.message(id)).message?.conversation, 'anyone?')
  })

  test('an offline phone takes nothing until it is back', async () => {
    await world.post('/faults', { number: BOB, kind: 'offline' })
    const id = client.socket.generateMessageTag()
    const ack = acknowledged(id)
    await client.socket.sendMessage(jid(BOB), { text: 'are you there?' }, { messageId: id })
    assert.equal(await ack, undefined)
    assert.equal(
      (await world.messages(BOB)).some((message) => message.id === id),
      false,
    )
    await world.ask('DELETE', `/faults?number=${BOB}`)
    assert.equal((await world.shown(BOB, id)).text, 'are you there?')
    await client.wait('messages.update', (all) =>
      all.some(
        ({ key, update }) => key.id === id && update.status === proto.WebMessageInfo.Status.DELIVERY_ACK,
      ),
    )
  })

  test('restrict stops first contacts with 463 and lets answers through, until it is lifted', async () => {
    await client.message(await world.send(BOB, { to: ALICE, text: 'write to me' }))
    await fault({ kind: 'restrict', seconds: 3600 })
    const told = await client.wait(
      'connection.update',
      ({ reachoutTimeLock }) => reachoutTimeLock?.isActive === true,
    )
    const left = (told.reachoutTimeLock?.timeEnforcementEnds?.getTime() ?? 0) - Date.now()
    assert.ok(left > 3_500_000 && left <= 3_600_000)
    assert.equal((await client.socket.fetchAccountReachoutTimelock()).isActive, true)
    assert.equal(await rejected(await says(CAROL, 'hello stranger')), '463')
    await world.shown(BOB, await says(BOB, 'an answer'))
    await world.ask('DELETE', '/faults')
    await client.wait('connection.update', ({ reachoutTimeLock }) => reachoutTimeLock?.isActive === false)
    await world.shown(CAROL, await says(CAROL, 'hello again'))
  })

  test('unlink removes the device: it is told 401, and its next login is refused', async () => {
    await fault({ kind: 'unlink' })
    assert.equal(await client.closed(), 401)
    assert.deepEqual((await world.get(`/phones/${ALICE}`, answers.phone)).phone.devices, [])
    await assert.rejects(client.login(), /Connection Failure/)
    assert.equal(await client.closed(), 401)
    client.forget()
    await client.pair(ALICE)
    // Friends learn of the new device at once, although they keep device lists.
    const bob = await new Client(world).pair(BOB)
    await bob.socket.sendMessage(jid(ALICE), { text: 'one' })
    await fault({ kind: 'unlink' })
    await client.closed()
    client.forget()
    await client.pair(ALICE)
    const sent = await bob.socket.sendMessage(jid(ALICE), { text: 'two' })
    assert.equal((await client.message(sent?.key.id ?? '')).message?.extendedTextMessage?.text, 'two')
    await bob.end()
  })
})
