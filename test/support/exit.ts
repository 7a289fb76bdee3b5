// The exit of a server process, with the limit that the contract sets.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Exit } from './process.ts'

/**
 * The contract allows 20 s. The server enforces that itself: a stop that takes 19 s ends with another exit code, so the code is
 * what counts here. This limit is for a process that does not end at all.
 */
const EXIT_MS = 60_000

/** Fails when the process still runs after the limit, or ends in any other way than with code 0. */
export async function assertCleanExit(exited: Promise<Exit>, output: () => string): Promise<void> {
  const waiting = new AbortController()
  const late = pause(EXIT_MS, undefined, { signal: waiting.signal }).then(() =>
    assert.fail(`the process still runs after ${EXIT_MS} ms:\n${output().slice(-3000)}`),
  )
  try {
    const exit = await Promise.race([exited, late])
    assert.deepEqual(exit, { code: 0, signal: null }, output().slice(-3000))
  } finally {
    late.catch(() => undefined)
    waiting.abort()
  }
}
