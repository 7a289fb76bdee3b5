// Answers the calls of other nodes, at the port of NODE_URL.
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { ignoreErrors } from '../kernel/async/ignore-errors.ts'
import {
  type NodeAnswer,
  type NodeCall,
  SESSION_CALLS,
  type SessionCall,
  WAKE_UPS,
  type WakeUp,
} from './calls.ts'
import { limitConnections } from './node-connections.ts'
import type { NodeTls } from './node-tls.ts'
import type { KeyUses } from './shared-uses.ts'
import {
  answerHeaders,
  describeBody,
  isBodyOf,
  MAX_AGE_MS,
  type RequestHead,
  readRequestHead,
} from './signing.ts'
import { decode, encode, toWireError } from './wire.ts'

/** A request has a method and a few arguments. The largest is the picture of a group: 5 MB, in base64. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
/** Bodies of calls that are under way at the same time. */
const MAX_BODIES_BYTES = 64 * 1024 * 1024
/** Other nodes send the head of a request at once, and its body right after it. */
const HEAD_MS = 5000
const REQUEST_MS = 20_000
/** Longer than that of the client, so that it never sends a request over a connection that is being closed. */
const KEEP_ALIVE_MS = 15_000

const HTTP_OPTIONS: ServerOptions = {
  maxHeaderSize: 4096,
  headersTimeout: HEAD_MS,
  requestTimeout: REQUEST_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: 1000,
}
const STATUS: Record<NodeAnswer['status'], number> = { done: 200, failed: 200, misdirected: 421, busy: 503 }

export interface NodeServerParts {
  nodeId: number
  key: Uint8Array
  /** Absent: plain HTTP. */
  tls?: NodeTls | undefined
  /** The clock of the database. */
  clock: () => number
  /** Undefined: this node does not serve the instance. */
  callSession(method: SessionCall, args: unknown[]): Promise<{ result: unknown } | undefined>
  wake(what: WakeUp): void
  /** Keys were used on the calling node. */
  receiveUses(uses: readonly KeyUses[]): void
  /** For the metrics. */
  onCall?(method: string, outcome: NodeAnswer['status']): void
}

export interface NodeServer {
  close(): Promise<void>
}

/** HTTP without a framework: one path, one method, no browser. */
export async function startNodeServer(
  host: string,
  port: number,
  parts: NodeServerParts,
): Promise<NodeServer> {
  const server = createHttpServer(parts.tls)
  const connections = limitConnections(server)
  const answer = createAnswers(parts)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    ignoreErrors(response)
    const accepted = answer(request, response, () => connections.prove(request.socket))
    accepted.catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  // A connection that cannot be accepted concerns its caller only.
  ignoreErrors(server)
  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      connections.destroyUnproven()
      await closed
    },
  }
}

const createHttpServer = (tls: NodeTls | undefined): Server =>
  tls
    ? createTlsServer({
        ...HTTP_OPTIONS,
        ...tls.files,
        minVersion: 'TLSv1.3',
        requestCert: true,
        rejectUnauthorized: true,
        handshakeTimeout: HEAD_MS,
      })
    : createServer(HTTP_OPTIONS)

/** Checks the head of a request, then reads its body, then answers it. */
function createAnswers(parts: NodeServerParts) {
  const { key, nodeId, clock } = parts
  const nonces = createNonces()
  const calls = createCallMemory()
  let bodyBytes = 0

  async function accept(request: IncomingMessage, head: RequestHead): Promise<NodeAnswer | undefined> {
    if (head.to !== nodeId) return { status: 'misdirected', nodeId }
    if (bodyBytes + head.length > MAX_BODIES_BYTES) return { status: 'busy' }
    bodyBytes += head.length
    try {
      const body = await readBody(request, head)
      return body && (await answerCall(parts, calls, decode(body.toString()) as NodeCall))
    } finally {
      bodyBytes -= head.length
    }
  }
  return async (request: IncomingMessage, response: ServerResponse, onProven: () => void): Promise<void> => {
    const head = readRequestHead(key, request.headers, clock())
    // No hint of what is wrong: only another node may know what this is.
    if (!head) return refuse(response, 403)
    onProven()
    if (head.length > MAX_BODY_BYTES) return refuse(response, 413)
    const nonce = nonces.accept(head.nonce)
    // Not signed: a signed refusal could be passed off as the answer to the first request.
    if (nonce !== 'new') return refuse(response, nonce === 'seen' ? 403 : 503)
    const answer = await accept(request, head)
    if (!answer) return refuse(response, 403)
    const text = Buffer.from(encode(answer))
    const status = STATUS[answer.status]
    const signed = { from: nodeId, nonce: head.nonce, status, ...describeBody(text) }
    response.writeHead(status, answerHeaders(key, signed)).end(text)
  }
}

