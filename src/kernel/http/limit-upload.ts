// Streams of request bodies that are checked while they arrive. An upload fails once it is longer than allowed, even if its
// `Content-Length` header is wrong.
import { type Readable, Transform } from 'node:stream'
import { GatewayError } from '../../errors.ts'
import { ignoreErrors } from '../async/ignore-errors.ts'

export function limitUpload(source: Readable, maxBytes: number, tooLarge: () => Error): Readable {
  let seen = 0
  return checkArriving(source, (sizeBytes) => {
    seen += sizeBytes
    if (seen > maxBytes) throw tooLarge()
  })
}

/**
 * A copy of the stream that fails with what `check` throws about the size of a chunk.
 *
 * Not with `pipeline`: that would destroy the request together with the copy, and the sender would get no answer. The rest of
 * a request is read and discarded after its answer.
 */
export function checkArriving(source: Readable, check: (sizeBytes: number) => void): Readable {
  // The upload may be aborted before its reader starts, while space for it is reserved.
  const counted = ignoreErrors(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        try {
          check(chunk.length)
        } catch (error) {
          return done(error as Error)
        }
        done(null, chunk)
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
  // A body that does not arrive in time fails with a refusal; a connection that breaks, with an error of the system.
  source.on('error', (error) => (error instanceof GatewayError ? counted.destroy(error) : fail()))
  // Unpiped first: `pipe` would do it after this listener, and unpiping pauses the source again.
  counted.once('close', () => source.unpipe(counted).resume())
  return source.pipe(counted)
}
