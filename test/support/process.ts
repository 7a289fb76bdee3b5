// The server as its own process: started, observed, signalled and killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { COMPILE_CACHE } from './compile-cache.ts'
import type { StoreLocation } from './engines.ts'
import { programFile } from './program.ts'

export const MAIN = programFile('main')
/** Room for what a start allocates: without it the collector takes a twentieth of the CPU time of a start. */
const NODE_OPTIONS = ['--min-semi-space-size=16']
/** A start that takes longer has failed. The limit is far beyond what a busy machine needs. */
const START_MS = 120_000

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface ServerProcess {
  child: ChildProcess
  /** Everything written so far. */
  stdout(): string
  stderr(): string
  /** Resolves when the process has ended and all its output is read. */
  exited: Promise<Exit>
  /** Resolves with the address of the ready line; rejects when the process ends before it. */
  ready: Promise<string>
  stop(signal?: NodeJS.Signals): Promise<Exit>
}

/** The settings of a server on this location. The process inherits no other variable than those that Node needs. */
export const environmentOf = (storeLocation: StoreLocation): Record<string, string> => ({
  PORT: '0',
  DATA_DIR: storeLocation.directory,
  RATE_LIMIT: '0',
  ...(storeLocation.databaseUrl === undefined ? {} : { DATABASE_URL: storeLocation.databaseUrl }),
})

/** A server with a main file of the tests has an IPC channel. */
export function spawnServer(
  environment: Record<string, string>,
  main = MAIN,
  node = process.execPath,
): ServerProcess {
  const child = spawn(node, [...NODE_OPTIONS, main], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(main === MAIN ? [] : ['ipc' as const])],
  }) as ChildProcess & { stdout: Readable; stderr: Readable }
  let stdout = ''
  let stderr = ''
  const ready = Promise.withResolvers<string>()
  // A test that does not await the ready line must not end with an unhandled rejection.
  ready.promise.catch(() => undefined)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    const url = readyUrl(stdout)
    if (url) ready.resolve(url)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exited = once(child, 'close').then(([code, signal]: unknown[]): Exit => {
    ready.reject(new Error(`the server ended before it was ready (${String(code ?? signal)}): ${stderr}`))
    return { code: code as number | null, signal: signal as NodeJS.Signals | null }
  })
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS)
  void ready.promise.then(
    () => clearTimeout(late),
    () => clearTimeout(late),
  )
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    ready: ready.promise,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
  }
}

export async function startServer(
  environment: Record<string, string>,
  main = MAIN,
  node?: string,
): Promise<ServerProcess & { url: string }> {
  const server = spawnServer(environment, main, node)
  return { ...server, url: await server.ready }
}

function readyUrl(stdout: string): string | undefined {
  const line = stdout.split('\n').find((text) => text.includes('"msg":"listening"') && text.endsWith('}'))
  return line === undefined ? undefined : (JSON.parse(line) as { url: string }).url
}

/** Each complete line of the log, parsed; throws where a line is not JSON. */
export const logLines = (server: Pick<ServerProcess, 'stdout'>): Record<string, unknown>[] =>
  server
    .stdout()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
