// A server process with a short lease: the shortest that users can set would make each takeover last a quarter of a minute. Its
// clock can be wrong, as that of another machine.
import { serve } from '../../src/serve.ts'

const wrongByMs = Number(process.env.WRONG_CLOCK_MS ?? 0)
const realNow = Date.now
if (wrongByMs !== 0) Date.now = () => realNow() + wrongByMs
await serve(process.env, { leaseSeconds: Number(process.env.SHORT_LEASE_SECONDS ?? 8) })
