// Gateways on one PostgreSQL database and one sandbox network, each in its own process.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { type Engine, type StoreLocation, temporaryDirectory } from '../../support/engines.ts'
import { freePort } from '../../support/free-port.ts'
import { environmentOf, type ServerProcess, spawnServer } from '../../support/process.ts'
import { programFile } from '../../support/program.ts'
import { onSharedSandbox } from '../../support/shared-sandbox.ts'
import { newKey } from '../../support/started.ts'

/** As `serve` ends a process whose place another one has taken. */
export const TAKEN_OVER = 75

export interface NodeProcess extends ServerProcess {
  key: string
  directory: string
}
export type LiveNode = NodeProcess & { url: string }

export interface NodeGroup {
  storeLocation: StoreLocation
  settings: Record<string, string>
  operatorKey: string
  /** Starts a process, on a data directory of its own unless one is given. */
  start(change?: Record<string, string>, directory?: string): Promise<NodeProcess>
  /** Starts a node with an address, and waits for its ready line. */
  startNode(directory?: string, change?: Record<string, string>): Promise<LiveNode>
  stop(): Promise<void>
}

export async function startGroup(engine: Pick<Engine, 'createLocation'>): Promise<NodeGroup> {
  const storeLocation = await engine.createLocation()
  const [key, operatorKey] = [newKey(), newKey()]
  const settings = {
    ...environmentOf(storeLocation),
    ...(await onSharedSandbox()),
    API_KEY: key,
    OPERATOR_KEY: operatorKey,
    MASTER_KEY: randomBytes(32).toString('base64'),
  }
  const running = new Set<NodeProcess>()
  const directories = new Set<string>()

  async function start(change: Record<string, string> = {}, directory?: string): Promise<NodeProcess> {
    const own = directory ?? (await temporaryDirectory())
    directories.add(own)
    const environment = { ...settings, ...change, DATA_DIR: own }
    const node = { ...spawnServer(environment, programFile('short-lease-server')), key, directory: own }
    running.add(node)
    void node.exited.then(() => running.delete(node))
    return node
  }
  return {
    storeLocation,
    settings,
    operatorKey,
    start,
    async startNode(directory, change = {}) {
      const node = await start({ NODE_URL: `http://127.0.0.1:${await freePort()}`, ...change }, directory)
      return { ...node, url: await node.ready }
    },
    async stop() {
      for (const node of running) await node.stop('SIGKILL')
      for (const directory of directories) await rm(directory, { recursive: true, force: true })
      await storeLocation.dispose()
    },
  }
}

export const untilLive = async (node: NodeProcess): Promise<LiveNode> => ({ ...node, url: await node.ready })
