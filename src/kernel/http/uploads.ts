// Uploads: bodies of any media type that are read as a stream, with a limit on their length.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ArrivingFile } from '../../contract/route.ts'
import { GatewayError, invalidField } from '../../errors.ts'
import { bodyTooLarge, sendError } from './errors.ts'
import { limitUpload } from './limit-upload.ts'

/** A separate scope, where every body is a stream, even JSON. */
export function addUploadScope(app: FastifyInstance, addRoutes: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, bytes, done) => done(null, bytes))
    // The framework refuses a malformed type as one that the server does not accept; here every type is accepted.
    scope.setErrorHandler((error, request, reply) =>
      sendError(isMalformedType(error) ? malformedType() : error, request, reply),
    )
    addRoutes(scope)
  })
}

const isMalformedType = (error: unknown): boolean =>
  (error as { code?: string }).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
const malformedType = () => invalidField('Content-Type', 'expected <type>/<subtype>, such as image/png')

/** A form would be stored with its envelope, and the recipient could not open it. */
const MULTIPART = /^\s*multipart\//i
const multipart = () =>
  invalidField(
    'Content-Type',
    'forms (multipart) are not accepted: the body is the file itself, as with curl --data-binary @file',
  )

/** The file of a request. `bytes` must be destroyed at the end, or the next request of the connection hangs. */
export function arrivingFile(
  request: FastifyRequest,
  maxBytes: number,
): ArrivingFile & { bytes: Readable; contentLength: string | undefined } {
  const contentLength = request.headers['content-length']
  const tooLarge = () => new GatewayError('body_too_large', {}, { message: bodyTooLarge(maxBytes) })
  if (Number(contentLength) > maxBytes) throw tooLarge()
  if (MULTIPART.test(request.headers['content-type'] ?? '')) throw multipart()
  return {
    bytes: limitUpload((request.body as Readable | undefined) ?? Readable.from([]), maxBytes, tooLarge),
    contentType: request.headers['content-type'],
    contentLength,
    sizeBytes: contentLength === undefined ? undefined : Number(contentLength),
  }
}
