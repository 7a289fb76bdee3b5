// Answers the calls of other nodes, at the port of NODE_URL.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { ignoreErrors } from '../async/ignore-errors.ts'
import {
  type NodeAnswer,
  type NodeCall,
  SESSION_CALLS,
  type SessionCall,
  WAKE_UPS,
  type WakeUp,
} from './calls.ts'
import type { KeyUses } from './shared-uses.ts'
import { decode, encode, HEADERS, isSigned, type Signed, sign, toWireError } from './wire.ts'

/** A request has a method and a few arguments. The largest is the picture of a group: 5 MB, in base64. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

export interface NodeServerParts {
  nodeId: number
  key: Uint8Array
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

/** Plain HTTP without a framework: one path, one method, no browser. */
export async function startNodeServer(
  host: string,
  port: number,
  parts: NodeServerParts,
): Promise<NodeServer> {
  const server = createServer((request, response) => {
    answerRequest(parts, request, response).catch(() => response.destroy())
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
      await closed
    },
  }
}

async function answerRequest(
  parts: NodeServerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request)
  const message: Signed = {
    kind: 'request',
    time: Number(request.headers[HEADERS.time]),
    to: Number(request.headers[HEADERS.to]),
    body: body ?? '',
  }
  const signature = String(request.headers[HEADERS.signature] ?? '')
  if (body === undefined || !isSigned(parts.key, message, signature, parts.clock())) {
    // No hint of what is wrong: only another node may know what this is.
    response.writeHead(403).end()
    return
  }
  const answer: NodeAnswer =
    message.to !== parts.nodeId
      ? { status: 'misdirected', nodeId: parts.nodeId }
      : await answerCall(parts, decode(body) as NodeCall)
  const text = encode(answer)
  const time = parts.clock()
  response.writeHead(answer.status === 'misdirected' ? 421 : 200, {
    'content-type': 'application/json',
    [HEADERS.time]: String(time),
    [HEADERS.signature]: sign(parts.key, { kind: 'answer', time, to: parts.nodeId, body: text }),
  })
  response.end(text)
}

async function answerCall(parts: NodeServerParts, call: NodeCall): Promise<NodeAnswer> {
  const answer = await resultOf(parts, call)
  if (call.call === 'session') parts.onCall?.(call.method, answer.status)
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

/** Undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
