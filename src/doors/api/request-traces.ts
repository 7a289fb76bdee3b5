// The span of a request that was accepted as a message. Other requests have none: nothing happens after their answer.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TracedMessage, Tracer } from '../../tracer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The message that the request was accepted as; only while tracing is on. */
    tracedMessage: TracedMessage | undefined
  }
}

export type NoteMessage = (request: FastifyRequest, message: TracedMessage) => void

/** Undefined while tracing is off: then requests have no hook and no property for it. */
export function addRequestTraces(app: FastifyInstance, trace: Tracer | undefined): NoteMessage | undefined {
  if (!trace) return undefined
  app.decorateRequest('tracedMessage', undefined)
  app.addHook('onResponse', async (request, reply) => {
    if (!request.tracedMessage) return
    trace.answered(request.tracedMessage, {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      elapsedMs: reply.elapsedTime,
      traceparent: [request.headers.traceparent].flat()[0],
    })
  })
  return (request, message) => void (request.tracedMessage = message)
}
