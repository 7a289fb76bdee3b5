import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { scriptedBooks, scriptedNetwork, tick } from '../../test/support/scripted-network.ts'
import type { NetworkEvent } from '../network/network.ts'
import { Supervisor } from './supervisor.ts'

const ACCOUNT = { number: '5511900000001', lid: null, name: null }

describe('the standing of an account', () => {
  let net: ReturnType<typeof scriptedNetwork>
  let written: ReturnType<typeof scriptedBooks>

  const settle = async () => {
    for (let round = 0; round < 12; round += 1) await tick()
  }
  const pass = async (ms: number) => {
    mock.timers.tick(ms)
    await settle()
  }
  const happens = async (event: NetworkEvent) => {
    void net.last.emit(event)
    await settle()
  }
  const open = () => happens({ kind: 'opened', account: ACCOUNT })
  const tell = (restrictedUntil: number | null) => happens({ kind: 'standing', restrictedUntil })

  beforeEach(async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
    net = scriptedNetwork()
    written = scriptedBooks()
    const { network } = net
    const { books } = written
    const takeTurn = async () => () => undefined
    void new Supervisor({ network, books, takeTurn, clock: Date.now, random: () => 1 }).start()
    await settle()
    await open()
  })
  afterEach(() => mock.timers.reset())

  test('what the network says unasked counts until it says otherwise, each change once', async () => {
    await tell(null)
    await tell(Date.now() + 60_000)
    await tell(null)
    await tell(null)
    assert.deepEqual(written.moves, ['started', 'opened', 'restricted', 'unrestricted'])
  })

  test('when the time is over the network is asked, and may have prolonged it', async () => {
    const endsAt = Date.now() + 60_000
    net.standing = async () => endsAt + 60_000
    await tell(endsAt)
    await pass(60_000)
    assert.equal(written.moves.at(-1), 'restricted')
    net.standing = async () => null
    await pass(59_999)
    assert.equal(written.moves.at(-1), 'restricted')
    await pass(1)
    assert.equal(written.moves.at(-1), 'unrestricted')
  })

  test('a network that does not answer when the time is over is taken at its word', async () => {
    net.standing = async () => {
      throw new Error('no answer')
    }
    await tell(Date.now() + 60_000)
    await pass(60_000)
    assert.equal(written.moves.at(-1), 'unrestricted')
  })

  test('an end beyond what a timer can hold is not taken for now', async () => {
    const endsAt = Date.now() + 2 ** 32
    net.standing = async () => endsAt
    await tell(endsAt)
    await pass(2 ** 31)
    assert.equal(written.moves.at(-1), 'restricted')
    net.standing = async () => null
    await pass(2 ** 31)
    assert.equal(written.moves.at(-1), 'unrestricted')
  })

  test('an answer that is overtaken by what the network says unasked does not count', async () => {
    const asked = Promise.withResolvers<null>()
    net.standing = () => asked.promise
    await net.last.close('lost')
    await settle()
    await pass(1000)
    await open()
    await tell(Date.now() + 600_000)
    asked.resolve(null)
    await settle()
    assert.deepEqual(written.moves.slice(-2), ['opened', 'restricted'])
  })

  test('the restriction outlives the connection, and is asked for at the next', async () => {
    net.standing = async () => Date.now() + 600_000
    await tell(Date.now() + 600_000)
    await net.last.close('lost')
    await settle()
    await pass(1000)
    await open()
    assert.deepEqual(written.moves.slice(-2), ['opened', 'restricted'])
  })
})
