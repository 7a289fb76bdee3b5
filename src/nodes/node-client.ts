// Calls other nodes.
import { Agent, type Dispatcher, request } from 'undici'
import { ignoreErrors } from '../kernel/async/ignore-errors.ts'
import type { NodeAnswer, NodeCall } from './calls.ts'
import type { NodeTls } from './node-tls.ts'
import { describeBody, isBodyOf, newNonce, readAnswerHead, requestHeaders } from './signing.ts'
import { decode, encode } from './wire.ts'

const CONNECT_MS = 2000
/** Longer than the longest call: a wait for a QR code. */
const ANSWER_MS = 25_000
/** Shorter than that of the server. */
const KEEP_ALIVE_MS = 10_000
/** To one node. Further calls wait for one of these. */
const MAX_CONNECTIONS = 64
/** A received file of 100 MB, in base64. */
const MAX_ANSWER_BYTES = 140 * 1024 * 1024
const NODE_PATH = '/node/v2'

/**
 * How a call ended without an answer of the node: `no`: it was certainly not carried out. `perhaps`: the connection ended before the
 * answer, or something else has answered. `late`: no answer in time.
 */
export class NodeUnreachable extends Error {
  readonly carriedOut: 'no' | 'perhaps' | 'late'

  constructor(message: string, carriedOut: NodeUnreachable['carriedOut'], cause?: unknown) {
    super(message, { cause })
    this.name = 'NodeUnreachable'
    this.carriedOut = carriedOut
  }
}

export interface NodeClient {
  call(node: { id: number; url: string }, call: NodeCall): Promise<NodeAnswer>
  close(): Promise<void>
}

/** Errors of a connection that was never made. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
/** Errors of a handshake: the certificate of the node does not fit, or it does not speak TLS. */
const HANDSHAKE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/
const LATE = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

export function createNodeClient(key: Uint8Array, clock: () => number, tls?: NodeTls): NodeClient {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_MS, ...tlsOptions(tls) },
    connections: MAX_CONNECTIONS,
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })
  return {
    async call({ id, url }, call) {
      const body = Buffer.from(encode(call))
      const head = { time: Math.round(clock()), to: id, nonce: newNonce(), ...describeBody(body) }
      const answer = await request(new URL(NODE_PATH, url), {
        dispatcher,
        // Behind a load balancer each connection may lead to another node, and the answer should show that.
        reset: call.call === 'hello',
        method: 'POST',
        body,
        headers: requestHeaders(key, head),
      }).catch((error: unknown) => {
        throw toUnreachable(url, error)
      })
      ignoreErrors(answer.body)
      return readAnswer(key, { id, url, nonce: head.nonce }, answer)
    },
    close: () => dispatcher.destroy(),
  }
}

const tlsOptions = (tls: NodeTls | undefined) =>
  tls && {
    ...tls.files,
    minVersion: 'TLSv1.3' as const,
    ...(tls.name === undefined ? {} : { servername: tls.name }),
  }

/** What is not signed by a node as the answer to this call is not read: something else answers at this address. */
async function readAnswer(
  key: Uint8Array,
  { id, url, nonce }: { id: number; url: string; nonce: string },
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
): Promise<NodeAnswer> {
  const head = readAnswerHead(key, headers, { nonce, status })
  if (!head || head.length > MAX_ANSWER_BYTES) {
    body.destroy()
    throw new NodeUnreachable(
      `${url} does not answer as a node of this version with the same MASTER_KEY (status ${status})`,
      'perhaps',
    )
  }
  const bytes = await body.bytes().catch((error: unknown) => {
    throw new NodeUnreachable(`the node at ${url} ended its answer early`, lateOr('perhaps', error), error)
  })
  if (!isBodyOf(head, bytes))
    throw new NodeUnreachable(`the answer of the node at ${url} was changed`, 'perhaps')
  const answer = decode(Buffer.from(bytes).toString()) as NodeAnswer
  if (head.from !== id && answer.status !== 'misdirected')
    throw new NodeUnreachable(`another node answers at ${url}`, 'perhaps')
  return answer
}

const lateOr = <T>(otherwise: T, error: unknown): T | 'late' =>
  LATE.has((error as { code?: string }).code ?? '') ? 'late' : otherwise

function toUnreachable(url: string, error: unknown): NodeUnreachable {
  const { code = '' } = error as { code?: string }
  const carriedOut = NOT_CONNECTED.has(code) || HANDSHAKE.test(code) ? 'no' : lateOr('perhaps', error)
  return new NodeUnreachable(
    `the node at ${url} does not answer (${code || 'unknown error'})`,
    carriedOut,
    error,
  )
}
