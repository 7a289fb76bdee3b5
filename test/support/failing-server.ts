// A server process with failpoints, which the test arms over the IPC channel, and a clock that the test can set ahead.
import { serve } from '../../src/serve.ts'
import { type ArmOrder, createFailpoints, failingNetwork, failingStore } from './failpoints.ts'

const { arm, pass } = createFailpoints((report) => process.send?.(report))
process.on('message', (order: ArmOrder) => arm(order))
// A run that was killed leaves no server behind.
process.on('disconnect', () => process.exit(1))
// The channel alone must not keep the process alive.
process.channel?.unref()
const aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0)
await serve(process.env, {
  wrapStore: failingStore(pass),
  wrapNetwork: failingNetwork(pass),
  clock: () => Date.now() + aheadMs,
})
