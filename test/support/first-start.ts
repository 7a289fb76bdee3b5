// Starts of the real process in a location of its own, with the keys that it makes there.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine, StoreLocation } from './engines.ts'
import { environmentOf, type ServerProcess, spawnServer } from './process.ts'
import { onSharedSandbox } from './shared-sandbox.ts'

export const limitsStatus = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/api/v1/account/limits`, { headers: { authorization: `Bearer ${key}` } })).status
export const plansStatus = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/admin/v1/plans`, { headers: { authorization: `Bearer ${key}` } })).status
export const secretIn = async (storeLocation: StoreLocation, file: string): Promise<string> =>
  (await readFile(join(storeLocation.directory, file), 'utf8')).trim()

/** Gives the work a location of its own, and ends every server that it started there. */
export async function withLocation(
  engine: Engine,
  work: (
    storeLocation: StoreLocation,
    spawned: (more?: Record<string, string>) => ServerProcess,
  ) => Promise<void>,
): Promise<void> {
  const storeLocation = await engine.createLocation()
  const running: ServerProcess[] = []
  const sandbox = await onSharedSandbox()
  try {
    await work(storeLocation, (more = {}) => {
      const server = spawnServer({ ...environmentOf(storeLocation), ...sandbox, ...more })
      running.push(server)
      return server
    })
  } finally {
    await Promise.all(running.map((server) => server.stop('SIGKILL')))
    await storeLocation.dispose()
  }
}
