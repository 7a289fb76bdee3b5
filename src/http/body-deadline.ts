// The deadline by which a body must have arrived. Node enforces one as well, but it is that of uploads, and its answer has no request
// id.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatewayError } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file, which may take longer. */
    isUpload?: boolean
  }
}

export function addBodyDeadline(app: FastifyInstance, limitMs: number): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    // Most bodies have already arrived.
    if (!request.raw.complete && !request.routeOptions.config.isUpload) {
      const timer = setTimeout(() => {
        // Destroying the stream would close the connection before the answer is sent. Without a listener the body is not read.
        if (payload.listenerCount('error') > 0) payload.emit('error', new GatewayError('request_timeout'))
        else request.raw.destroy()
      }, limitMs).unref()
      payload.once('end', () => clearTimeout(timer))
      payload.once('close', () => clearTimeout(timer))
    }
    done(null, payload)
  })
  app.addHook('onResponse', async (request) => closeUnlessComplete(request, limitMs))
}

/** A request may be answered before its body has arrived. The rest is read, so that the connection can be used again, but not forever. */
function closeUnlessComplete({ raw }: FastifyRequest, limitMs: number): void {
  if (raw.complete) return
  const timer = setTimeout(() => raw.destroy(), limitMs).unref()
  raw.once('end', () => clearTimeout(timer))
  raw.once('close', () => clearTimeout(timer))
}
