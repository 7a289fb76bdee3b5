// The sandbox network as a child process: started with the server, asked over its own API, ended with it.
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
  forward(call: { method: string; path: string; body: unknown }): Promise<SandboxAnswer>
  stop(): Promise<void>
}

/** As it came: most answers are JSON, the media of a message is not. */
interface SandboxAnswer {
  status: number
  contentType: string
  bytes: Buffer
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
  return {
    wsUrl: ready.wsUrl,
    rootPublicKey: Buffer.from(ready.rootPublicKey, 'hex'),
    uploadAgent: plainUploadAgent(),
    downloadDispatcher: plainDispatcher(),
    async forward({ method, path, body }) {
      const answer = await request(`${ready.url}/sandbox/v1${path}`, {
        method: method as 'GET',
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch((cause: unknown) => {
        throw new NetworkError('unavailable', 'the sandbox network does not answer', cause)
      })
      return {
        status: answer.statusCode,
        contentType: String(answer.headers['content-type'] ?? 'application/octet-stream'),
        bytes: Buffer.from(await answer.body.arrayBuffer()),
      }
    },
    async stop() {
      stopping = true
      if (child.exitCode !== null) return
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await gone
      clearTimeout(late)
    },
  }
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
