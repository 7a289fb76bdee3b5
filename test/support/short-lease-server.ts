// A server process with a short lease: the shortest that users can set would make each takeover last a quarter of a minute.
import { serve } from '../../src/serve.ts'

await serve(process.env, { leaseSeconds: 8 })
