// A client of the Cloud API dialect, as an existing integration would call it, and a receiver of its webhook.
import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { CALLS } from '../../src/doors/cloud/serve.ts'
import { AUTHORITY_FILE } from './certificates.ts'
import type { Engine } from './engines.ts'
import { RECEIVER_HOST } from './receiver.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from './sandbox-world.ts'
import { startWebHost } from './web-host.ts'

export interface CloudReply {
  status: number
  json: any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
  bytes: Buffer
  headers: Headers
}

export type CloudClient = (
  call: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<CloudReply>

export const VERSION = 'v23.0'
export const cloudBase = (url: string): string => `${url}/compat/cloud`

/** `call` is a method and a path below the version, such as `POST /shop-1/messages`. A `FormData` is sent as a form. */
export const cloudClient =
  (url: string, key: string | undefined): CloudClient =>
  async (call, body, headers = {}) => {
    const [method = '', path = ''] = call.split(' ')
    const isForm = body instanceof FormData
    const response = await fetch(`${cloudBase(url)}/${VERSION}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    return {
      status: response.status,
      json: isJson ? JSON.parse(bytes.toString()) : undefined,
      bytes,
      headers: response.headers,
    }
  }

/** Every refusal has this form and nothing else. */
export function assertRefused(reply: CloudReply, status: number, code: number, details: RegExp): void {
  assert.equal(reply.status, status, JSON.stringify(reply.json))
  assert.deepEqual(Object.keys(reply.json), ['error'])
  const { error } = reply.json
  const { error_subcode: _subcode, ...others } = error
  assert.deepEqual(Object.keys(others).toSorted(), ['code', 'error_data', 'fbtrace_id', 'message', 'type'])
  assert.equal(error.code, code, JSON.stringify(error))
  assert.match(error.message, new RegExp(`^\\(#${code}\\) \\S`))
  assert.deepEqual(
    [error.type, error.error_data.messaging_product, error.fbtrace_id],
    ['OAuthException', 'whatsapp', reply.headers.get('x-request-id')],
  )
  assert.match(error.error_data.details, details)
}

/** Notes the answers of a client, so that a test can tell which calls had no success. */
export function watchCalls(client: CloudClient): { client: CloudClient; missing(): string[] } {
  const seen = new Set<string>()
  const nameOf = (path: string): string => path.split('/').slice(2).join('/')
  return {
    async client(call, body, headers) {
      const reply = await client(call, body, headers)
      const [method, path = ''] = call.split('?')[0]?.split(' ') ?? []
      if (reply.status === 200) seen.add(`${method} ${path === '/debug_token' ? path : nameOf(path)}`)
      return reply
    },
    missing: () =>
      CALLS.map(([method, path]) => `${method} ${path === '/debug_token' ? path : nameOf(path)}`).filter(
        (call) => !seen.has(call),
      ),
  }
}

export interface Posted {
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** `value` of the only change. */
  value: any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
  field: string
  json: any // oxlint-disable-line typescript/no-explicit-any -- the same
}

export interface CloudReceiver {
  /** With an address in place of a name. */
  url: string
  /** By the name that contract tests allow. */
  namedUrl: string
  posted: Posted[]
  /** Queries of handshakes. */
  handshakes: URLSearchParams[]
  /** The first post that fits, as soon as it has come. */
  until(what: string, fits: (one: Posted) => boolean): Promise<Posted>
  close(): Promise<void>
}

/** Answers handshakes with this token, and hands each post to `handle`. */
export async function startCloudReceiver(
  verifyToken: string,
  handle: (one: Posted) => Promise<number> = async () => 200,
): Promise<CloudReceiver> {
  const posted: Posted[] = []
  const handshakes: URLSearchParams[] = []
  const host = await startWebHost(
    (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'https://receiver.test')
      if (request.method === 'GET') {
        handshakes.push(searchParams)
        const isKnown = searchParams.get('hub.verify_token') === verifyToken
        response.writeHead(isKnown ? 200 : 403).end(isKnown ? searchParams.get('hub.challenge') : 'no')
        return
      }
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        const json = JSON.parse(body)
        const { value, field } = json.entry[0].changes[0]
        const one = { path: pathname, headers: request.headers, body, json, value, field }
        posted.push(one)
        void handle(one).then(
          (status) => response.writeHead(status).end(),
          () => response.writeHead(500).end(),
        )
      })
    },
    { tls: 'trusted' },
  )
  return {
    url: `${host.url}/hook`,
    namedUrl: `https://${RECEIVER_HOST}:${host.port}/hook`,
    posted,
    handshakes,
    until: async (what, fits) =>
      (await until(
        async () => posted.find(fits),
        (found) => found !== undefined,
        what,
      )) as Posted,
    close: host.close,
  }
}

export interface CloudWorld {
  sandbox: SandboxWorld
  line: PairedInstance
  client: CloudClient
  stop(): Promise<void>
}

/** A gateway with the dialect, and an open instance of this number. */
export async function startCloudWorld(
  engine: Engine,
  number: string,
  environment: Record<string, string> = {},
): Promise<CloudWorld> {
  const storeLocation = await engine.createLocation()
  const { databaseUrl } = storeLocation
  const sandbox = await startSandboxWorld({
    COMPAT: 'cloud',
    EXTRA_CA_FILE: AUTHORITY_FILE,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...environment,
  })
  const line = await sandbox.pair(number)
  return {
    sandbox,
    line,
    client: cloudClient(sandbox.app.url, sandbox.key),
    async stop() {
      await sandbox.stop()
      await storeLocation.dispose()
    },
  }
}
