// What every comparison needs: an empty database, a sandbox network in its own process, and the end of all of it.
import { rm } from 'node:fs/promises'
import { engines, type StoreLocation, temporaryDirectory } from '../test/support/engines.ts'
import { Phones } from './phones.ts'
import { Processes } from './processes.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'

export interface Stage {
  storeLocation: StoreLocation
  processes: Processes
  sandbox: Sandbox
  phones: Phones
  /** An empty directory that is removed with the stage. */
  directory(): Promise<string>
}

/** Runs a bench, and removes everything that it started, also if it fails or is interrupted. */
export async function onStage(engineName: string, bench: (stage: Stage) => Promise<void>): Promise<void> {
  const engine = engines.find(({ name }) => name === engineName)
  if (!engine) throw new Error(`there is no engine ${engineName} here`)
  return onStageAt(await engine.createLocation(), bench)
}

/** On an empty database that the bench brings. */
export async function onStageAt(
  storeLocation: StoreLocation,
  bench: (stage: Stage) => Promise<void>,
): Promise<void> {
  const processes = new Processes()
  const directories: string[] = []
  const directory = async () => {
    const made = await temporaryDirectory()
    directories.push(made)
    return made
  }
  let phones: Phones | undefined
  const clear = async () => {
    await phones?.close()
    await processes.stopAll()
    await storeLocation.dispose()
    for (const each of directories) await rm(each, { recursive: true, force: true })
  }
  const interrupt = () => void clear().finally(() => process.exit(1))
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    const sandbox = await startSandbox(processes, await directory())
    phones = new Phones(sandbox)
    await bench({ storeLocation, processes, sandbox, phones, directory })
  } finally {
    await clear()
  }
}
