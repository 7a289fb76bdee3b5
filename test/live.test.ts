// The dashboard's one event stream: how long it waits between tries, and that nothing is missed or read in vain on the way.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import { createLive, type Live } from '../dashboard/live.ts'

/** Stands in for the browser's own: opens and fails when the test says so. */
class ScriptedSource extends EventTarget {
  static all: ScriptedSource[] = []
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
  let queries: QueryClient
  let read: unknown[]
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    Object.assign(globalThis, { EventSource: ScriptedSource })
    ScriptedSource.all = []
    read = []
    queries = new QueryClient()
    queries.invalidateQueries = async (filters) => void read.push(filters?.queryKey ?? 'everything')
    live = createLive()
    live.start(queries)
  })
  afterEach(() => {
    live.stop()
    mock.timers.reset()
    Object.assign(globalThis, { EventSource: before })
  })

  test('each try that fails doubles the wait, up to half a minute; one that succeeds begins anew', () => {
    for (const waitMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      const tries = ScriptedSource.all.length
      fail()
      assert.equal(live.state(), 'waiting')
      assert.ok(latest().closed, 'the browser does not try by itself beside us')
      mock.timers.tick(waitMs - 1)
      assert.equal(ScriptedSource.all.length, tries, `not before ${waitMs} ms`)
      mock.timers.tick(1)
      assert.equal(ScriptedSource.all.length, tries + 1, `after ${waitMs} ms`)
      assert.equal(live.state(), 'connecting')
    }
    open()
    assert.equal(live.state(), 'live')
    fail()
    mock.timers.tick(1000)
    assert.equal(live.state(), 'connecting')
  })

  test('it goes on after the last event that came, and everything on the page is read anew', () => {
    open()
    assert.deepEqual(read, ['everything'])
    latest().say('evt_1_7')
    fail()
    mock.timers.tick(1000)
    assert.equal(latest().address, '/api/v1/events/stream?after=evt_1_7')
    read.length = 0
    open()
    assert.deepEqual(read, ['everything'])
  })

  test('a burst of events has each reading done at once and then once more, not once an event', () => {
    open()
    read.length = 0
    for (let sequence = 1; sequence <= 50; sequence += 1) latest().say(`evt_1_${sequence}`)
    const first = read.length
    assert.ok(first > 0 && first < 10, 'at once')
    mock.timers.tick(500)
    assert.equal(read.length, 2 * first)
    mock.timers.tick(10_000)
    assert.equal(read.length, 2 * first, 'nothing is read where nothing came')
  })

  test('once stopped it neither tries again nor remembers where it was', () => {
    open()
    latest().say('evt_1_7')
    fail()
    live.stop()
    mock.timers.tick(60_000)
    assert.equal(ScriptedSource.all.length, 1)
    live.start(queries)
    assert.equal(latest().address, '/api/v1/events/stream')
  })
})
