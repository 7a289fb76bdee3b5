// The rate limit of a key over several nodes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply } from 'fastify'
import { GatewayError } from '../errors.ts'
import { entryName } from '../kernel/async/entry-name.ts'
import type { Timers } from '../kernel/async/timers.ts'
import { createSharedUses, type KeyUses } from '../nodes/shared-uses.ts'
import { createKeyRateLimit } from './key-rate-limit.ts'

const reply = { headers: () => reply } as unknown as FastifyReply

/** Two nodes that tell each other their uses whenever `tell` is called. */
function twoNodes(requestsPerSecond: number) {
  let now = 0
  const ticks: (() => void)[] = []
  const timers: Pick<Timers, 'setInterval' | 'clearInterval'> = {
    setInterval(run) {
      ticks.push(run)
      return { unref: () => undefined }
    },
    clearInterval: () => undefined,
  }
  const uses: ReturnType<typeof createSharedUses>[] = [0, 1].map((index) =>
    createSharedUses((own: KeyUses[]) => uses[1 - index]?.receive(own), timers),
  )
  const limits = uses.map((sharedUses) =>
    createKeyRateLimit({ requestsPerSecond, clock: () => now, sharedUses }),
  )
  return {
    /** How many of these requests are allowed. */
    ask(node: number, count: number): number {
      let allowed = 0
      for (let index = 0; index < count; index += 1) {
        try {
          limits[node]?.take(reply, entryName('api_key', 1), null)
          allowed += 1
        } catch (error) {
          assert.ok(error instanceof GatewayError && error.reason === 'rate_limited')
        }
      }
      return allowed
    },
    tell: () => ticks.forEach((tick) => tick()),
    pass: (ms: number) => void (now += ms),
  }
}

test('what a key has used on one node counts on the others', () => {
  const { ask, tell } = twoNodes(10)
  assert.equal(ask(0, 100), 20)
  tell()
  assert.equal(ask(1, 100), 0)
})

test('a key that is used on both nodes gets its rate once, not on each of them', () => {
  const { ask, tell, pass } = twoNodes(10)
  let allowed = 0
  for (let second = 0; second < 60; second += 1) {
    for (let part = 0; part < 10; part += 1) {
      allowed += ask(0, 5) + ask(1, 5)
      pass(100)
    }
    tell()
  }
  // The rate for a minute, and what both nodes allow before they first hear of each other.
  assert.ok(allowed >= 600 && allowed <= 600 + 2 * 2 * 20, String(allowed))
})

test('uses are told once', () => {
  const { ask, tell, pass } = twoNodes(10)
  ask(0, 5)
  tell()
  tell()
  pass(500)
  assert.equal(ask(1, 100), 20)
})
