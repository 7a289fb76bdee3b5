// A PostgreSQL server that a test may restart and kill: the one that other tests use must keep running.
import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chown, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type StoreLocation, temporaryDirectory } from '../../support/engines.ts'
import { freePort } from '../../support/free-port.ts'

const run = promisify(execFile)

export interface OwnPostgres {
  storeLocation: StoreLocation
  host: string
  port: number
  /** `immediate` ends the server as a crash does, and the next start recovers. */
  restart(mode: 'fast' | 'immediate'): Promise<void>
  /** Another server that follows this one. `settings` as those of the first. */
  startReplica(settings?: Record<string, string | number>): Promise<OwnPostgres>
  /** Makes a replica a server of its own. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** Debian keeps the programs of a server out of the path. Undefined: there is no server on this machine. */
const binaries = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin/pg_basebackup')
    .concat(globSync('/usr/local/bin/pg_basebackup'), globSync('/usr/bin/pg_basebackup'))
    .map(dirname)
    // A folder may have links to some of the programs only.
    .findLast((folder) => existsSync(join(folder, 'initdb')))

/** The server refuses to run as root, and then runs as the user of the installed one. */
export async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { stdout } = await run('id', ['-u', 'postgres'])
  const group = await run('id', ['-g', 'postgres'])
  return { uid: Number(stdout), gid: Number(group.stdout) }
}

export const hasOwnPostgres = (): boolean => binaries() !== undefined

/** `settings` of the server, beside its port and directory. */
export async function startOwnPostgres(settings: Record<string, string | number> = {}): Promise<OwnPostgres> {
  return startServer(settings, async (run, data) => {
    await run('initdb', '-D', data, '-U', 'root', '-A', 'trust', '-N')
  })
}

/** Runs a program of PostgreSQL in the directory of the server, as its user. */
type RunProgram = (program: string, ...args: string[]) => Promise<unknown>

async function startServer(
  settings: Record<string, string | number>,
  /** Creates the data directory. */
  prepare: (run: RunProgram, data: string) => Promise<void>,
): Promise<OwnPostgres> {
  const folder = binaries()
  if (folder === undefined) throw new Error('there are no programs of a PostgreSQL server here')
  const user = await serverUser()
  const directory = await temporaryDirectory()
  if (user) await chown(directory, user.uid, user.gid)
  const port = await freePort()
  const data = join(directory, 'data')
  // A crash of the server loses nothing that the system has: only a loss of power would, and that is not tried here.
  const chosen = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: directory,
    fsync: 'off',
    ...settings,
  }
  const options = Object.entries(chosen)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
  const program: RunProgram = (name, ...args) => run(join(folder, name), args, { ...user, cwd: directory })
  const ctl = (...args: string[]) =>
    program('pg_ctl', '-D', data, '-w', '-l', join(directory, 'log'), '-o', options, ...args)
  await prepare(program, data)
  await ctl('start')
  return {
    host: '127.0.0.1',
    port,
    storeLocation: {
      directory: await temporaryDirectory(),
      databaseUrl: `postgres://root@127.0.0.1:${port}/postgres`,
      dispose: async () => undefined,
    },
    startReplica: (changed = {}) =>
      startServer(changed, async (replicate, target) => {
        const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'root']
        // -R writes standby.signal and the address of the first server.
        await replicate('pg_basebackup', ...from, '-D', target, '-R', '-c', 'fast', '-X', 'stream')
      }),
    async promote() {
      await ctl('promote')
    },
    async restart(mode) {
      await ctl('restart', '-m', mode)
    },
    async stop() {
      await ctl('stop', '-m', 'immediate').catch(() => undefined)
      await rm(directory, { recursive: true, force: true })
    },
  }
}
