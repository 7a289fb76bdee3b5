// No two operations of the store ever deadlock: all take their locks in one order (decision 0078). `npm run test:long` repeats it
// with other groups of operations.
import { test } from 'node:test'
import { engines } from './support/engines.ts'
import { checkLockOrders } from './support/lock-orders.ts'

const postgres = engines.find(({ name }) => name === 'postgres')

test('every pair of writing operations runs at the same time without a deadlock', {
  skip: postgres === undefined,
}, async () => {
  if (postgres) await checkLockOrders(postgres, [0])
})
