// An arrival during which a process died comes last and alone, and nothing that hangs keeps the others for longer than a minute.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualTime, promisesSettled } from '../../test/support/manual-time.ts'
import { createArrivalTurns, TURN_TIMES } from './arrival-guard.ts'

/** Arrivals by name; each is in progress until it is ended. */
function stage() {
  const time = manualTime()
  const turns = createArrivalTurns(TURN_TIMES, time.timers, time.now)
  const ends = new Map<string, () => void>()
  const begin = (how: 'together' | 'alone') => (name: string) =>
    turns[how](() => new Promise<void>((resolve) => void ends.set(name, resolve))).finally(() =>
      ends.delete(name),
    )
  return {
    /** A timer of what was called before must be set when the time passes. */
    async advance(ms: number): Promise<void> {
      await promisesSettled()
      await time.advance(ms)
    },
    turns,
    together: begin('together'),
    alone: begin('alone'),
    inWork: () => [...ends.keys()],
    async end(name: string): Promise<void> {
      ends.get(name)?.()
      // A suspect that has ended lets the others begin before the next one.
      await promisesSettled()
      await promisesSettled()
    },
  }
}

describe('turns of arrivals', () => {
  test('others are in progress together, and begin at once', () => {
    const { together, inWork } = stage()
    void together('a')
    void together('b')
    assert.deepEqual(inWork(), ['a', 'b'])
  })

  test('a suspect begins when no other one was in progress for a second', async () => {
    const { advance, together, alone, inWork, end } = stage()
    void alone('suspect')
    await advance(TURN_TIMES.quietMs - 1)
    void together('other')
    await advance(TURN_TIMES.quietMs * 2)
    assert.deepEqual(inWork(), ['other'])
    await end('other')
    await advance(TURN_TIMES.quietMs - 1)
    assert.deepEqual(inWork(), [])
    await advance(1)
    assert.deepEqual(inWork(), ['suspect'])
  })

  test('suspects follow one another one at a time; what came meanwhile is handled in between', async () => {
    const { advance, together, alone, inWork, end } = stage()
    void alone('first')
    void alone('second')
    await advance(TURN_TIMES.quietMs)
    void together('other')
    await promisesSettled()
    assert.deepEqual(inWork(), ['first'])
    await end('first')
    assert.deepEqual(inWork(), ['other'])
    await end('other')
    assert.deepEqual(inWork(), ['second'])
  })

  test('arrivals that keep coming put off a suspect for ten seconds, and then wait for it', async () => {
    const { advance, together, alone, inWork, end } = stage()
    void together('a')
    void alone('suspect')
    await advance(TURN_TIMES.longestQuietMs)
    void together('b')
    await promisesSettled()
    assert.deepEqual(inWork(), ['a'])
    await end('a')
    assert.deepEqual(inWork(), ['suspect'])
    await end('suspect')
    assert.deepEqual(inWork(), ['b'])
  })

  test('what hangs stops neither a suspect nor the others', async () => {
    const { advance, together, alone, inWork } = stage()
    void together('hangs')
    void alone('suspect')
    await advance(TURN_TIMES.longestQuietMs)
    void together('other')
    await advance(TURN_TIMES.longestTurnMs)
    assert.deepEqual(inWork().toSorted(), ['hangs', 'other', 'suspect'])
  })

  test('a suspect that fails ends its turn', async () => {
    const { advance, turns, together, inWork } = stage()
    const failed = assert.rejects(
      turns.alone(() => Promise.reject(new Error('no'))),
      /no/,
    )
    await advance(TURN_TIMES.quietMs)
    await failed
    void together('other')
    assert.deepEqual(inWork(), ['other'])
  })
})
