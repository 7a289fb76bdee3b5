// The event stream of the dashboard: backoff, resuming without gaps, and throttled invalidation.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import { type ManualTime, manualTime } from '../../test/support/manual-time.ts'
import { createLive, type Live } from './live.ts'

/** Replaces the browser's EventSource; the test opens it and makes it fail. */
class ScriptedSource extends EventTarget {
  static all: ScriptedSource[] = []
  static readonly CLOSED = 2
  readyState = 0
  readonly address: string
  closed = false
  constructor(address: string) {
    super()
    this.address = address
    ScriptedSource.all.push(this)
  }
  close(): void {
    this.closed = true
  }
  say(id: string): void {
    const data = JSON.stringify({ id, event: 'messages.update' })
    this.dispatchEvent(new MessageEvent('messages.update', { data }))
  }
}
const latest = (): ScriptedSource => {
  const source = ScriptedSource.all.at(-1)
  assert.ok(source)
  return source
}
const open = () => latest().dispatchEvent(new Event('open'))
const fail = () => latest().dispatchEvent(new Event('error'))

describe('the event stream of the dashboard', () => {
  const before = globalThis.EventSource
  let live: Live
  let time: ManualTime
  let queries: QueryClient
  let read: unknown[]
  let status: number
  beforeEach(() => {
    time = manualTime()
    Object.assign(globalThis, { EventSource: ScriptedSource })
    ScriptedSource.all = []
    read = []
    queries = new QueryClient()
    queries.invalidateQueries = async (filters) => void read.push(filters?.queryKey ?? 'everything')
    status = 503
    live = createLive(time.timers)
    live.start(queries, async () => status === 403)
  })
  afterEach(() => {
    live.stop()
    Object.assign(globalThis, { EventSource: before })
  })

  test('each failed attempt doubles the backoff up to 30 seconds; a success resets it', () => {
    for (const waitMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      const tries = ScriptedSource.all.length
      fail()
      assert.equal(live.state(), 'waiting')
      assert.ok(latest().closed, 'the browser does not reconnect as well')
      time.pass(waitMs - 1)
      assert.equal(ScriptedSource.all.length, tries, `not before ${waitMs} ms`)
      time.pass(1)
      assert.equal(ScriptedSource.all.length, tries + 1, `after ${waitMs} ms`)
      assert.equal(live.state(), 'connecting')
    }
    open()
    assert.equal(live.state(), 'live')
    fail()
    time.pass(1000)
    assert.equal(live.state(), 'connecting')
  })

  const refuse = async () => {
    latest().readyState = ScriptedSource.CLOSED
    fail()
    await Promise.resolve()
    await Promise.resolve()
  }

  test('a stream that the gateway refuses to the key is not requested again', async () => {
    status = 403
    await refuse()
    assert.equal(live.state(), 'off')
    time.pass(60_000)
    assert.equal(ScriptedSource.all.length, 1)
  })

  test('a stream that is refused for another reason is requested again', async () => {
    await refuse()
    assert.equal(live.state(), 'waiting')
    time.pass(1000)
    assert.equal(ScriptedSource.all.length, 2)
  })

  test('it resumes after the last received event and invalidates all queries', () => {
    open()
    assert.deepEqual(read, ['everything'])
    latest().say('evt_1_7')
    fail()
    time.pass(1000)
    assert.equal(latest().address, '/api/v1/events/stream?after=evt_1_7')
    read.length = 0
    open()
    assert.deepEqual(read, ['everything'])
  })

  test('a burst of events invalidates each query at its start and once more, not once per event', () => {
    open()
    read.length = 0
    for (let sequence = 1; sequence <= 50; sequence += 1) latest().say(`evt_1_${sequence}`)
    const first = read.length
    assert.ok(first > 0 && first < 10, 'at once')
    time.pass(500)
    assert.equal(read.length, 2 * first)
    time.pass(10_000)
    assert.equal(read.length, 2 * first, 'nothing is read where nothing came')
  })

  test('after stop it does not reconnect and forgets its position', () => {
    open()
    latest().say('evt_1_7')
    fail()
    live.stop()
    time.pass(60_000)
    assert.equal(ScriptedSource.all.length, 1)
    live.start(queries, async () => false)
    assert.equal(latest().address, '/api/v1/events/stream')
  })
})
