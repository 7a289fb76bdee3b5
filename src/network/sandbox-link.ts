// The gateway's connection to a sandbox network: its addresses, and how its API is called.
import https from 'node:https'
import net from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { BASE_PATHS } from '../contract/route.ts'
import { NetworkError } from './network.ts'

export interface SandboxLink {
  wsUrl: string
  /** All URLs of the sandbox. */
  urls: readonly string[]
  rootPublicKey: Uint8Array
  socketAgent: https.Agent | undefined
  /** A sandbox without TLS serves media without it too, although the library always uses https URLs. */
  uploadAgent: https.Agent
  downloadDispatcher: Agent
  /** The same at the end of a tunnel through a proxy. */
  hosts: { ca?: Uint8Array; mediaIsPlain: boolean }
  /** Forwards a call to `/sandbox/v1`. The path is relative to it. */
  forward(call: SandboxCall): Promise<SandboxAnswer>
  /** The page with the current version of clients. */
  versionPage(signal: AbortSignal): Promise<string>
  /** Rejects while the sandbox does not answer. */
  check(): Promise<void>
  stop(): Promise<void>
}

interface SandboxCall {
  method: string
  path: string
  /** The id of the calling account, or the operator. Left out for the gateway's own calls. */
  caller?: number | 'operator'
  /** The request id for answers and logs of both processes. */
  requestId?: string
  /** JSON, or the bytes of an upload with their media type. */
  json?: unknown
  upload?: { bytes: Readable; contentType: string; contentLength: string | undefined }
  signal?: AbortSignal
}

/** The answer as received. It is JSON, except for the media of a message. */
export interface SandboxAnswer {
  status: number
  contentType: string
  contentLength: string | undefined
  body: Readable
}

/** The name under which the network knows an account of this gateway. */
export type NameOwner = (accountId: number) => string

/** Sent by the sandbox when it is ready. */
export interface SandboxAddress {
  wsUrl: string
  url: string
  rootPublicKey: string
}

/** `ca` is the certificate of the sandbox for wss and https, if it is not one that this machine trusts anyway. */
export function openLink(
  address: SandboxAddress,
  key: string,
  nameOwner: NameOwner,
  ca: Uint8Array | undefined,
): Omit<SandboxLink, 'check'> {
  const trusted = ca ? { ca: Buffer.from(ca) } : {}
  const isPlain = new URL(address.url).protocol === 'http:'
  const downloadDispatcher = isPlain ? plainDispatcher() : new Agent({ connect: trusted })
  const calls = isPlain ? new Agent() : downloadDispatcher
  return {
    wsUrl: address.wsUrl,
    urls: [address.wsUrl, address.url],
    rootPublicKey: Buffer.from(address.rootPublicKey, 'hex'),
    socketAgent: ca && new https.Agent({ ca: Buffer.from(ca) }),
    uploadAgent: isPlain ? plainUploadAgent() : new https.Agent({ keepAlive: true, ...trusted }),
    downloadDispatcher,
    hosts: { ...(ca && { ca }), mediaIsPlain: isPlain },
    forward: (call) => callSandbox(calls, address.url, key, call, nameOwner),
    async versionPage(signal) {
      const answer = await request(new URL('/sw.js', address.url), { dispatcher: calls, signal })
      return answer.body.text()
    },
    async stop() {
      await Promise.all([downloadDispatcher.destroy(), calls.destroy()])
    },
  }
}

const NETWORK = { method: 'GET', path: '/network' }
/** How long a sandbox that starts together with this server may take. */
const JOIN_MS = 60_000
const RETRY_MS = 500

/** Connects to a sandbox network that runs independently of this server. `onWait` is called once if the sandbox does not answer yet. */
export async function joinSandbox(
  url: string,
  key: string,
  nameOwner: NameOwner,
  onWait: () => void,
): Promise<SandboxLink> {
  const { status, body } = await firstAnswer(
    () => callSandbox(undefined, url, key, NETWORK, nameOwner),
    onWait,
  )
  const text = await textOf(body)
  if (status !== 200) {
    throw new Error(`SANDBOX_URL: the sandbox answered with status ${status}; check SANDBOX_KEY`)
  }
  const address = JSON.parse(text) as Omit<SandboxAddress, 'url'>
  const link = openLink({ ...address, url }, key, nameOwner, undefined)
  return {
    ...link,
    async check() {
      await textOf((await link.forward(NETWORK)).body)
    },
  }
}

async function firstAnswer(call: () => Promise<SandboxAnswer>, onWait: () => void): Promise<SandboxAnswer> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return await call()
    } catch (error) {
      if (waitedMs >= JOIN_MS) throw error
      if (waitedMs === 0) onWait()
      await pause(RETRY_MS)
    }
  }
}

async function callSandbox(
  dispatcher: Agent | undefined,
  url: string,
  key: string,
  call: SandboxCall,
  nameOwner: NameOwner,
): Promise<SandboxAnswer> {
  const { method, path, caller, requestId, json, upload, signal } = call
  const answer = await request(`${url.replace(/\/$/, '')}${BASE_PATHS.sandbox}${path}`, {
    ...(dispatcher ? { dispatcher } : {}),
    method: method as 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      ...(caller === undefined
        ? {}
        : { 'x-sandbox-owner': typeof caller === 'number' ? nameOwner(caller) : caller }),
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(upload ? uploadHeaders(upload) : {}),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(upload ? { body: upload.bytes } : {}),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    // An upload that exceeds the limit fails with a specific error.
    throw (
      upload?.bytes.errored ?? new NetworkError('unavailable', 'the sandbox network does not answer', cause)
    )
  })
  const { headers, body } = answer
  const contentType = String(headers['content-type'] ?? 'application/json')
  const contentLength =
    headers['content-length'] === undefined ? undefined : String(headers['content-length'])
  return { status: answer.statusCode, contentType, contentLength, body }
}

const uploadHeaders = ({ contentType, contentLength }: NonNullable<SandboxCall['upload']>) => ({
  'content-type': contentType,
  ...(contentLength === undefined ? {} : { 'content-length': contentLength }),
})

async function textOf(body: Readable): Promise<string> {
  return Buffer.concat(await body.toArray()).toString()
}

/** An IPv6 address in a URL has brackets, and a socket takes none. */
const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

function plainUploadAgent(): https.Agent {
  const agent = new https.Agent({ keepAlive: true })
  agent.createConnection = (options) =>
    net.connect(Number(options.port), withoutBrackets(options.host ?? '127.0.0.1'))
  return agent
}

function plainDispatcher(): Agent {
  return new Agent({
    connect: (options, callback) => {
      const socket = net.connect(Number(options.port), withoutBrackets(options.hostname))
      socket.once('connect', () => callback(null, socket))
      socket.once('error', (error) => callback(error, null))
    },
  })
}
