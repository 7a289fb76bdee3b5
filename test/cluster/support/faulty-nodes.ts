// Nodes with a PostgreSQL server of their own, each behind a proxy to the database and one for the calls of the other nodes.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { temporaryDirectory } from '../../support/engines.ts'
import { freePort } from '../../support/free-port.ts'
import { environmentOf, type ServerProcess, spawnServer } from '../../support/process.ts'
import { programFile } from '../../support/program.ts'
import { type Proxy, startProxy } from '../../support/proxy.ts'
import { newKey } from '../../support/started.ts'
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts'

export interface NodeProcess extends ServerProcess {
  url: string
  nodeUrl: string
  toDatabase: Proxy
  toNode: Proxy
}

export interface OwnGroup {
  postgres: FaultyPostgres
  /** Of the server program that the nodes run. */
  leaseMs: number
  start(environment: Record<string, string>): Promise<void>
  /** The nodes that run. */
  ready(): NodeProcess[]
  /** Starts the nodes again that have ended, on their data directories. */
  restartEnded(): Promise<void>
  stop(): Promise<void>
}

/** What a node keeps from one process to the next. */
interface Seat {
  environment: Record<string, string>
  toDatabase: Proxy
  toNode: Proxy
  node: NodeProcess | undefined
}

/** The calls of other nodes arrive at another address of the same port, so that a proxy can stand between. */
const PROXY_HOST = '127.0.0.2'
/** The clocks of the machines are wrong, each in its own way. */
const WRONG_BY_MS = [0, 3_600_000, -90_000, 700]

/** A server that tests restart, or one with a replica. Its address may change. */
export type FaultyPostgres = Pick<OwnPostgres, 'host' | 'port' | 'storeLocation' | 'restart' | 'stop'>

export async function startOwnGroup(
  start: () => Promise<FaultyPostgres> = startOwnPostgres,
): Promise<OwnGroup> {
  const postgres = await start()
  const shared = { OPERATOR_KEY: newKey(), MASTER_KEY: randomBytes(32).toString('base64') }
  const seats: Seat[] = []

  async function run(seat: Seat): Promise<void> {
    const server = spawnServer(seat.environment, programFile('short-lease-server'))
    const { toDatabase, toNode } = seat
    const nodeUrl = seat.environment['NODE_URL'] as string
    const node = { ...server, url: await server.ready, nodeUrl, toDatabase, toNode }
    seat.node = node
    void server.exited.then(() => {
      if (seat.node === node) seat.node = undefined
    })
  }
  return {
    postgres,
    leaseMs: 8000,
    async start(environment) {
      const port = await freePort()
      const toDatabase = await startProxy(postgres)
      const seat: Seat = {
        toDatabase,
        toNode: await startProxy({ host: '127.0.0.1', port }, { host: PROXY_HOST, port }),
        node: undefined,
        environment: {
          ...environmentOf({ ...postgres.storeLocation, directory: await temporaryDirectory() }),
          ...shared,
          ...environment,
          DATABASE_URL: `postgres://root@127.0.0.1:${toDatabase.port}/postgres`,
          NODE_URL: `http://${PROXY_HOST}:${port}`,
          WRONG_CLOCK_MS: String(WRONG_BY_MS[seats.length % WRONG_BY_MS.length]),
        },
      }
      seats.push(seat)
      await run(seat)
    },
    ready: () => seats.flatMap(({ node }) => (node ? [node] : [])),
    async restartEnded() {
      for (const seat of seats) if (!seat.node) await run(seat)
    },
    async stop() {
      for (const { node, toDatabase, toNode, environment } of seats) {
        await node?.stop('SIGKILL')
        await toDatabase.shut()
        await toNode.shut()
        await rm(environment['DATA_DIR'] as string, { recursive: true, force: true })
      }
      await postgres.stop()
    },
  }
}
