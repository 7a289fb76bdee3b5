// Serves the OpenAPI document and the API reference, without scripts, fonts or requests from other servers.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PRODUCT } from '../contract/version.ts'
import { programEntry } from '../process/program-files.ts'
import type { RenderedReference } from './reference-thread.ts'

const CONTENT_SECURITY_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

export async function addReference(app: FastifyInstance, document: Record<string, unknown>): Promise<void> {
  const text = Buffer.from(JSON.stringify(document))
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(text),
  )
  const reference = createReference()
  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
      reply.header('X-Content-Type-Options', 'nosniff')
      reply.header('Referrer-Policy', 'no-referrer')
    })
    scope.get('/docs', async (_request, reply) => reply.redirect('/docs/', 301))
    scope.get('/docs/', async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send((await reference()).page),
    )
    scope.get('/docs/js/scalar.js', async (request, reply) => sendScript(request, reply, await reference()))
  })
}

/** Rendered at the first visit. Without the text of the script in memory: its compressed form takes about 1 MB. */
function createReference(): () => Promise<RenderedReference> {
  let rendered: Promise<RenderedReference> | undefined
  return () => {
    rendered ??= render().catch((error: unknown) => {
      rendered = undefined
      throw error
    })
    return rendered
  }
}

async function render(): Promise<RenderedReference> {
  const thread = new Worker(programEntry(import.meta.url, './reference-thread.ts', 'reference-thread'), {
    workerData: { title: `${PRODUCT} API` },
  })
  try {
    const [rendered] = (await once(thread, 'message')) as [RenderedReference]
    return rendered
  } finally {
    await thread.terminate()
  }
}

function sendScript(request: FastifyRequest, reply: FastifyReply, { script }: RenderedReference) {
  const tag = `"${createHash('sha256').update(script).digest('base64url')}"`
  void reply.headers({ etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  void reply.type('application/javascript; charset=utf-8')
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  if (!takesGzip) return reply.send(gunzipSync(script))
  return reply.header('content-encoding', 'gzip').send(Buffer.from(script))
}
