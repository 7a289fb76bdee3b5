// When instances are moved between nodes that all work.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisesSettled } from '../../test/support/manual-time.ts'
import type { PeerNode } from '../store/leases.ts'
import { createBalancer } from './balancer.ts'

const SETTLE_MS = 30_000
const RENEW_MS = 3000
const peer = (id: number, instances: number, isDraining = false): PeerNode => ({
  id,
  name: `node ${id}`,
  url: `http://node-${id}:7000`,
  leaseUntil: 0,
  startedAt: 0,
  isDraining,
  instances,
})

/** A node with 24 instances that has long been running. */
function start() {
  let time = 1_000_000
  const released: number[] = []
  const balancer = createBalancer({
    sessions: {
      take: async () => 0,
      release: async (limit = 0) => {
        released.push(limit)
        return limit
      },
      count: () => ({ sessions: 24, waitingHandshakes: 0 }),
    },
    startedAt: 0,
    settleMs: SETTLE_MS,
    clock: () => time,
    logger: { info: () => undefined, warn: () => undefined },
    onTaken: () => undefined,
    onReleased: async () => undefined,
  })
  balancer.start()
  /** Renewals that find these nodes, for this time. */
  async function see(others: PeerNode[], lastsMs: number, untaken = 0): Promise<number> {
    for (const end = time + lastsMs; time < end; time += RENEW_MS) {
      balancer.observe({
        others,
        untaken,
        isDraining: false,
        time: { databaseMs: 0, sentMs: 0, answeredMs: 0 },
      })
      await promisesSettled()
    }
    return released.splice(0).length
  }
  return { see }
}

test('no instance is moved while a node drains, nor for a while after it has left', async () => {
  const { see } = start()
  assert.equal(await see([peer(2, 20), peer(3, 20, true)], 2 * SETTLE_MS), 0, 'drains')
  // The count of the other node is from before it has taken its part.
  assert.equal(await see([peer(2, 20)], SETTLE_MS - RENEW_MS), 0, 'has left')
  assert.ok((await see([peer(2, 20)], SETTLE_MS)) > 0, 'a difference that stays is evened out')
})

test('no instance is moved for a while after some had no node', async () => {
  const { see } = start()
  await see([peer(2, 24)], 2 * SETTLE_MS)
  await see([peer(2, 20)], RENEW_MS, 4)
  assert.equal(await see([peer(2, 20)], SETTLE_MS - RENEW_MS), 0)
})
