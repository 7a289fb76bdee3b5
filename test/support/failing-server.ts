// The server's process with failpoints in its seams, armed over the channel to the test that started it, and a clock that a test
// can set ahead.
import { serve } from '../../src/serve.ts'
import { type ArmOrder, createFailpoints, failingNetwork, failingStore } from './failpoints.ts'

const { arm, pass } = createFailpoints((report) => process.send?.(report))
process.on('message', (order: ArmOrder) => arm(order))
// The channel alone must not keep the process alive.
process.channel?.unref()
const aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0)
await serve(process.env, {
  wrapStore: failingStore(pass),
  wrapNetwork: failingNetwork(pass),
  clock: () => Date.now() + aheadMs,
})
