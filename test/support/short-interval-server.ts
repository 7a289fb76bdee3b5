// A server process whose driver has short intervals: the real ones are made for people and real networks.
import { serve } from '../../src/serve.ts'

const { SIGNED_KEY_MS } = process.env
await serve(process.env, {
  times: {
    keepAliveMs: 500,
    codeMs: 2000,
    pairingCodeMs: 2000,
    ...(SIGNED_KEY_MS === undefined ? {} : { signedKeyMs: Number(SIGNED_KEY_MS) }),
  },
})
