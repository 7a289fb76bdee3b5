// Privacy tokens, with the driver alone: a recipient gets one token, not one with every message.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { NetworkSession } from '../../src/network/network.ts'
import { Client } from '../sandbox/support/client.ts'
import { World } from '../sandbox/support/world.ts'
import { until } from '../support/linked.ts'
import { openPortSession } from '../support/port-session.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
/** Bob's first linked device. */
const LINKED = 1
const MESSAGES = 4

const idOf = (count: number): string => `3EB0${String(count).padStart(18, '0')}`

describe('privacy tokens', () => {
  let world: World
  let session: NetworkSession
  let bob: Client
  before(async () => {
    world = await World.start()
    for (const number of [ALICE, BOB]) await world.phone(number, `Phone ${number}`)
    // Tokens go to linked devices: they have no phone's book of contacts.
    bob = await new Client(world).pair(BOB)
    session = await openPortSession(world, ALICE)
  })
  after(async () => {
    await session.close()
    await bob.end()
    await world.stop()
  })

  async function send(count: number): Promise<void> {
    const chat = `${BOB}@s.whatsapp.net`
    const content = { kind: 'text', content: { message: `message ${count}` } } as const
    const payload = await session.prepare(chat, content, { media: () => assert.fail('a text has no file') })
    const messageId = idOf(count)
    const result = await session.send({ messageId, chat, payload, stored: Promise.resolve() })
    assert.deepEqual(result, { accepted: true })
  }

  async function arrived() {
    const frames = (await world.frames(`number=${BOB}`)).filter(
      ({ direction, device }) => direction === 'out' && device === LINKED,
    )
    return {
      tokens: frames.filter(({ attributes }) => attributes['type'] === 'privacy_token').length,
      hasLast: frames.some(({ tag, id }) => tag === 'message' && id === idOf(MESSAGES)),
    }
  }

  test('each recipient gets one, however many messages follow', async () => {
    for (let count = 1; count <= MESSAGES; count += 1) await send(count)
    // The network hands on in its order: with the last message, what went beside the ones before it is there.
    const all = await until('the last message and a token', async () => {
      const soFar = await arrived()
      return soFar.hasLast && soFar.tokens > 0 ? soFar : undefined
    })
    assert.equal(all.tokens, 1)
  })
})
