import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Curve } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import { Client } from './support/client.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'

describe('pairing', () => {
  let world: World
  before(async () => {
    world = await World.start()
    await world.phone(ALICE, 'Alice')
    await world.phone(BOB, 'Bob')
  })
  after(() => world.stop())

  const devicesOf = async (number: string) =>
    (await world.get(`/phones/${number}`, answers.phone)).phone.devices
  const waitingForCode = async (number: string, code: string, where = world) => {
    const client = new Client(where)
    await client.qr()
    // Queries are answered in order, so after this answer the sandbox has the request for a code.
    await client.socket.requestPairingCode(number, code)
    await client.socket.query({
      tag: 'iq',
      attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'w:p', id: client.socket.generateMessageTag() },
      content: [{ tag: 'ping', attrs: {} }],
    })
    return client
  }

  test('an unmodified client is paired by QR code, and texts arrive in both directions', async () => {
    const client = await new Client(world).pair(ALICE)
    assert.equal(client.creds.me?.id, `${ALICE}:1@s.whatsapp.net`)
    const sent = await client.socket.sendMessage(`${BOB}@s.whatsapp.net`, { text: 'hello Bob' })
    const shown = await world.shown(BOB, sent?.key.id ?? '')
    assert.equal(shown.text, 'hello Bob')
    assert.equal(shown.from, ALICE)
    const id = await world.send(BOB, { to: ALICE, text: 'hello Alice' })
    assert.equal((await client.message(id)).message?.conversation, 'hello Alice')
    await client.socket.logout()
    assert.equal(await client.closed(), 401)
  })

  test('a QR code can be scanned only once', async () => {
    const client = new Client(world)
    const qr = await client.qr()
    const [first, second] = await Promise.all([
      world.ask('POST', `/phones/${ALICE}/scan`, { qr }),
      world.ask('POST', `/phones/${BOB}/scan`, { qr }),
    ])
    assert.equal(first.status, 200)
    assert.deepEqual([second.status, second.body['reason']], [409, 'qr_used'])
    await client.restarted()
    const third = await world.ask('POST', `/phones/${BOB}/scan`, { qr })
    assert.equal(third.body['reason'], 'qr_used')
    assert.equal((await devicesOf(BOB)).length, 0)
    await client.end()
  })

  test('a QR code of a disconnected client and an invented QR code are refused', async () => {
    const client = new Client(world)
    const qr = await client.qr()
    await client.end()
    const gone = await untilDisconnected(() => world.ask('POST', `/phones/${ALICE}/scan`, { qr }))
    assert.deepEqual([gone.status, gone.body['reason']], [410, 'qr_expired'])
    const invented = await world.ask('POST', `/phones/${ALICE}/scan`, { qr: '2@x,a,b,c' })
    assert.equal(invented.status, 400)
  })

  test('a typed pairing code links the client; a wrong code does not, and can be corrected', async () => {
    const client = await waitingForCode(BOB, 'ABCD1234')
    const wrong = await world.ask('POST', `/phones/${BOB}/enter-code`, { code: 'WXYZ-9876' })
    assert.deepEqual([wrong.status, wrong.body['reason']], [409, 'wrong_code'])
    assert.equal((await devicesOf(BOB)).length, 0)
    await world.post(`/phones/${BOB}/enter-code`, { code: 'abcd-1234' })
    await client.restarted()
    assert.equal((await devicesOf(BOB)).length, 1)
    await client.socket.logout()
  })

  test('a pairing code expires', async () => {
    const impatient = await World.start({ limits: { pairingCodeMs: -1 } })
    await impatient.phone(BOB, 'Bob')
    const client = await waitingForCode(BOB, 'ABCD1234', impatient)
    const late = await impatient.ask('POST', `/phones/${BOB}/enter-code`, { code: 'ABCD1234' })
    assert.deepEqual([late.status, late.body['reason']], [410, 'code_expired'])
    const none = await impatient.ask('POST', `/phones/${BOB}/enter-code`, { code: 'ABCD1234' })
    assert.deepEqual([none.status, none.body['reason']], [404, 'code_not_requested'])
    await client.end()
    await impatient.stop()
  })

  test('a client without valid signatures of its identity is not linked', async () => {
    const forger = new Client(world)
    Object.assign(forger.creds.signedIdentityKey, { private: Curve.generateKeyPair().private })
    const refused = await world.ask('POST', `/phones/${BOB}/scan`, { qr: await forger.qr() })
    assert.deepEqual([refused.status, refused.body['reason']], [409, 'pairing_failed'])
    const careless = new Client(world)
    Object.assign(careless.creds.signedPreKey, { signature: randomBytes(64) })
    const unsigned = await world.ask('POST', `/phones/${BOB}/scan`, { qr: await careless.qr() })
    assert.deepEqual([unsigned.status, unsigned.body['reason']], [409, 'pairing_failed'])
    assert.equal((await devicesOf(BOB)).length, 0)
    await forger.end()
    await careless.end()
  })

  test('a login with an unknown key is refused, and a second login replaces the first', async () => {
    const client = await new Client(world).pair(BOB)
    const intruder = new Client(world)
    intruder.creds.me = { id: client.creds.me?.id ?? '', name: 'x' }
    await assert.rejects(intruder.login(), /Connection Failure/)
    assert.equal(await intruder.closed(), 401)
    const twin = new Client(world)
    twin.creds = client.creds
    twin.keys = client.keys
    await twin.login()
    assert.equal(await client.closed(), 440)
    await twin.end()
  })
})

/** Retries until the sandbox has noticed that the socket is closed. */
async function untilDisconnected<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    const answer = await ask()
    if (answer.status !== 409 || tries > 50) return answer
  }
}
