// The server's process with failpoints in its seams, armed over the channel to the test that started it.
import { serve } from '../../src/serve.ts'
import { type ArmOrder, createFailpoints, failingNetwork, failingStore } from './failpoints.ts'

const { arm, pass } = createFailpoints((report) => process.send?.(report))
process.on('message', (order: ArmOrder) => arm(order))
// The channel alone must not keep the process alive.
process.channel?.unref()
await serve(process.env, { wrapStore: failingStore(pass), wrapNetwork: failingNetwork(pass) })
