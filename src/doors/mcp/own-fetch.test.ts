import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import Fastify, { type FastifyRequest } from 'fastify'
import { ownFetch } from './serve.ts'

const REQUEST = {
  headers: { host: 'gateway.example' },
  socket: { remoteAddress: '127.0.0.1' },
} as FastifyRequest

function serverWithStream() {
  const app = Fastify()
  const ended = Promise.withResolvers<void>()
  const never = Promise.withResolvers<void>()
  app.get('/stream', async (_, reply) => {
    reply.raw.once('close', () => {
      ended.resolve()
      never.resolve()
    })
    async function* chunks() {
      yield 'first'
      await never.promise
    }
    return reply.type('text/plain').send(Readable.from(chunks()))
  })
  app.post('/echo', async ({ body, headers }) => ({ body, host: headers.host }))
  return { fetch: ownFetch(app, REQUEST), ended: ended.promise }
}

test('a call has method, body and the host of the request that causes it', async () => {
  const headers = { 'content-type': 'application/json' }
  const response = await serverWithStream().fetch('/echo', { method: 'POST', headers, body: '{"a":1}' })
  assert.deepEqual(
    [response.status, await response.json()],
    [200, { body: { a: 1 }, host: 'gateway.example' }],
  )
})

test('a stream that is not read on ends in the server', async () => {
  const { fetch, ended } = serverWithStream()
  const { body } = await fetch('/stream')
  for await (const _ of body as AsyncIterable<Uint8Array>) break
  await ended
})

test('a stream ends in the server when its call is given up', async () => {
  const { fetch, ended } = serverWithStream()
  const givenUp = new AbortController()
  const { body } = await fetch('/stream', { signal: givenUp.signal })
  const reading = body?.getReader().read()
  await reading
  givenUp.abort()
  await ended
})
