// A signal that lives as long as the process has one platform listener, for any number of requests.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, test } from 'node:test'
import { startDeadline } from '../outbound/failure.ts'
import { onAbort } from './waiting.ts'

describe('onAbort', () => {
  test('runs each listener once, and no removed one', () => {
    const stop = new AbortController()
    const ran: string[] = []
    onAbort(stop.signal, () => ran.push('first'))
    const forget = onAbort(stop.signal, () => ran.push('second'))
    onAbort(stop.signal, () => ran.push('third'))
    forget()
    stop.abort()
    forget()
    assert.deepEqual(ran, ['first', 'third'])
  })

  test('runs at once if the signal is aborted already', () => {
    const ran: string[] = []
    onAbort(AbortSignal.abort(), () => ran.push('now'))()
    assert.deepEqual(ran, ['now'])
  })

  test('a thousand deadlines add one listener to the signal', () => {
    const stop = new AbortController()
    const deadlines = Array.from({ length: 1000 }, () => startDeadline(60_000, stop.signal))
    assert.equal(getEventListeners(stop.signal, 'abort').length, 1)
    deadlines[0]?.clear()
    stop.abort()
    assert.deepEqual(
      deadlines.map(({ signal }) => signal.aborted),
      deadlines.map((_, index) => index > 0),
    )
    for (const deadline of deadlines) deadline.clear()
  })
})
