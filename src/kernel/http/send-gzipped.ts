// Sends a document that is the same for every caller and is kept compressed. Answers of the API are not compressed: they contain
// secrets beside text that a caller chooses (decision 0167).
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export function sendGzipped(
  request: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  gzipped: Uint8Array,
): FastifyReply {
  // Weak: both forms, compressed and not, have the same tag.
  const tag = `W/"${createHash('sha256').update(gzipped).digest('base64url')}"`
  void reply.headers({ etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
  if (namesTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  void reply.type(contentType)
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(gunzipSync(gzipped))
  return reply.header('content-encoding', 'gzip').send(Buffer.from(gzipped))
}

/** Whether the client has this form already. A tag may be sent as a strong one. */
function namesTag(header: string | undefined, tag: string): boolean {
  const tags = header?.split(',').map((each) => each.trim().replace(/^(W\/)?/, 'W/')) ?? []
  return tags.includes(tag) || header?.trim() === '*'
}

/** `gzip;q=0` refuses it, and `*` stands for every coding that is not named. */
export function acceptsGzip(header = ''): boolean {
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((each) => {
        const [coding = '', ...parameters] = each.split(';').map((part) => part.trim())
        const weight = parameters.find((parameter) => parameter.startsWith('q='))
        return [coding, weight === undefined ? 1 : Number(weight.slice(2))]
      }),
  )
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}
