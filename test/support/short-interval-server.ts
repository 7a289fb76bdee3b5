// A server process whose driver has short intervals.
import { serve } from '../../src/serve.ts'
import { SHORT_INTERVALS } from './short-intervals.ts'

const { SIGNED_KEY_MS } = process.env
await serve(process.env, {
  times: {
    ...SHORT_INTERVALS,
    ...(SIGNED_KEY_MS === undefined ? {} : { signedKeyMs: Number(SIGNED_KEY_MS) }),
  },
})
