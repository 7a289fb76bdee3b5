// Limits the length of an upload: the stream fails once it is longer than allowed, even if its `Content-Length` header is wrong.
import { type Readable, Transform } from 'node:stream'
import { ignoreErrors } from '../async/ignore-errors.ts'
import { GatewayError } from '../errors.ts'

/**
 * Not with `pipeline`: that would destroy the request together with the copy, and the sender would get no answer. The rest of
 * a request is read and discarded after its answer.
 */
export function limitUpload(source: Readable, maxBytes: number, tooLarge: () => Error): Readable {
  let seen = 0
  // The upload may be aborted before its reader starts, while space for it is reserved.
  const counted = ignoreErrors(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        seen += chunk.length
        if (seen > maxBytes) done(tooLarge())
        else done(null, chunk)
      },
    }),
  )
  const fail = () =>
    counted.destroy(
      new GatewayError('invalid_request', {}, { message: 'The upload ended before it was complete.' }),
    )
  source.once('close', () => {
    if (!source.readableEnded) fail()
  })
  source.on('error', fail)
  // Unpiped first: `pipe` would do it after this listener, and unpiping pauses the source again.
  counted.once('close', () => source.unpipe(counted).resume())
  return source.pipe(counted)
}
