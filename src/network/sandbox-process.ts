// The sandbox network as a child process: started with the server, asked over its own API, started again when it dies, ended
// with the server.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { NetworkError } from './network.ts'
import { openLink, type SandboxAddress, type SandboxLink } from './sandbox-link.ts'

const MAIN = fileURLToPath(new URL('./sandbox/main.ts', import.meta.url))
const START_MS = 20_000
const STOP_MS = 5000
const RESTART_PAUSE_MS = 500
/** Starts in a row that came to nothing, after which somebody has to look. */
const MAX_RESTARTS = 5

export interface SandboxSettings {
  dataDirectory: string
  /** PEM files: with them the network serves wss and https. */
  tls: { certFile: string; keyFile: string } | undefined
  /** Says what happened to the process, for the log. */
  onTrouble(words: string): void
}

export async function startSandboxProcess(settings: SandboxSettings): Promise<SandboxLink> {
  const key = randomBytes(24).toString('base64url')
  const ca = settings.tls && (await readFile(settings.tls.certFile))
  const kept = await keepRunning(settings, key)
  const link = openLink(kept.ready, key, ca)
  return {
    ...link,
    async check() {
      if (!kept.isRunning()) throw new NetworkError('unavailable', 'the sandbox network is not running')
    },
    async stop() {
      await kept.stop()
      await link.stop()
    },
  }
}

interface Kept {
  ready: SandboxAddress
  isRunning(): boolean
  stop(): Promise<void>
}

/** Its world is on disk: started again on the same port, it is the same network to everybody. */
async function keepRunning(settings: SandboxSettings, key: string): Promise<Kept> {
  let stopping = false
  let failures = 0
  let child = spawnSandbox(settings, key, '0')
  let isRunning = true
  const ready = await waitUntilReady(child)
  watch()

  function watch(): void {
    child.once('exit', (code, signal) => {
      isRunning = false
      if (!stopping) void startAgain(`it ended by itself (${signal ?? `exit code ${code}`})`)
    })
  }
  async function startAgain(why: string): Promise<void> {
    failures += 1
    if (failures > MAX_RESTARTS) {
      return settings.onTrouble(`the sandbox network is gone, restart the server: ${why}`)
    }
    settings.onTrouble(`the sandbox network is started again: ${why}`)
    await pause(RESTART_PAUSE_MS)
    if (stopping) return undefined
    child = spawnSandbox(settings, key, new URL(ready.url).port)
    try {
      await waitUntilReady(child)
    } catch (error) {
      return startAgain(String(error))
    }
    isRunning = true
    failures = 0
    return watch()
  }

  return {
    ready,
    isRunning: () => isRunning,
    async stop() {
      stopping = true
      await end(child)
    },
  }
}

/** Of the server's own environment it gets nothing: keys of the gateway are none of its business. */
function spawnSandbox({ dataDirectory, tls }: SandboxSettings, key: string, port: string): ChildProcess {
  return spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      DATA_DIR: dataDirectory,
      PORT: port,
      API_KEY: key,
      SANDBOX_EXIT_WITH: 'ipc',
      ...(tls ? { SANDBOX_CERT_FILE: tls.certFile, SANDBOX_KEY_FILE: tls.keyFile } : {}),
    },
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
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
    child.once('message', (line) => {
      clearTimeout(late)
      resolve(line as SandboxAddress)
    })
    child.once('exit', (code, signal) => {
      clearTimeout(late)
      reject(new Error(`the sandbox network ended at its start (${signal ?? `exit code ${code}`})`))
    })
  })
}
