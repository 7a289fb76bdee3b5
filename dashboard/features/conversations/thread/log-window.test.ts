import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Edge,
  type LogWindow,
  MOST_MOUNTED,
  movedWindow,
  nearEdge,
  windowAround,
  windowAtEnd,
} from './log-window.ts'

const COUNT = 1000

/** Moves until nothing changes, and checks every step. */
function moveAll(start: LogWindow, near: Edge | undefined): LogWindow {
  let window = start
  for (let moves = 0; moves < COUNT; moves += 1) {
    const next = movedWindow(COUNT, window, near)
    assert.ok(next.first >= 0 && next.last <= COUNT && next.last - next.first <= MOST_MOUNTED)
    assert.ok(next.first <= window.last && next.last >= window.first, 'what is read stays mounted')
    if (next.first === window.first && next.last === window.last) return window
    window = next
  }
  throw new Error('it never ends')
}

test('the window follows the reader to the oldest message and back, and is never larger than its limit', () => {
  const oldest = moveAll(windowAtEnd(COUNT), 'older')
  assert.deepEqual(oldest, { first: 0, last: MOST_MOUNTED })
  assert.deepEqual(moveAll(oldest, 'newer'), { first: COUNT - MOST_MOUNTED, last: COUNT })
})

test('a window with room grows at both sides, and stays where it is when it is full', () => {
  const grown = moveAll(windowAround(COUNT, 500), undefined)
  assert.deepEqual(grown, { first: 290, last: 530 })
  assert.deepEqual(moveAll(windowAround(COUNT, 0), undefined), { first: 0, last: MOST_MOUNTED })
})

test('a short conversation is mounted whole', () => {
  assert.deepEqual(movedWindow(70, windowAtEnd(70), undefined), { first: 0, last: 70 })
  assert.deepEqual(windowAtEnd(0), { first: 0, last: 0 })
  assert.deepEqual(movedWindow(0, windowAtEnd(0), 'older'), { first: 0, last: 0 })
})

test('a message at the end of a jump is within the window', () => {
  for (const index of [0, 1, 500, COUNT - 1]) {
    const { first, last } = windowAround(COUNT, index)
    assert.ok(first <= index && index < last)
  }
})

test('the reader is near the edge with less out of sight', () => {
  assert.equal(nearEdge(100, 9000), 'older')
  assert.equal(nearEdge(9000, 100), 'newer')
  assert.equal(nearEdge(9000, 9000), undefined)
})
