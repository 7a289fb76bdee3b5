import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client } from './support/client.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'

describe('pairing', () => {
  let world: World
  before(async () => {
    world = await World.start({ limits: { pairingCodeMs: 60_000 } })
    await world.phone(ALICE, 'Alice')
    await world.phone(BOB, 'Bob')
  })
  after(() => world.stop())

  test('an unmodified client is paired by QR, and text goes both ways', async () => {
    const client = await new Client(world).pair(ALICE)
    const sent = await client.socket.sendMessage(`${BOB}@s.whatsapp.net`, { text: 'hello Bob' })
    const shown = await world.shown(BOB, sent?.key.id ?? '')
    assert.equal(shown.text, 'hello Bob')
    assert.equal(shown.from, ALICE)
    const id = await world.send(BOB, { to: ALICE, text: 'hello Alice' })
    assert.equal((await client.message(id)).message?.conversation, 'hello Alice')
    await client.end()
  })
})
