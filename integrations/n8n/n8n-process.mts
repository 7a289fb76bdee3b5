// A real n8n for `try.ts`: installed in a folder outside of the repository, on a PostgreSQL database of its own, with the built package.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../test/support/free-port.ts'
import { until } from '../../test/support/linked.ts'
import { run } from './build.mts'

const N8N = '1.123.81'
/** n8n does not start on the Node of this repository. */
const NODE = '24.21.0'
const SERVER = new URL(
  process.env['TEST_DATABASE_URL'] ?? `postgres://${userInfo().username}@127.0.0.1:5432/postgres`,
)
const OWNER = { email: 'owner@example.com', firstName: 'Owner', lastName: 'Of n8n', password: 'Try-n8n-2026' }

// oxlint-disable-next-line typescript/no-explicit-any -- the answers of n8n have no types
type Json = any

export interface RunningN8n {
  url: string
  /** Any call of its own API, as its editor makes them. */
  call(call: string, body?: unknown): Promise<Json>
  /** The node types that it has loaded. */
  nodeTypes(): Promise<{ name: string; usableAsTool?: boolean; properties: Json[] }[]>
  stop(): Promise<void>
}

/** `N8N_DIR` names a folder to keep: the installation takes long. */
async function install(): Promise<{ folder: string; node: string; dispose(): Promise<void> }> {
  const kept = process.env['N8N_DIR']
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'n8n-')))
  const runtime = `node-${process.platform}-${process.arch}`
  if (!existsSync(join(folder, 'node_modules/n8n'))) {
    await mkdir(folder, { recursive: true })
    // n8n takes this one from a server beside npm; no node of this script uses it.
    await writeFile(join(folder, 'package.json'), '{"private":true,"overrides":{"xlsx":"0.18.5"}}')
    const packages = [`n8n@${N8N}`, `${runtime}@${NODE}`]
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await run('npm', ['install', ...quiet, ...packages], folder)
  }
  return {
    folder,
    node: join(folder, 'node_modules', runtime, 'bin/node'),
    dispose: async () => (kept === undefined ? rm(folder, { recursive: true, force: true }) : undefined),
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER.href })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** The built package as a folder of custom nodes. */
export async function startN8n(): Promise<RunningN8n> {
  const { folder, node, dispose } = await install()
  const database = `n8n_try_${process.pid}`
  await onServer(`create database ${database}`)
  const home = await mkdtemp(join(tmpdir(), 'n8n-home-'))
  // Below n8n, so that the nodes find its n8n-workflow.
  const extensions = join(folder, 'extensions')
  await rm(extensions, { recursive: true, force: true })
  for (const part of ['dist', 'package.json'])
    await cp(join(import.meta.dirname, part), join(extensions, part), { recursive: true })
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = spawn(node, [join(folder, 'node_modules/n8n/bin/n8n'), 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      N8N_USER_FOLDER: home,
      N8N_CUSTOM_EXTENSIONS: extensions,
      N8N_PORT: port,
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      WEBHOOK_URL: url,
      N8N_SECURE_COOKIE: 'false',
      N8N_RUNNERS_ENABLED: 'false',
      N8N_DIAGNOSTICS_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
      N8N_TEMPLATES_ENABLED: 'false',
      N8N_PERSONALIZATION_ENABLED: 'false',
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: SERVER.hostname,
      DB_POSTGRESDB_PORT: SERVER.port || '5432',
      DB_POSTGRESDB_DATABASE: database,
      DB_POSTGRESDB_USER: SERVER.username,
      DB_POSTGRESDB_PASSWORD: SERVER.password,
    },
  })
  const lines: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => lines.push(chunk))
  child.on('error', () => undefined)
  const stop = async () => {
    await end(child)
    await onServer(`drop database if exists ${database} with (force)`)
    await rm(home, { recursive: true, force: true })
    await dispose()
  }
  try {
    await until('n8n', async () => {
      if (child.exitCode !== null) throw new Error(Buffer.concat(lines).toString())
      const health = await fetch(`${url}/healthz/readiness`).catch(() => undefined)
      return health?.ok ? true : undefined
    })
    return { url, ...(await signIn(url)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function signIn(url: string): Promise<Pick<RunningN8n, 'call' | 'nodeTypes'>> {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'browser-id': 'try' }
  const send = async (call: string, body?: unknown): Promise<Response> => {
    const [method = '', path = ''] = call.split(' ')
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${url}${path}`, { method, headers, ...sent })
    if (!answer.ok) throw new Error(`${call}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  // Ready is reported shortly before the routes of the editor exist, and before the database is polled.
  const owner = await until('the owner of n8n', () =>
    send('POST /rest/owner/setup', OWNER).catch((error: Error) => {
      if (/: (404|503) /.test(error.message)) return undefined
      throw error
    }),
  )
  headers['cookie'] = owner.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
  return {
    call: async (call, body) => ((await (await send(call, body)).json()) as Json).data,
    nodeTypes: async () => (await (await send('GET /types/nodes.json')).json()) as Json,
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