/** The body is not read: the connection ends with the answer. */
function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close', 'content-length': '0' }).end()
}

async function answerCall(
  parts: NodeServerParts,
  calls: ReturnType<typeof createCallMemory>,
  call: NodeCall,
): Promise<NodeAnswer> {
  if (call.call !== 'session') return resultOf(parts, call)
  const carryOut = () => resultOf(parts, call)
  const answer = call.id === undefined ? await carryOut() : await calls.once(call.id, carryOut)
  parts.onCall?.(call.method, answer.status)
  return answer
}

async function resultOf(parts: NodeServerParts, call: NodeCall): Promise<NodeAnswer> {
  const { nodeId, callSession, wake } = parts
  if (call.call === 'hello') return { status: 'done', result: nodeId }
  if (call.call === 'uses') {
    parts.receiveUses(call.uses)
    return { status: 'done', result: null }
  }
  if (call.call === 'wake') {
    for (const what of call.what) if (WAKE_UPS.includes(what)) wake(what)
    return { status: 'done', result: null }
  }
  if (!SESSION_CALLS.includes(call.method)) return { status: 'misdirected', nodeId }
  try {
    const done = await callSession(call.method, call.args)
    return done ? { status: 'done', result: done.result } : { status: 'misdirected', nodeId }
  } catch (error) {
    return { status: 'failed', error: toWireError(error) }
  }
}

/** Undefined: it is not the body that the head describes. The parser reads no more than the length in the head. */
async function readBody(request: IncomingMessage, head: RequestHead): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  return isBodyOf(head, body) ? body : undefined
}

// The nonces of requests that this node has accepted: none is accepted twice while its signature is valid.

/** A request may be dated 30 s ahead and is then valid for 60 s. Nonces are forgotten in groups, after one to two of these times. */
const GENERATION_MS = 2 * MAX_AGE_MS
/** Calls of a minute. A hundred nodes that wake this one as often as they can make 120,000; each takes about 100 bytes. */
const MAX_NONCES = 150_000

interface Nonces {
  /** seen: a request with this nonce was accepted before. full: no more can be remembered, so that no request is accepted. */
  accept(nonce: string): 'new' | 'seen' | 'full'
}

/** `now` is a monotonic clock. A nonce is never forgotten early: then a request could be repeated. */
export function createNonces(now = () => performance.now(), max = MAX_NONCES): Nonces {
  let current = new Set<string>()
  let previous = new Set<string>()
  let startedAt = now()
  function rotate(): void {
    const ageMs = now() - startedAt
    if (ageMs < GENERATION_MS) return
    previous = ageMs < 2 * GENERATION_MS ? current : new Set()
    current = new Set()
    startedAt = now()
  }
  return {
    accept(nonce) {
      rotate()
      if (current.has(nonce) || previous.has(nonce)) return 'seen'
      if (current.size >= max) return 'full'
      current.add(nonce)
      return 'new'
    },
  }
}

// The calls that this node has carried out for others, or carries out now. A caller whose answer was lost asks again with the same
// id, and gets the answer of the first call.

/** Longer than a caller asks again: it gives up 5 s after its first call, and waits 25 s for the last one. */
const KEEP_MS = 120_000
/** Answers are small: lists of members are the largest. */
const MAX_CALLS = 5000

interface CallMemory {
  /** Carries out the call with this id once. A further call gets the answer of the first. */
  once(id: string, carryOut: () => Promise<NodeAnswer>): Promise<NodeAnswer>
}

/** `now` is a monotonic clock. */
export function createCallMemory(now = () => performance.now(), max = MAX_CALLS): CallMemory {
  const running = new Map<string, Promise<NodeAnswer>>()
  /** In the order in which they ended. */
  const ended = new Map<string, { answer: NodeAnswer; forgetAt: number }>()
  function forgetOld(): void {
    for (const [id, { forgetAt }] of ended) {
      if (forgetAt > now()) return
      ended.delete(id)
    }
  }
  async function carriedOut(id: string, carryOut: () => Promise<NodeAnswer>): Promise<NodeAnswer> {
    try {
      const answer = await carryOut()
      // This node does not serve the instance, so that nothing was carried out.
      if (answer.status !== 'misdirected') ended.set(id, { answer, forgetAt: now() + KEEP_MS })
      return answer
    } finally {
      running.delete(id)
    }
  }
  return {
    async once(id, carryOut) {
      forgetOld()
      const known = running.get(id) ?? ended.get(id)?.answer
      if (known) return known
      // An answer that is still needed is not forgotten for a new one.
      if (running.size + ended.size >= max) return { status: 'busy' }
      const answer = carriedOut(id, carryOut)
      running.set(id, answer)
      return answer
    },
  }
}
