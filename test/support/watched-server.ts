// A server process that reports the stalls of its event loop to the run that started it. It ends with that run.
import { serve } from '../../src/serve.ts'
import { reportLoop } from './loop-watch.ts'

reportLoop()
await serve(process.env)
