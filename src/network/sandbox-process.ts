// The sandbox network as a child process: started with the server, called over its API, restarted when it ends, and stopped
// with the server.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loopbackAddress } from '../kernel/process/listener-url.ts'
import { programEntry } from '../kernel/process/program-files.ts'
import { NetworkError } from './network.ts'
import { type NameOwner, openLink, type SandboxAddress, type SandboxLink } from './sandbox-link.ts'

/** Long enough for a machine that is short of processor time. */
const START_MS = 60_000
/** After this time the process is killed, which loses nothing, because its state is on disk. */
const STOP_MS = 2000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/** The backoff before the next start, by the number of starts that failed in a row. Starts are retried without limit. */
export const restartBackoffMs = (failures: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)

export interface SandboxProcessSettings {
  dataDirectory: string
  /** PEM files with which the network serves wss and https. */
  tls: { certFile: string; keyFile: string } | undefined
  nameOwner: NameOwner
  /** Called with a message for the log. */
  onTrouble(message: string): void
}

export async function startSandboxProcess(settings: SandboxProcessSettings): Promise<SandboxLink> {
  const key = randomBytes(24).toString('base64url')
  const ca = settings.tls && (await readFile(settings.tls.certFile))
  const supervised = await keepRunning(settings, key)
  const link = openLink(supervised.ready, key, settings.nameOwner, ca)
  return {
    ...link,
    async check() {
      if (!supervised.isRunning()) throw new NetworkError('unavailable', 'the sandbox network is not running')
    },
    async stop() {
      await supervised.stop()
      await link.stop()
    },
  }
}

interface SupervisedProcess {
  ready: SandboxAddress
  isRunning(): boolean
  stop(): Promise<void>
}

/**
 * Restarts the process on the same port when it ends. Its state is on disk, so clients find the same network. A start that
 * fails, for instance because the disk is full, is retried as long as the server runs.
 */
async function keepRunning(settings: SandboxProcessSettings, key: string): Promise<SupervisedProcess> {
  const stopping = new AbortController()
  let child = spawnSandbox(settings, key, '0')
  let isRunning = true
  const ready = await waitUntilReady(child)
  const { port } = new URL(ready.url)
  watch()

  function watch(): void {
    child.once('exit', (code, signal) => {
      isRunning = false
      if (!stopping.signal.aborted) void startAgain(`it ended (${signal ?? `exit code ${code}`})`)
    })
  }
  async function startAgain(why: string): Promise<void> {
    let reason = why
    for (let failures = 0; !isRunning; failures += 1) {
      const pauseMs = restartBackoffMs(failures)
      settings.onTrouble(`the sandbox network restarts in ${pauseMs / 1000} s: ${reason}`)
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      child = spawnSandbox(settings, key, port)
      try {
        await waitUntilReady(child)
        isRunning = true
      } catch (error) {
        reason = (error as Error).message
      }
    }
    watch()
  }

  return {
    ready,
    isRunning: () => isRunning,
    async stop() {
      stopping.abort()
      await end(child)
    },
  }
}

function spawnSandbox(
  { dataDirectory, tls }: SandboxProcessSettings,
  key: string,
  port: string,
): ChildProcess {
  const compileCache = getCompileCacheDir()
  const main = programEntry(import.meta.url, '../../sandbox/main.ts', 'sandbox')
  return spawn(process.execPath, [fileURLToPath(main)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      HOST: loopbackAddress(),
      DATA_DIR: dataDirectory,
      PORT: port,
      API_KEY: key,
      SANDBOX_EXIT_WITH: 'ipc',
      ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compileCache) }),
      ...(tls ? { SANDBOX_CERT_FILE: tls.certFile, SANDBOX_KEY_FILE: tls.keyFile } : {}),
    },
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await gone
  clearTimeout(late)
}

function waitUntilReady(child: ChildProcess): Promise<SandboxAddress> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error('the sandbox network did not start in time'))
    }, START_MS)
    // The process cannot be created, for instance for lack of memory or file descriptors.
    child.once('error', (cause) => {
      clearTimeout(late)
      reject(new Error('the sandbox network could not be started', { cause }))
    })
    child.once('message', (line) => {
      clearTimeout(late)
      resolve(line as SandboxAddress)
    })
    child.once('exit', (code, signal) => {
      clearTimeout(late)
      reject(new Error(`the sandbox network ended during its start (${signal ?? `exit code ${code}`})`))
    })
  })
}
