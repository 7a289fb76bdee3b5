// Calls other nodes.
import { Agent, request } from 'undici'
import { ignoreErrors } from '../async/ignore-errors.ts'
import type { NodeAnswer, NodeCall } from './calls.ts'
import { decode, encode, HEADERS, isSigned, sign } from './wire.ts'

const CONNECT_MS = 2000
/** Longer than the longest call: a wait for a QR code. */
const ANSWER_MS = 25_000
export const NODE_PATH = '/node/v1'

/** How a call ended without an answer of the node. `isSafe`: it was certainly not carried out, and may be repeated elsewhere. */
export class NodeUnreachable extends Error {
  readonly isSafe: boolean

  constructor(message: string, isSafe: boolean, cause?: unknown) {
    super(message, { cause })
    this.name = 'NodeUnreachable'
    this.isSafe = isSafe
  }
}

export interface NodeClient {
  call(node: { id: number; url: string }, call: NodeCall): Promise<NodeAnswer>
  close(): Promise<void>
}

/** Errors of a connection that was never made, or that ended before an answer. */
const NOT_CARRIED_OUT = new Set([
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
const RESET = new Set(['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE'])

export function createNodeClient(key: Uint8Array, clock: () => number): NodeClient {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_MS },
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
    keepAliveTimeout: 10_000,
  })
  return {
    async call({ id, url }, call) {
      const body = encode(call)
      const time = clock()
      const answer = await request(new URL(NODE_PATH, url), {
        dispatcher,
        // Behind a load balancer each connection may lead to another node, and the answer should show that.
        reset: call.call === 'hello',
        method: 'POST',
        body,
        headers: {
          [HEADERS.time]: String(time),
          [HEADERS.to]: String(id),
          [HEADERS.signature]: sign(key, { kind: 'request', time, to: id, body }),
        },
      }).catch((error: unknown) => {
        throw toUnreachable(url, error)
      })
      const text = await ignoreErrors(answer.body)
        .text()
        .catch((error: unknown) => {
          throw new NodeUnreachable(`the node at ${url} ended its answer early`, false, error)
        })
      return verified(key, clock, url, text, answer.headers, id)
    },
    close: () => dispatcher.destroy(),
  }
}

/** What is not signed by a node is not read: something else answers at this address. */
function verified(
  key: Uint8Array,
  clock: () => number,
  url: string,
  text: string,
  headers: Record<string, string | string[] | undefined>,
  id: number,
): NodeAnswer {
  const signature = String(headers[HEADERS.signature] ?? '')
  const time = Number(headers[HEADERS.time])
  const answer = parsed(text)
  const to = answer?.status === 'misdirected' ? answer.nodeId : id
  if (!answer || !isSigned(key, { kind: 'answer', time, to, body: text }, signature, clock()))
    throw new NodeUnreachable(`${url} does not answer as a node with the same MASTER_KEY`, true)
  return answer
}

function parsed(text: string): NodeAnswer | undefined {
  try {
    return decode(text) as NodeAnswer
  } catch {
    return undefined
  }
}

function toUnreachable(url: string, error: unknown): NodeUnreachable {
  const { code = '' } = error as { code?: string }
  const isSafe = NOT_CARRIED_OUT.has(code) || RESET.has(code)
  return new NodeUnreachable(`the node at ${url} does not answer (${code || 'unknown error'})`, isSafe, error)
}
