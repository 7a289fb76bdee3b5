import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualTime } from '../../../test/support/manual-time.ts'
import { createQrCodes, platformDisplay } from './linking.ts'

function openCodes(codeMs?: number) {
  const time = manualTime(1000)
  const shown: [string, number][] = []
  let ended = 0
  let secret = 'old'
  const codes = createQrCodes({
    draw: (reference) => `${reference} ${secret}`,
    show: (code, expiresAt) => shown.push([code, expiresAt - time.now()]),
    onEnd: () => (ended += 1),
    codeMs,
    clock: time.now,
    timers: time.timers,
  })
  return { time, shown, codes, ended: () => ended, changeSecret: () => (secret = 'new') }
}

describe('QR codes', () => {
  test('the first is shown for 60 seconds, each further one for 20, then the connection ends', () => {
    const { time, shown, codes, ended } = openCodes()
    codes.begin(['a', 'b', 'c'])
    time.pass(60_000 + 20_000 + 19_999)
    assert.deepEqual(shown, [
      ['a old', 60_000],
      ['b old', 20_000],
      ['c old', 20_000],
    ])
    assert.equal(ended(), 0)
    time.pass(1)
    assert.equal(ended(), 1)
  })

  test('a new secret is drawn with the same reference and for the rest of its time', () => {
    const { time, shown, codes, changeSecret } = openCodes()
    codes.begin(['a', 'b'])
    time.pass(25_000)
    changeSecret()
    codes.redraw()
    time.pass(35_000)
    assert.deepEqual(shown, [
      ['a old', 60_000],
      ['a new', 35_000],
      ['b new', 20_000],
    ])
  })

  test('a pairing code outlives the QR codes', () => {
    const { time, codes, ended } = openCodes(10_000)
    codes.begin(['a'])
    codes.keepUntil(time.now() + 180_000)
    time.pass(179_999)
    assert.equal(ended(), 0)
    time.pass(1)
    assert.equal(ended(), 1)
  })

  test('nothing is shown, and nothing ends, once a phone has read a code', () => {
    const { time, shown, codes, ended } = openCodes()
    codes.begin(['a', 'b'])
    codes.stop()
    codes.redraw()
    time.pass(1_000_000)
    assert.deepEqual([shown.length, ended()], [1, 0])
  })

  test('the network cannot keep a connection open with endless references', () => {
    const { time, shown, codes, ended } = openCodes(1)
    codes.begin(Array.from({ length: 10_000 }, String))
    time.pass(100)
    assert.deepEqual([shown.length, ended()], [32, 1])
  })

  test('at most 100 codes are shown, however often the network replaces their secret', () => {
    const { shown, codes, ended } = openCodes()
    codes.begin(['a'])
    for (let round = 0; round < 99; round += 1) codes.redraw()
    assert.deepEqual([shown.length, ended()], [100, 0])
    codes.redraw()
    assert.deepEqual([shown.length, ended()], [100, 1])
  })
})

test('a request for a pairing code names a real system, whatever the device is called', () => {
  assert.equal(platformDisplay('Acme support'), 'Chrome (Mac OS)')
  assert.equal(platformDisplay(null), 'Chrome (Mac OS)')
  assert.equal(platformDisplay('Windows'), 'Chrome (Windows)')
})
