// The deadlines of bodies: JSON must have arrived after a time, and every body must go on arriving. Node enforces a deadline as well, but
// it is that of uploads, and its answer has no request id.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatewayError } from '../../errors.ts'
import { realTimers, type Timers } from '../async/timers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file, which may take longer. */
    isUpload?: boolean
  }
}

/** An upload of which nothing arrives for this long is ended. */
const STALL_MS = 30_000
const CHECK_MS = 5000

export function addBodyDeadline(app: FastifyInstance, limitMs: number, timers: Timers = realTimers): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    // Most bodies have already arrived.
    if (!request.raw.complete) watchBody(request, payload, limitMs, timers)
    done(null, payload)
  })
  // The rest of the body may still come, and would be read as the next request.
  app.addHook('onSend', async ({ raw }, reply) => {
    if (reply.statusCode === 408 && !raw.complete) void reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request) => closeUnlessComplete(request, limitMs, timers))
}

function watchBody(request: FastifyRequest, payload: Readable, limitMs: number, timers: Timers): void {
  const end = () => {
    stop()
    // Destroying the stream would close the connection before the answer is sent. Without a listener the body is not read.
    if (payload.listenerCount('error') > 0) payload.emit('error', new GatewayError('request_timeout'))
    else request.raw.destroy()
  }
  const stop = request.routeOptions.config.isUpload
    ? watchProgress(request, end, timers)
    : startDeadline(end, limitMs, timers)
  payload.once('end', stop)
  payload.once('close', stop)
}

function startDeadline(end: () => void, limitMs: number, timers: Timers): () => void {
  const timer = timers.setTimeout(end, limitMs)
  timer.unref()
  return () => timers.clearTimeout(timer)
}

function watchProgress({ raw }: FastifyRequest, end: () => void, timers: Timers): () => void {
  let seen = raw.socket.bytesRead
  let quietMs = 0
  const timer = timers.setInterval(() => {
    const { bytesRead } = raw.socket
    // What has arrived but was not read waits for this process, not for the client.
    const isAlive = bytesRead !== seen || raw.readableLength > 0
    seen = bytesRead
    quietMs = isAlive ? 0 : quietMs + CHECK_MS
    if (quietMs >= STALL_MS) end()
  }, CHECK_MS)
  timer.unref()
  return () => timers.clearInterval(timer)
}

/** A request may be answered before its body has arrived. The rest is read, so that the connection can be used again, but not forever. */
function closeUnlessComplete({ raw }: FastifyRequest, limitMs: number, timers: Timers): void {
  if (raw.complete) return
  const stop = startDeadline(() => raw.destroy(), limitMs, timers)
  raw.once('end', stop)
  raw.once('close', stop)
}
