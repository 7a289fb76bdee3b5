// Messages that cannot be processed (promise B21). `test/long/fatal-messages.test.ts` has those that stop the event loop, on both engines.
import { describeFatal } from '../soak/fatal-messages.ts'
import { engines } from '../support/engines.ts'

for (const engine of engines.slice(0, 1)) describeFatal(engine, [])
