// One sandbox network for all servers of a test process. A server that starts its own takes half as long again, so tests that do
// not concern that start use this one.
import { after } from 'node:test'
import { World } from '../sandbox/support/world.ts'

let started: Promise<World> | undefined
after(async () => (await started)?.sandbox.stop())

/** The settings of a server on the shared network. */
export async function onSharedSandbox(): Promise<Record<string, string>> {
  const { sandbox } = await (started ??= World.start())
  return { SANDBOX_URL: sandbox.url, SANDBOX_KEY: World.apiKey }
}
