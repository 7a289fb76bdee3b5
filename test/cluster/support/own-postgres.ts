// A PostgreSQL server that a test may restart and kill: the one that other tests use must keep running.
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { chown, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Place, temporaryDirectory } from '../../support/engines.ts'
import { freePort } from './nodes.ts'

const run = promisify(execFile)

export interface OwnPostgres {
  place: Place
  host: string
  port: number
  /** `immediate` ends the server as a crash does, and the next start recovers. */
  restart(mode: 'fast' | 'immediate'): Promise<void>
  stop(): Promise<void>
}

/** Debian keeps the programs of a server out of the path. Undefined: there is no server on this machine. */
const binaries = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin/initdb')
    .concat(globSync('/usr/local/bin/initdb'), globSync('/usr/bin/initdb'))
    .at(-1)
    ?.replace(/\/initdb$/, '')

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
  const ctl = (...args: string[]) =>
    run(join(folder, 'pg_ctl'), ['-D', data, '-w', '-l', join(directory, 'log'), '-o', options, ...args], {
      ...user,
      cwd: directory,
    })
  await run(join(folder, 'initdb'), ['-D', data, '-U', 'root', '-A', 'trust', '-N'], {
    ...user,
    cwd: directory,
  })
  await ctl('start')
  return {
    host: '127.0.0.1',
    port,
    place: {
      directory: await temporaryDirectory(),
      databaseUrl: `postgres://root@127.0.0.1:${port}/postgres`,
      dispose: async () => undefined,
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
