// The deadline by which a body must have arrived. Node enforces one as well, but checks only every second and answers without a
// request id.
import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../errors.ts'

export function addBodyDeadline(app: FastifyInstance, limitMs: number): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    // Most bodies have already arrived. A streamed body has Node's deadline only.
    if (!request.raw.complete && request.headers['content-type']?.startsWith('application/json')) {
      const timer = setTimeout(() => {
        // Destroying the stream would close the connection before the answer is sent.
        if (payload.listenerCount('error') > 0) payload.emit('error', new GatewayError('request_timeout'))
      }, limitMs).unref()
      payload.once('end', () => clearTimeout(timer))
      payload.once('close', () => clearTimeout(timer))
    }
    done(null, payload)
  })
}
