// Frames of any content reach the clients of the sandbox as a hostile contact or a changed network would send them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { type BinaryNode, encodeBinaryNode, proto } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client } from './support/client.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'

describe('injected frames', () => {
  let world: World
  let client: Client
  before(async () => {
    world = await World.start()
    await world.phone(ALICE, 'Alice')
    await world.phone(BOB, 'Bob')
    client = await new Client(world).pair(ALICE)
  })
  after(async () => {
    await client.end()
    await world.stop()
  })

  const inject = async (...frames: object[]) => {
    return answers.injected.parse(await world.post('/injections', { number: ALICE, frames })).sent
  }
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const stanza = (id: string): BinaryNode => ({
    tag: 'notification',
    attrs: { id, type: 'psa', from: 's.whatsapp.net' },
  })

  test('the content of an encrypted frame reaches a connected client', async () => {
    const arrived = once(client.socket.ws, 'CB:notification,type:psa') as Promise<[BinaryNode]>
    assert.equal(await inject({ as: 'frame', bytes: base64(encodeBinaryNode(stanza('F1'))) }), 1)
    assert.equal((await arrived)[0].attrs['id'], 'F1')
  })

  test('a stanza stays in the queue until the client acknowledges it, and must be one', async () => {
    const arrived = once(client.socket.ws, 'CB:notification,type:psa') as Promise<[BinaryNode]>
    assert.equal(await inject({ as: 'stanza', bytes: base64(encodeBinaryNode(stanza('Q1'))) }), 1)
    assert.equal((await arrived)[0].attrs['id'], 'Q1')
    const refused = await world.ask('POST', '/injections', {
      number: ALICE,
      frames: [{ as: 'stanza', bytes: base64(Buffer.from([0, 255])) }],
    })
    assert.equal(refused.status, 400)
  })

  test('a contact encrypts bytes that are sent as a message', async () => {
    const text = proto.Message.encode({ conversation: 'from the bytes' }).finish()
    const arrived = new Promise<string>((resolve) => {
      client.socket.ev.on('messages.upsert', ({ messages }) =>
        resolve(messages[0]?.message?.conversation ?? ''),
      )
    })
    assert.equal(
      await inject({ as: 'plaintext', from: BOB, bytes: base64(Buffer.concat([text, Buffer.from([1])])) }),
      1,
    )
    assert.equal(await arrived, 'from the bytes')
  })

  test('the phone of the account encrypts a change of the app state, which its devices apply', async () => {
    const bytes = proto.SyncActionValue.encode({ contactAction: { fullName: 'Bob of the bytes' } }).finish()
    const index = ['contact', `${BOB}@s.whatsapp.net`]
    assert.equal(
      await inject({ as: 'action', collection: 'critical_unblock_low', index, bytes: base64(bytes) }),
      1,
    )
    await client.wait('contacts.upsert', (contacts) =>
      contacts.some(({ name }) => name === 'Bob of the bytes'),
    )
  })

  test('404 when a phone does not exist, 400 when a patch or a change of the app state cannot be read', async () => {
    const ask = async (number: string, frame: object) =>
      (await world.ask('POST', '/injections', { number, frames: [frame] })).status
    assert.equal(await ask('5511900000009', { as: 'frame', bytes: '' }), 404)
    assert.equal(await ask(ALICE, { as: 'plaintext', from: '5511900000009', bytes: '' }), 404)
    assert.equal(
      await ask(ALICE, { as: 'patch', collection: 'regular', bytes: base64(Buffer.from([255])) }),
      400,
    )
    assert.equal(
      await ask(ALICE, {
        as: 'action',
        collection: 'regular',
        index: ['x'],
        bytes: base64(Buffer.from([255])),
      }),
      400,
    )
  })

  test('bytes of the socket and an answer to a handshake are sent as they are', async () => {
    const received = once(client.socket.ws, 'message') as Promise<[Buffer]>
    // One byte of a length: the client waits for the rest.
    assert.equal(await inject({ as: 'socket', bytes: base64(Buffer.from([7])) }), 1)
    assert.deepEqual((await received)[0], Buffer.from([7]))
    await client.end()
    assert.equal(await inject({ as: 'hello', bytes: base64(Buffer.from('no handshake')) }), 1)
    // No client is connected.
    assert.equal(await inject({ as: 'frame', bytes: '' }), 0)
    await assert.rejects(client.login())
    await client.login()
  })
})
