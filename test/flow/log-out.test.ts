// A log-out, with the driver alone: the phone learns of it, even with other requests in flight.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import { World } from '../sandbox/support/world.ts'
import { until } from '../support/linked.ts'
import { openPortSession } from '../support/port-session.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'

describe('a log-out', () => {
  let world: World
  before(async () => {
    world = await World.start()
    await world.phone(ALICE, 'Alice')
    await world.phone(BOB, 'Bob')
  })
  after(() => world.stop())

  const devices = async () => (await world.get(`/phones/${ALICE}`, answers.phone)).phone.devices.length

  test('resolves when its frame has left, not while the frame waits behind a message that is being saved', async () => {
    const session = await openPortSession(world, ALICE)
    const chat = `${BOB}@s.whatsapp.net`
    const noFiles = () => assert.fail('a text has no file')
    const payload = await session.prepare(
      chat,
      { kind: 'text', content: { message: 'just before the end' } },
      { media: noFiles },
    )
    const written = Promise.withResolvers<void>()
    const sending = session.send({
      messageId: '3EB000000000000000000A',
      chat,
      payload,
      stored: written.promise,
    })
    sending.catch(() => undefined)
    let answered = false
    const leaving = session.logOut().then(() => {
      answered = true
    })
    // Answers of the network come and go meanwhile.
    for (let times = 0; times < 5; times += 1) assert.equal(await devices(), 1)
    assert.equal(answered, false, 'answered before the log-out was sent')
    written.resolve()
    await leaving
    await until('the phone has no device', async () => (await devices()) === 0 || undefined)
  })
})
