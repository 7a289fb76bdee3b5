// The media host over HTTP: uploads with a token, downloads as a whole or by range.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MediaStore } from '../store/media-store.ts'

interface Upload {
  Querystring: { auth?: string; token?: string }
  Body: Readable
}
interface Download {
  Params: { file: string }
}

export function serveMedia(app: FastifyInstance, media: MediaStore): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.post<Upload>('/mms/*', { bodyLimit: media.maxBytes }, (request, reply) =>
      upload(media, request, reply),
    )
    scope.get<Download>('/v/:file', (request, reply) => download(media, request, reply))
  })
}

async function upload(media: MediaStore, request: FastifyRequest<Upload>, reply: FastifyReply) {
  const { auth, token = '' } = request.query
  if (auth !== media.uploadToken) return reply.code(401).send({ error: 'not authorised' })
  const file = await media.receive(request.body, Buffer.from(token, 'base64url'))
  if (!file) return reply.code(400).send({ error: 'the bytes do not have the announced hash' })
  const path = media.pathOf(file)
  return { url: `https://${request.headers.host}${path}`, direct_path: path, handle: '' }
}

async function download(media: MediaStore, request: FastifyRequest<Download>, reply: FastifyReply) {
  const { file } = request.params
  const size = await media.sizeOf(file)
  if (size === undefined) return reply.code(404).send({ error: 'not found' })
  if (await media.isExpired(file)) return reply.code(410).send({ error: 'expired' })
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const start = range ? Number(range[1]) : 0
  const end = Math.min(range?.[2] ? Number(range[2]) : size - 1, size - 1)
  if (start > end) return reply.code(416).header('content-range', `bytes */${size}`).send()
  void reply
    .code(range ? 206 : 200)
    .header('content-type', file.endsWith('.jpg') ? 'image/jpeg' : 'application/octet-stream')
    .header('accept-ranges', 'bytes')
    .header('content-length', end - start + 1)
  if (range) void reply.header('content-range', `bytes ${start}-${end}/${size}`)
  return reply.send(media.stream(file, start, end))
}
