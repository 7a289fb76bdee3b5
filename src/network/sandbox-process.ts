// The sandbox network as another process: a child that starts and ends with the server, or one that runs already.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import https from 'node:https'
import net from 'node:net'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { NetworkError } from './network.ts'

const START_MS = 20_000
const STOP_MS = 5000

export interface SandboxProcess {
  wsUrl: string
  rootPublicKey: Uint8Array
  /** Media is reached without TLS there, although the library insists on https addresses. */
  uploadAgent: https.Agent
  downloadDispatcher: Agent
  /** Hands a call of `/sandbox/v1` on; the path stands below it. */
  forward(call: { method: string; path: string; body: unknown }): Promise<{ status: number; body: unknown }>
  stop(): Promise<void>
}

interface ReadyLine {
  wsUrl: string
  url: string
  rootPublicKey: string
}

export async function startSandboxProcess(
  dataDirectory: string,
  onExit: (code: number | null) => void,
): Promise<SandboxProcess> {
  const key = randomBytes(24).toString('base64url')
  const child = spawn(process.execPath, [fileURLToPath(new URL('./sandbox/main.ts', import.meta.url))], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDirectory,
      PORT: '0',
      API_KEY: key,
      SANDBOX_EXIT_WITH: 'ipc',
    },
  })
  const ready = await waitUntilReady(child)
  let stopping = false
  child.once('exit', (code) => {
    if (!stopping) onExit(code)
  })
  return describe(
    ready,
    (call) => ask(ready.url, key, call),
    async () => {
      stopping = true
      if (child.exitCode !== null) return
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await gone
      clearTimeout(late)
    },
  )
}

/** Uses a sandbox network that somebody else started; it lives on when the server ends. */
export async function joinSandbox(url: string, key: string): Promise<SandboxProcess> {
  const { status, body } = await ask(url, key, { method: 'GET', path: '/network', body: undefined })
  if (status !== 200) {
    throw new Error(`SANDBOX_URL: the network there answered ${status}; is SANDBOX_KEY its key?`)
  }
  return describe(
    body as Omit<ReadyLine, 'url'>,
    (call) => ask(url, key, call),
    async () => undefined,
  )
}

const describe = (
  { wsUrl, rootPublicKey }: Omit<ReadyLine, 'url'>,
  forward: SandboxProcess['forward'],
  stop: () => Promise<void>,
): SandboxProcess => ({
  wsUrl,
  rootPublicKey: Buffer.from(rootPublicKey, 'hex'),
  uploadAgent: plainUploadAgent(),
  downloadDispatcher: plainDispatcher(),
  forward,
  stop,
})

async function ask(
  url: string,
  key: string,
  { method, path, body }: Parameters<SandboxProcess['forward']>[0],
): Promise<{ status: number; body: unknown }> {
  const answer = await request(`${url.replace(/\/$/, '')}/sandbox/v1${path}`, {
    method: method as 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new NetworkError('unavailable', 'the sandbox network does not answer', cause)
  })
  return { status: answer.statusCode, body: await answer.body.json() }
}

function waitUntilReady(child: ChildProcess): Promise<ReadyLine> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the sandbox network did not start in time')), START_MS)
    child.once('message', (line) => {
      clearTimeout(late)
      resolve(line as ReadyLine)
    })
    child.once('exit', (code) => {
      clearTimeout(late)
      reject(new Error(`the sandbox network ended at its start (exit code ${code})`))
    })
  })
}

function plainUploadAgent(): https.Agent {
  const agent = new https.Agent({ keepAlive: true })
  agent.createConnection = (options) => net.connect(Number(options.port), options.host ?? '127.0.0.1')
  return agent
}

function plainDispatcher(): Agent {
  return new Agent({
    connect: (options, callback) => {
      const socket = net.connect(Number(options.port), options.hostname)
      socket.once('connect', () => callback(null, socket))
      socket.once('error', (error) => callback(error, null))
    },
  })
}
