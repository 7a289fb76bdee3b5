// Messages that could not be decrypted are asked for, survive a restart, and are reported if no one answers.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualTime, promisesSettled } from '../../../test/support/manual-time.ts'
import type { Arrival } from '../../network/network.ts'
import { createUnreadable } from './unreadable.ts'

const ANA = '5511900000001@s.whatsapp.net'
const START = 1_800_000_000_000
const stanza = (id: string, attrs = {}) => ({
  tag: 'message',
  attrs: { id, from: ANA, t: String(START / 1000), ...attrs },
})

function stage() {
  const time = manualTime(START)
  const stored = new Map<string, Uint8Array>()
  const script = {
    time,
    retries: [] as [id: string | undefined, count: number][],
    phone: [] as (string | null | undefined)[][],
    arrivals: [] as Arrival[],
    offline: false,
  }
  /** A connection on the same store. */
  const connect = async () => {
    const unreadable = createUnreadable({
      socket: () => ({
        me: { id: '5511900000009:3@s.whatsapp.net' },
        requestAgain: async ({ id }, count) => void script.retries.push([id, count]),
        async requestFromPhone(keys) {
          if (script.offline) throw new Error('closed')
          script.phone.push(keys.map(({ id }) => id))
        },
      }),
      credentials: {
        read: async () => stored,
        async writeBehind(keys) {
          for (const { name, value } of keys) {
            if (value) stored.set(name, value)
            else stored.delete(name)
          }
        },
      },
      track: (arrival) => void script.arrivals.push(arrival),
      encode: (attrs, reason) => Buffer.from(`${attrs.id} ${reason}`),
      clock: time.now,
      timers: time.timers,
      log: { debug: () => undefined },
    })
    await unreadable.load()
    unreadable.start()
    return unreadable
  }
  const reported = () => script.arrivals.map(({ payload }) => Buffer.from(payload).toString())
  return Object.assign(script, { connect, reported, stored })
}

describe('a message that could not be decrypted', () => {
  test('is requested from its sender, from the phone, and reported once', async () => {
    const { connect, retries, phone, reported, time } = stage()
    const unreadable = await connect()
    await unreadable.failed(stanza('M1'), 'decryption_failed')
    assert.deepEqual([retries, phone], [[['M1', 1]], []])
    await time.advance(3500)
    assert.deepEqual(phone, [['M1']])
    await unreadable.failed(stanza('M1'), 'decryption_failed')
    assert.deepEqual(retries.at(-1), ['M1', 2])
    await time.advance(120_000)
    assert.deepEqual([phone.length, reported()], [1, ['M1 decryption_failed']])
  })

  test('is not asked for any more once it is there', async () => {
    const { connect, phone, reported, stored, time } = stage()
    const unreadable = await connect()
    await unreadable.failed(stanza('M1'), 'decryption_failed')
    unreadable.arrived('M1')
    await time.advance(120_000)
    assert.deepEqual([phone, reported(), stored.size], [[], [], 0])
  })

  test('survives a restart: the next connection asks the phone, and reports it', async () => {
    const { connect, phone, reported, time } = stage()
    const before = await connect()
    await before.failed(stanza('M1'), 'decryption_failed')
    before.stop()
    await time.advance(3500)
    assert.deepEqual(phone, [])
    await connect()
    await promisesSettled()
    assert.deepEqual(phone, [['M1']])
    await time.advance(60_000)
    assert.deepEqual(reported(), ['M1 decryption_failed'])
  })

  test('is requested from the phone again if the connection ended meanwhile', async () => {
    const script = stage()
    script.offline = true
    const unreadable = await script.connect()
    await unreadable.failed(stanza('M1'), 'no_content')
    await script.time.advance(3500)
    script.offline = false
    await script.time.advance(2000)
    assert.deepEqual(script.phone, [['M1']])
  })

  test('fails six times: five requests, and a report with the sixth, which takes back nothing from the phone', async () => {
    const { connect, retries, phone, reported, time } = stage()
    const unreadable = await connect()
    await unreadable.failed(stanza('M1'), 'decryption_failed')
    await time.advance(3500)
    for (let failure = 2; failure <= 6; failure += 1)
      await unreadable.failed(stanza('M1'), 'decryption_failed')
    assert.deepEqual(
      retries.map(([, count]) => count),
      [1, 2, 3, 4, 5],
    )
    assert.deepEqual([phone, reported()], [[['M1']], ['M1 decryption_failed']])
  })

  test('between devices of the account is requested again, and never reported as a message', async () => {
    const { connect, retries, phone, reported, time } = stage()
    const unreadable = await connect()
    await unreadable.failed(stanza('P1', { category: 'peer' }), 'decryption_failed')
    await time.advance(120_000)
    assert.deepEqual([retries, phone, reported()], [[['P1', 1]], [], []])
  })

  test('is one of at most a hundred that wait; beyond that the oldest is reported', async () => {
    const { connect, reported } = stage()
    const unreadable = await connect()
    for (let index = 1; index <= 102; index += 1)
      await unreadable.failed(stanza(`M${index}`), 'decryption_failed')
    assert.deepEqual(reported(), ['M1 decryption_failed', 'M2 decryption_failed'])
  })

  test('without a valid envelope is neither asked for nor reported, and does not hinder the others', async () => {
    const { connect, retries, reported, phone, time } = stage()
    const unreadable = await connect()
    await unreadable.failed(stanza('M1', { from: 'nowhere' }), 'decryption_failed')
    await unreadable.failed(stanza('M2'), 'decryption_failed')
    await time.advance(120_000)
    assert.deepEqual([retries, phone, reported()], [[['M2', 1]], [['M2']], ['M2 decryption_failed']])
  })

  test('whose list is stored in a form of a later version is forgotten, and the others are not', async () => {
    const { connect, stored, reported } = stage()
    stored.set('waiting', Buffer.from('{"version":2}'))
    const unreadable = await connect()
    await unreadable.failed(stanza('M1'), 'only_on_phone')
    assert.deepEqual(reported(), ['M1 only_on_phone'])
  })
})
