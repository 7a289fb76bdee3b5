// A pgbouncer in front of a PostgreSQL server of the tests.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { temporaryDirectory } from '../../support/engines.ts'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/linked.ts'
import { type OwnPostgres, serverUser } from './own-postgres.ts'

export type PoolMode = 'session' | 'transaction' | 'statement'

export interface Pgbouncer {
  port: number
  stop(): Promise<void>
}

/** False with a visible line, and an error in CI. */
export function hasPgbouncer(): boolean {
  if (spawnSync('pgbouncer', ['--version']).status === 0) return true
  const why = 'no pgbouncer on this machine (on Debian: pgbouncer)'
  if (process.env.CI === 'true') throw new Error(why)
  console.log(`SKIPPED: ${why}`)
  return false
}

/** With the settings that docs/cluster.md names, and otherwise with those that pgbouncer comes with. */
export async function startPgbouncer(
  { port: serverPort }: Pick<OwnPostgres, 'port'>,
  mode: PoolMode,
  settings: Record<string, string | number> = {},
): Promise<Pgbouncer> {
  const directory = await temporaryDirectory()
  const user = await serverUser()
  const port = await freePort()
  const options = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    ...settings,
  }
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`)
  const file = join(directory, 'pgbouncer.ini')
  const databases = `* = host=127.0.0.1 port=${serverPort} user=root`
  await writeFile(file, `[databases]\n${databases}\n[pgbouncer]\n${lines.join('\n')}\n`)
  if (user) {
    await chown(directory, user.uid, user.gid)
    await chown(file, user.uid, user.gid)
  }
  const child = spawn('pgbouncer', ['-q', file], {
    ...user,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  await until('a pgbouncer that listens', async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer has ended: ${errors}`)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => undefined,
    )
    socket.destroy()
    return isOpen
  })
  return {
    port,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}
