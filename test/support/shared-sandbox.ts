// Sandbox networks in the process of the tests. A server that starts its own as a process takes twice the time for its start, so tests
// that do not concern that process use these.
import { after } from 'node:test'
import { World } from '../sandbox/support/world.ts'

const started: Promise<World>[] = []
let shared: Promise<World> | undefined
after(async () => {
  for (const world of started) await (await world).sandbox.stop()
})

function start(): Promise<World> {
  const world = World.start()
  started.push(world)
  return world
}

const settingsOf = async (world: Promise<World>): Promise<Record<string, string>> => ({
  SANDBOX_URL: (await world).sandbox.url,
  SANDBOX_KEY: World.apiKey,
})

/** The settings of a server on the network that all tests of the process share. */
export const onSharedSandbox = (): Promise<Record<string, string>> => settingsOf((shared ??= start()))

/** The settings of a server on a network of its own, for tests that change the whole network, as its way of naming people. */
export const onOwnSandbox = (): Promise<Record<string, string>> => settingsOf(start())
