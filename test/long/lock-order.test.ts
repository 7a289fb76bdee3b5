// Every pair of writing operations again, in other groups than `test/lock-order.test.ts` makes of them, and on SQLite.
import { test } from 'node:test'
import { engines } from '../support/engines.ts'
import { checkLockOrders } from '../support/lock-orders.ts'

/** SQLite has one writer at a time: one round shows that nothing else goes wrong. */
const ROUNDS = { sqlite: [0], postgres: [1, 2, 3] }

for (const engine of engines)
  test(`every pair of writing operations runs without a deadlock, in other groups, on ${engine.name}`, () =>
    checkLockOrders(engine, ROUNDS[engine.name]))
