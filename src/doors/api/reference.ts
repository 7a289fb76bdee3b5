// Serves the OpenAPI document and the API reference, without scripts, fonts or requests from other servers. Both are built at their
// first visit, in threads that end afterwards.
import { once as nextEvent } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import { PRODUCT } from '../../contract/version.ts'
import { ignoreErrors } from '../../kernel/async/ignore-errors.ts'
import { sendGzipped } from '../../kernel/http/send-gzipped.ts'
import { programEntry } from '../../kernel/process/program-files.ts'
import type { DocumentRequest } from './openapi-thread.ts'
import type { RenderedReference } from './reference-thread.ts'

const CONTENT_SECURITY_POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

export async function addReference(app: FastifyInstance, about: DocumentRequest): Promise<void> {
  const document = once(() => threadAnswer<Uint8Array>('openapi-thread', about))
  const reference = once(() =>
    threadAnswer<RenderedReference>('reference-thread', { title: `${PRODUCT} API` }),
  )
  app.get('/openapi.json', async (request, reply) =>
    sendGzipped(request, reply, 'application/json; charset=utf-8', await document()),
  )
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
    scope.get('/docs/js/start.js', async (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('application/javascript; charset=utf-8')
        .send((await reference()).start),
    )
    scope.get('/docs/js/scalar.js', async (request, reply) =>
      sendGzipped(request, reply, 'application/javascript; charset=utf-8', (await reference()).script),
    )
  })
}

/** Keeps the first success; a failure is retried at the next visit. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}

/** The one message that a thread posts. */
async function threadAnswer<T>(name: string, data: unknown): Promise<T> {
  // A thread may fail after its answer as well.
  const thread = ignoreErrors(
    new Worker(programEntry(import.meta.url, `./${name}.ts`, name), { workerData: data }),
  )
  const ended = nextEvent(thread, 'exit').then(() =>
    Promise.reject(new Error(`${name} ended without an answer`)),
  )
  try {
    const [answer] = (await Promise.race([nextEvent(thread, 'message'), ended])) as [T]
    return answer
  } finally {
    await thread.terminate()
  }
}
