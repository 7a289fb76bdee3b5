// Request bodies: only JSON in UTF-8, and only JSON that every parser reads in the same way (decision 0017).
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { findTextFault } from '../../contract/text-guard.ts'
import { GatewayError, invalidField } from '../../errors.ts'

export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    // `curl -X POST -H 'content-type: application/json'` sends an empty body.
    if (bytes.length === 0) return done(null, undefined)
    if (!isUtf8(bytes as Buffer)) return done(unreadable('is not valid UTF-8'))
    const text = bytes.toString()
    const fault = findTextFault(text)
    if (fault)
      return done(fault.path === '' ? unreadable(fault.message) : invalidField(fault.path, fault.message))
    return void parse(request, text, done)
  })
}

/** A refusal of the body as a whole. */
const unreadable = (message: string): GatewayError =>
  new GatewayError(
    'invalid_request',
    { details: [{ path: '', message }] },
    { message: `The request is not valid: the body ${message}` },
  )
