// The API reference at /docs loads nothing from other origins.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { addReference } from './reference.ts'

test('the page contains no URL of another origin, and its policy blocks requests to one', async () => {
  const app = Fastify()
  await addReference(app, { serverUrl: '/', hasSandbox: false })
  const page = await app.inject('/docs/')
  assert.equal(page.statusCode, 200)
  assert.doesNotMatch(page.body, /(https?:)?\/\/[\w-]+\.\w/)
  const policy = new Map(
    String(page.headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  )
  assert.deepEqual(policy.get('default-src'), ["'self'"])
  for (const [name, sources] of policy) {
    const foreign = sources.filter(
      (source) => !["'self'", "'none'", "'unsafe-inline'", 'data:'].includes(source),
    )
    assert.deepEqual(foreign, [], `${name} lets requests out`)
  }
  // The dashboard has the same origin, and its cookie.
  assert.deepEqual(policy.get('script-src'), ["'self'"])
  assert.doesNotMatch(page.body, /<script(?![^>]* src=)|\son\w+=|javascript:/i)
  const start = await app.inject('/docs/js/start.js')
  assert.match(String(start.headers['content-type']), /^application\/javascript/)
  assert.match(start.body, /Scalar\.createApiReference/)
  await app.close()
})

test('script and document are served by this server, the script compressed where the browser accepts that', async () => {
  const app = Fastify()
  await addReference(app, { serverUrl: '/', hasSandbox: false })
  const plain = await app.inject('/docs/js/scalar.js')
  assert.equal(plain.statusCode, 200)
  const headers = { 'accept-encoding': 'br, gzip' }
  const small = await app.inject({ url: '/docs/js/scalar.js', headers })
  assert.equal(small.headers['content-encoding'], 'gzip')
  assert.ok(gunzipSync(small.rawPayload).equals(plain.rawPayload))
  const etag = String(small.headers.etag)
  const again = await app.inject({
    url: '/docs/js/scalar.js',
    headers: { ...headers, 'if-none-match': etag },
  })
  assert.deepEqual([again.statusCode, again.rawPayload.length], [304, 0])
  assert.equal((await app.inject('/docs')).headers.location, '/docs/')
  const gzipped = await app.inject({ url: '/openapi.json', headers })
  assert.equal(gzipped.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(gzipped.rawPayload).toString(), (await app.inject('/openapi.json')).body)
  const document: { openapi: string; paths: object } = (await app.inject('/openapi.json')).json()
  assert.equal(document.openapi, '3.1.0')
  assert.ok('/api/v1/send/text' in document.paths && !('/sandbox/v1/phones' in document.paths))
  await app.close()
})
