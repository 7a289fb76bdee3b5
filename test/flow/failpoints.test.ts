// A kill where it would lose or repeat most, once for sending and once for receiving (promise A3). `test/long/failpoints.test.ts` has every
// point, on both engines.
import { describeFaults } from '../soak/failpoint-cases.ts'
import { engines } from '../support/engines.ts'

for (const engine of engines.slice(0, 1))
  describeFaults(engine, [
    { point: 'send.after', how: 'kill' },
    { point: 'received.after', how: 'kill' },
  ])
