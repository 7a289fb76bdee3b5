// Answers to bytes that Node cannot parse as a request, and to requests that do not arrive in time. They are written to the
// socket directly, because the framework never sees such a request, and close the connection.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ConnectionError, FastifyInstance } from 'fastify'
import { type Reason, sentenceOf, statusOf } from '../../contract/reasons.ts'
import { ignoreErrors } from '../async/ignore-errors.ts'
import { pathOf } from './request-log.ts'

type MethodsAt = (path: string) => string[]

/** A client that does not close its side after such an answer is cut off after this time. */
const LINGER_MS = 2000

const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ (\S+) HTTP\/1\.[01]\r?$/

export const createClientErrorHandler =
  (methodsAt: MethodsAt, answered: EarlyAnswers) =>
  (error: ConnectionError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      if (answered.get(socket)?.complete === false) socket.destroy()
      else answer(socket, 'request_timeout')
      return
    }
    const target = error.code === 'HPE_INVALID_METHOD' ? targetOf(error) : undefined
    if (target === undefined) answer(socket, 'invalid_request', 'The request is not valid HTTP.')
    else refuseMethod(socket, methodsAt(pathOf(target)))
  }

/** The last request of a connection that was answered before its body arrived. It must not be answered a second time. */
export type EarlyAnswers = WeakMap<Socket, IncomingMessage>

export function noteEarlyAnswers(app: FastifyInstance, answered: EarlyAnswers): void {
  app.addHook('onResponse', async ({ raw }) => {
    if (!raw.complete) answered.set(raw.socket, raw)
  })
}

/**
 * Node removes its own listener from a socket that it hands over, as with CONNECT, and a reset would then end the process. This one
 * stays for the life of the connection. An error of the listener, such as a failed `accept`, concerns one connection only.
 */
export function guardSockets(app: FastifyInstance): void {
  app.server.on('connection', ignoreErrors)
  app.server.on('error', (err) => app.log.warn({ err }, 'http: a connection could not be accepted'))
}

/** Refuses CONNECT. Node would close the connection without an answer. */
export function refuseTunnels(app: FastifyInstance, methodsAt: MethodsAt): void {
  app.server.on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) =>
    refuseMethod(socket, methodsAt(pathOf(url))),
  )
}

/** The parser reports an unknown method with the same error as bytes that are not HTTP at all. */
function targetOf(error: ConnectionError): string | undefined {
  const { bytesParsed } = error
  // Its declared type is that of the buffer as JSON.
  const packet: unknown = error.rawPacket
  if (!Buffer.isBuffer(packet)) return undefined
  const start = packet.subarray(0, bytesParsed).lastIndexOf('\n') + 1
  const end = packet.indexOf('\n', bytesParsed)
  return end === -1 ? undefined : REQUEST_LINE.exec(packet.toString('latin1', start, end))?.[1]
}

const refuseMethod = (socket: Duplex, methods: readonly string[]): void =>
  answer(socket, 'method_not_allowed', sentenceOf('method_not_allowed'), `allow: ${methods.join(', ')}\r\n`)

function answer(socket: Duplex, reason: Reason, sentence: string = sentenceOf(reason), headers = ''): void {
  const status = statusOf(reason)
  const body = JSON.stringify({ success: false, error: sentence, reason, requestId: 'none' })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n${headers}` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  closeSoon(socket)
}

/** The rest of the input is read and discarded: closing with unread input would reset the connection, and the answer be lost. */
function closeSoon(socket: Duplex): void {
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}
