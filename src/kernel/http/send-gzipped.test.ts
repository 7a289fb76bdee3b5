import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { acceptsGzip, sendGzipped } from './send-gzipped.ts'

test('gzip is sent only to a client that accepts it', () => {
  const cases: [header: string | undefined, accepted: boolean][] = [
    [undefined, false],
    ['', false],
    ['identity', false],
    ['br, deflate', false],
    ['gzip', true],
    ['GZIP', true],
    ['x-gzip', true],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
    ['*', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['*;q=0', false],
    ['gzip;q=much', false],
    ['notgzip', false],
  ]
  for (const [header, accepted] of cases) assert.equal(acceptsGzip(header), accepted, header)
})

test('both forms have the same content and tag, and a known tag is answered with 304', async () => {
  const app = Fastify()
  const content = 'the same text '.repeat(1000)
  app.get('/', (request, reply) => sendGzipped(request, reply, 'text/plain', gzipSync(content)))
  const plain = await app.inject('/')
  assert.equal(plain.body, content)
  assert.equal(plain.headers['content-encoding'], undefined)
  const gzip = { 'accept-encoding': 'gzip' }
  const small = await app.inject({ url: '/', headers: gzip })
  assert.equal(small.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(small.rawPayload).toString(), content)
  const tag = String(small.headers.etag)
  for (const answer of [plain, small]) {
    assert.equal(answer.headers.etag, tag)
    assert.equal(answer.headers.vary, 'accept-encoding')
  }
  const head = await app.inject({ method: 'HEAD', url: '/', headers: gzip })
  assert.deepEqual(
    [head.statusCode, head.body, head.headers['content-length']],
    [200, '', small.headers['content-length']],
  )
  const statusOf = async (known: string) =>
    (await app.inject({ url: '/', headers: { 'if-none-match': known } })).statusCode
  for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*'])
    assert.equal(await statusOf(known), 304, known)
  assert.equal(await statusOf('"other"'), 200)
  await app.close()
})
