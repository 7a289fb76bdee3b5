// Calls whose body is a file, which is stored as a stream.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sentenceOf } from '../../src/contract/reasons.ts'
import { sandboxRoutes as routes } from '../../src/contract/sandbox.ts'
import { Refusal } from '../model/refusal.ts'
import { composeFile } from '../phones/compose.ts'
import type { StateWithPhones } from '../phones/phone.ts'
import { findChat, send } from '../phones/send.ts'
import { call } from './call.ts'

/** Sent by clients that do not know the type. The media type then follows from the kind of the message. */
const UNKNOWN_TYPE = 'application/octet-stream'

export function uploadCalls(app: FastifyInstance, state: StateWithPhones, mediaHost: () => string): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, bytes, done) => done(null, bytes))
    const route = routes.sandboxSendMedia
    call(scope, state, route, async ({ params, query }, view, reply) => {
      const phone = view.phone(params.number)
      const chat = findChat(state.world, phone, query.to)
      const bytes = fileOf(reply.request, route.upload.maxBytes)
      const mimetype = reply.request.headers['content-type']
      const file = mimetype === undefined || mimetype === UNKNOWN_TYPE ? query : { ...query, mimetype }
      const message = await composeFile(state, phone, file, bytes, mediaHost())
      return { messageId: await send(state, phone, { chat, message, viewOnce: query.viewOnce ?? false }) }
    })
  })
}

function fileOf({ body, headers }: FastifyRequest, maxBytes: number): Readable {
  if (!(body instanceof Readable)) throw new Refusal('invalid_request', 'The body must be the file.')
  const tooLarge = () => new Refusal('body_too_large', sentenceOf('body_too_large'))
  if (Number(headers['content-length']) > maxBytes) throw tooLarge()
  async function* upTo() {
    let seen = 0
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        seen += chunk.length
        if (seen > maxBytes) throw tooLarge()
        yield chunk
      }
    } catch (error) {
      throw error instanceof Refusal ? error : new Refusal('invalid_request', 'The upload ended early.')
    }
    if (seen === 0) throw new Refusal('invalid_request', 'The body must be the file.')
  }
  return Readable.from(upTo())
}
