import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type BinaryNode, proto } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client } from './support/client.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const BOB_JID = `${BOB}@s.whatsapp.net`

describe('delivery', () => {
  let world: World
  let client: Client
  before(async () => {
    world = await World.start()
    await world.phone(ALICE, 'Alice')
    await world.phone(BOB, 'Bob')
    client = await new Client(world).pair(ALICE)
  })
  beforeEach(async () => {
    await client.end()
    await client.login()
  })
  after(async () => {
    await client.end()
    await world.stop()
  })

  const queued = async () => (await world.get(`/phones/${ALICE}`, answers.phone)).phone.devices[0]?.queued
  /** Resolves when the device's queue is empty: everything sent to it was acknowledged. */
  const drained = async () => {
    while ((await queued()) !== 0) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  test('messages for an offline client are queued, and arrive in order at its next login', async () => {
    await client.end()
    const ids: string[] = []
    for (let number = 0; number < 5; number++)
      ids.push(await world.send(BOB, { to: ALICE, text: `m${number}` }))
    assert.equal(await queued(), 5)
    await client.login()
    const order: (string | null | undefined)[] = []
    for (const id of ids) {
      order.push((await client.message(id)).message?.conversation)
      assert.equal(await client.upsertType(id), 'append')
    }
    assert.deepEqual(order, ['m0', 'm1', 'm2', 'm3', 'm4'])
    await drained()
  })

  test('a message that the client received but never acknowledged is sent again at its next login', async () => {
    const got = Promise.withResolvers<BinaryNode>()
    // The client dies when it has read the stanza, before it can send an acknowledgement.
    client.socket.ws.prependListener('CB:message', (node: BinaryNode) => {
      client.kill()
      got.resolve(node)
    })
    const id = await world.send(BOB, { to: ALICE, text: 'do not lose me' })
    assert.equal((await got.promise).attrs['id'], id)
    assert.equal(await queued(), 1)
    await client.login()
    assert.equal((await client.message(id)).message?.conversation, 'do not lose me')
    await drained()
    const sentTwice = (await world.frames(`id=${id}&number=${ALICE}&tag=message`)).filter(
      (frame) => frame.direction === 'out' && frame.device !== 0,
    )
    assert.equal(sentTwice.length, 2)
    await client.end()
    await client.login()
    assert.equal(await queued(), 0)
  })

  test('a message read on a linked device is read on the phone; its author gets a receipt unless privacy forbids it', async () => {
    const unreadOn = async () =>
      (await world.get(`/phones/${ALICE}/chats`, answers.chats)).chats.find(({ chat }) => chat === BOB)
        ?.unread
    const readsOne = async () => {
      const id = await world.send(BOB, { to: ALICE, text: 'seen?' })
      const { key } = await client.message(id)
      await world.shown(ALICE, id)
      await client.socket.readMessages([key])
      // The receipt for the author is routed before the one for the phone.
      await world.get(`/phones/${ALICE}/messages/${id}?status=read&waitMs=20000`, answers.message)
      return (await world.shown(BOB, id)).status
    }
    await world.post(`/phones/${ALICE}/read`, { chat: BOB })
    await client.socket.updateReadReceiptsPrivacy('none')
    await client.socket.fetchPrivacySettings(true)
    assert.equal(await readsOne(), 'delivered')
    const id = await world.send(BOB, { to: ALICE, text: 'seen on the phone?' })
    await client.message(id)
    await world.shown(ALICE, id)
    const receipt = Promise.withResolvers<BinaryNode>()
    client.socket.ws.on('CB:receipt', (node: BinaryNode) => {
      if (node.attrs['id'] === id) receipt.resolve(node)
    })
    await world.post(`/phones/${ALICE}/read`, { chat: BOB })
    assert.equal((await receipt.promise).attrs['type'], 'read-self')
    assert.equal((await world.shown(BOB, id)).status, 'delivered')
    await client.socket.updateReadReceiptsPrivacy('all')
    await client.socket.fetchPrivacySettings(true)
    assert.equal(await readsOne(), 'read')
    assert.equal(await unreadOn(), 0)
  })

  test('receipts for an offline client are queued', async () => {
    const sent = await client.socket.sendMessage(BOB_JID, { text: 'later' })
    const id = sent?.key.id ?? ''
    await world.shown(BOB, id)
    await drained()
    await client.end()
    await world.post(`/phones/${BOB}/read`, { chat: ALICE })
    await client.login()
    await client.wait('messages.update', (all) =>
      all.some(({ key, update }) => key.id === id && update.status === proto.WebMessageInfo.Status.READ),
    )
  })

  test('a client that lost its session requests a retry, and the phone sends the message again', async () => {
    // Both sides have sent a message, so the phone uses an established session.
    await client.message(await world.send(BOB, { to: ALICE, text: 'a' }))
    const answer = await client.socket.sendMessage(BOB_JID, { text: 'b' })
    await world.shown(BOB, answer?.key.id ?? '')
    for (const key of client.keys.data.keys()) if (key.startsWith('session ')) client.keys.data.delete(key)
    const id = await world.send(BOB, { to: ALICE, text: 'once more' })
    assert.equal((await client.message(id)).message?.conversation, 'once more')
    const requested = (await world.frames(`id=${id}&tag=receipt`)).filter(
      (frame) => frame.direction === 'in' && frame.attributes['type'] === 'retry',
    )
    assert.equal(requested.length >= 1, true)
    await drained()
  })

  test('a phone that cannot decrypt requests a retry from the client, and shows the message once', async () => {
    // The phone has answered, so the client uses an established session.
    const first = await client.socket.sendMessage(BOB_JID, { text: 'x' })
    await world.shown(BOB, first?.key.id ?? '')
    await client.message(await world.send(BOB, { to: ALICE, text: 'y' }))
    const { signalRepository } = client.socket
    const encrypt = signalRepository.encryptMessage
    const damaged = new Set<string>()
    // The first copy for each device is damaged on its way: its last byte belongs to the MAC.
    signalRepository.encryptMessage = async (parameters) => {
      const { type, ciphertext } = await encrypt(parameters)
      if (damaged.has(parameters.jid)) return { type, ciphertext }
      damaged.add(parameters.jid)
      const last = (ciphertext.at(-1) as number) ^ 1
      return { type, ciphertext: Buffer.from([...ciphertext.subarray(0, -1), last]) }
    }
    const sent = await client.socket.sendMessage(BOB_JID, { text: 'z' })
    client.sent.set(sent?.key.id ?? '', sent?.message ?? {})
    const shown = await world.shown(BOB, sent?.key.id ?? '')
    assert.equal(shown.text, 'z')
    const requested = (await world.frames(`id=${shown.id}&number=${BOB}&tag=receipt`)).map(
      (frame) => frame.attributes['type'],
    )
    assert.deepEqual(requested, ['retry', undefined], 'a retry request, then a delivery receipt')
    const all = await world.messages(BOB)
    assert.equal(all.filter((message) => message.id === shown.id).length, 1)
  })

  test('a phone drops a message whose key was used before, as the official clients do: no retry, not shown', async () => {
    const first = await client.socket.sendMessage(BOB_JID, { text: 'x' })
    await world.shown(BOB, first?.key.id ?? '')
    // The client's ratchet goes back one step, as after an old backup.
    const saved = [...client.keys.data].filter(([key]) => key.startsWith('session '))
    const used = await client.socket.sendMessage(BOB_JID, { text: 'y' })
    for (const [key, value] of saved) client.keys.data.set(key, value)
    const repeated = await client.socket.sendMessage(BOB_JID, { text: 'z' })
    const next = await client.socket.sendMessage(BOB_JID, { text: 'a' })
    await world.shown(BOB, used?.key.id ?? '')
    await world.shown(BOB, next?.key.id ?? '')
    const id = repeated?.key.id ?? ''
    const answers = (await world.frames(`id=${id}&number=${BOB}`)).filter(
      ({ direction }) => direction === 'in',
    )
    assert.deepEqual(
      answers.map(({ tag }) => tag),
      ['ack'],
    )
    assert.ok(!(await world.messages(BOB)).some((message) => message.id === id))
  })

  test('a client that is low on pre-keys is asked to upload more', async () => {
    await drained()
    const bundle = {
      tag: 'key',
      attrs: {},
      content: [{ tag: 'user', attrs: { jid: client.creds.me?.id ?? '' } }],
    }
    const take = () =>
      client.socket.query({
        tag: 'iq',
        attrs: { xmlns: 'encrypt', type: 'get', to: '@s.whatsapp.net' },
        content: [bundle],
      })
    const before = client.creds.nextPreKeyId
    for (let taken = 0; taken < 812; taken++) await take()
    while (client.creds.nextPreKeyId === before) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.ok(client.creds.nextPreKeyId > before)
  })
})
