import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { type BinaryNode, proto } from 'baileys'
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
  /** The error of the acknowledgement that the client gets for a message; undefined when it was accepted. */
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

  test('disconnect closes the socket, with a stream error when a code is given', async () => {
    await fault({ kind: 'disconnect' })
    assert.equal(await client.closed(), 428)
    await client.login()
    await fault({ kind: 'disconnect', code: 503 })
    assert.equal(await client.closed(), 503)
  })

  test('replace ends the stream as a second login would; refuse fails the given number of logins', async () => {
    await fault({ kind: 'replace' })
    assert.equal(await client.closed(), 440)
    await fault({ kind: 'refuse', code: 503, count: 1 })
    await assert.rejects(client.login(), /Connection Failure/)
    assert.equal(await client.closed(), 503)
    await client.login()
  })

  test('reject refuses the given number of messages with the code, and delivers none of them', async () => {
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

  test('silent drops stanzas in both directions and leaves the socket open; a new connection gets queued messages', async () => {
    const ping = (id: string) => ({
      tag: 'iq',
      attrs: { id, xmlns: 'w:p', type: 'get', to: '@s.whatsapp.net' },
    })
    await fault({ kind: 'silent' })
    // Stanzas that were sent before the fault have arrived after this.
    await client.roundTrip()
    const received: BinaryNode[] = []
    client.socket.ws.on('frame', (node: BinaryNode) => received.push(node))
    await client.socket.sendNode(ping('dropped'))
    await client.socket.sendPresenceUpdate('composing', jid(BOB))
    await client.roundTrip()
    await world.post(`/phones/${BOB}/typing`, { chat: ALICE })
    const id = await world.send(BOB, { to: ALICE, text: 'anyone?' })
    // A connection handles and sends its stanzas in order. When this query is answered, every earlier stanza was handled or
    // dropped, and every stanza that was sent to the client has arrived.
    await world.ask('DELETE', '/faults?kind=silent')
    await client.socket.query(ping('answered'))
    assert.deepEqual(
      received.filter((node) => node.tag !== 'iq' || node.attrs['id'] === 'dropped'),
      [],
    )
    assert.ok(received.some((node) => node.attrs['id'] === 'answered'))
    assert.deepEqual((await world.get(`/phones/${BOB}/typing`, answers.typing)).typing, [])
    assert.equal(
      client.seen.some((event) => event.name === 'connection.update' && event.data.connection === 'close'),
      false,
    )
    await client.end()
    await client.login()
    assert.equal((await client.message(id)).message?.conversation, 'anyone?')
  })

  test('an offline phone receives nothing until the fault ends', async () => {
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

  test('restrict refuses new chats with 463 and lets answers through, until it is cleared', async () => {
    await client.message(await world.send(BOB, { to: ALICE, text: 'write to me' }))
    await fault({ kind: 'restrict', seconds: 3600 })
    const notice = await client.wait(
      'connection.update',
      ({ reachoutTimeLock }) => reachoutTimeLock?.isActive === true,
    )
    const left = (notice.reachoutTimeLock?.timeEnforcementEnds?.getTime() ?? 0) - Date.now()
    assert.ok(left > 3_500_000 && left <= 3_600_000)
    assert.equal((await client.socket.fetchAccountReachoutTimelock()).isActive, true)
    assert.equal(await rejected(await says(CAROL, 'hello stranger')), '463')
    await world.shown(BOB, await says(BOB, 'an answer'))
    await world.ask('DELETE', '/faults')
    await client.wait('connection.update', ({ reachoutTimeLock }) => reachoutTimeLock?.isActive === false)
    await world.shown(CAROL, await says(CAROL, 'hello again'))
  })

  test('unlink removes the device: its stream ends with 401, and its next login is refused', async () => {
    await fault({ kind: 'unlink' })
    assert.equal(await client.closed(), 401)
    assert.deepEqual((await world.get(`/phones/${ALICE}`, answers.phone)).phone.devices, [])
    await assert.rejects(client.login(), /Connection Failure/)
    assert.equal(await client.closed(), 401)
    client.forget()
    await client.pair(ALICE)
    // Other clients encrypt for the new device at once, although they cache device lists.
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
