// The gateway's line to a sandbox network, whoever started that: where it is, and how it is asked.
import https from 'node:https'
import net from 'node:net'
import { Agent, request } from 'undici'
import { BASE_PATHS } from '../contract/route.ts'
import { NetworkError } from './network.ts'

export interface SandboxLink {
  wsUrl: string
  rootPublicKey: Uint8Array
  socketAgent: https.Agent | undefined
  /** Without a certificate media is reached without TLS, although the library insists on https addresses. */
  uploadAgent: https.Agent
  downloadDispatcher: Agent
  /** Hands a call of `/sandbox/v1` on; the path stands below it. */
  forward(call: SandboxCall): Promise<SandboxAnswer>
  /** Raises while nobody is there. */
  check(): Promise<void>
  stop(): Promise<void>
}

interface SandboxCall {
  method: string
  path: string
  body: unknown
}

/** As it came: most answers are JSON, the media of a message is not. */
export interface SandboxAnswer {
  status: number
  contentType: string
  bytes: Uint8Array
}

/** What the network says of itself when it is ready. */
export interface SandboxAddress {
  wsUrl: string
  url: string
  rootPublicKey: string
}

/** `ca` is the certificate under which the network serves wss and https; absent: it serves neither. */
export function openLink(
  address: SandboxAddress,
  key: string,
  ca: Uint8Array | undefined,
): Omit<SandboxLink, 'check'> {
  const downloadDispatcher = ca ? new Agent({ connect: { ca: Buffer.from(ca) } }) : plainDispatcher()
  const calls = ca ? downloadDispatcher : new Agent()
  return {
    wsUrl: address.wsUrl,
    rootPublicKey: Buffer.from(address.rootPublicKey, 'hex'),
    socketAgent: ca && new https.Agent({ ca: Buffer.from(ca) }),
    uploadAgent: ca ? new https.Agent({ keepAlive: true, ca: Buffer.from(ca) }) : plainUploadAgent(),
    downloadDispatcher,
    forward: (call) => ask(calls, address.url, key, call),
    async stop() {
      await Promise.all([downloadDispatcher.destroy(), calls.destroy()])
    },
  }
}

/** Uses a sandbox network that somebody else started; it lives on when the server ends. */
export async function joinSandbox(url: string, key: string): Promise<SandboxLink> {
  const network = { method: 'GET', path: '/network', body: undefined }
  const { status, bytes } = await ask(undefined, url, key, network)
  if (status !== 200) {
    throw new Error(`SANDBOX_URL: the network there answered ${status}; is SANDBOX_KEY its key?`)
  }
  const address = JSON.parse(Buffer.from(bytes).toString()) as Omit<SandboxAddress, 'url'>
  const link = openLink({ ...address, url }, key, undefined)
  return {
    ...link,
    async check() {
      await link.forward(network)
    },
  }
}

async function ask(
  dispatcher: Agent | undefined,
  url: string,
  key: string,
  { method, path, body }: SandboxCall,
): Promise<SandboxAnswer> {
  const answer = await request(`${url.replace(/\/$/, '')}${BASE_PATHS.sandbox}${path}`, {
    ...(dispatcher ? { dispatcher } : {}),
    method: method as 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new NetworkError('unavailable', 'the sandbox network does not answer', cause)
  })
  const contentType = String(answer.headers['content-type'] ?? 'application/json')
  return { status: answer.statusCode, contentType, bytes: await answer.body.bytes() }
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
