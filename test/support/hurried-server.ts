// The server's process with a driver in a hurry: its own times are made for people and real networks.
import { serve } from '../../src/serve.ts'

await serve(process.env, { times: { keepAliveMs: 500, codeMs: 1000 } })
