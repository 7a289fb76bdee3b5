// A server process with failpoints, which the test arms over the IPC channel, and a clock that the test can set ahead.
import { serve } from '../../src/serve.ts'
import {
  type ArmOrder,
  type BlockedStep,
  blockingNetwork,
  createFailpoints,
  failingNetwork,
  failingStore,
} from './failpoints.ts'

const { arm, pass } = createFailpoints((report) => process.send?.(report))
process.on('message', (order: ArmOrder) => arm(order))
// A run that was killed leaves no server behind.
process.on('disconnect', () => process.exit(1))
// The channel alone must not keep the process alive.
process.channel?.unref()
const { BLOCK_AT, BLOCK_MESSAGE } = process.env
const wrapNetwork =
  BLOCK_MESSAGE === undefined ? failingNetwork(pass) : blockingNetwork(BLOCK_MESSAGE, BLOCK_AT as BlockedStep)
const aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0)
await serve(process.env, {
  wrapStore: failingStore(pass),
  wrapNetwork,
  clock: () => Date.now() + aheadMs,
})
