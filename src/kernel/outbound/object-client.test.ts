// The client of an object store: signed requests, bounded retries and waits, and errors without secrets.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { inspect } from 'node:util'
import {
  ACCESS_KEY,
  BUCKET,
  type ObjectServer,
  REGION,
  SECRET_KEY,
  startObjectServer,
} from '../../../test/support/object-server.ts'
import {
  createObjectClient,
  type ObjectClient,
  type ObjectClientOptions,
  ObjectStoreError,
} from './object-client.ts'

const LIMITS = { connectMs: 2000, answerMs: 5000, transferMs: 5000, retryPausesMs: [1, 1] }
const SHORT = { ...LIMITS, answerMs: 100, transferMs: 100 }

describe('the client of an object store', () => {
  let server: ObjectServer
  const clients: ObjectClient[] = []
  const clientOf = (change: Partial<ObjectClientOptions> = {}): ObjectClient => {
    const client = createObjectClient({
      endpoint: server.endpoint,
      region: REGION,
      bucket: BUCKET,
      accessKey: ACCESS_KEY,
      secretKey: SECRET_KEY,
      extraCa: [],
      limits: LIMITS,
      ...change,
    })
    clients.push(client)
    return client
  }
  before(async () => {
    server = await startObjectServer()
  })
  beforeEach(() => {
    server.objects.clear()
    server.requests.length = 0
    server.faults.length = 0
    server.fault = undefined
  })
  after(async () => {
    for (const client of clients) await client.close()
    await server.close()
  })

  async function failureOf(work: Promise<unknown>): Promise<ObjectStoreError> {
    const error = await work.then(
      () => assert.fail('it succeeded'),
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof ObjectStoreError, inspect(error))
    const shown = inspect(error, { depth: 10 })
    assert.ok(!shown.includes(SECRET_KEY) && !shown.includes(ACCESS_KEY), 'no key is in the error')
    return error
  }

  test('writes, reads, lists and removes objects', async () => {
    const client = clientOf()
    const bytes = randomBytes(3 * 1024 * 1024 + 1)
    assert.equal(await client.get('a/1'), null)
    await client.put('a/1', bytes)
    assert.ok(bytes.equals((await client.get('a/1')) as Buffer))
    for (const key of ['a/2', 'a/3', 'a/b/4', 'a/c/5', 'ab/6']) await client.put(key, Buffer.from(key))
    assert.deepEqual((await client.list('a/')).sort(), ['1', '2', '3', 'b/', 'c/'], 'over several pages')
    assert.deepEqual(await client.list('none/'), [])
    await client.remove('a/1')
    await client.remove('a/1')
    assert.equal(await client.get('a/1'), null)
  })

  test('encodes names and queries as they were signed', async () => {
    const client = clientOf()
    const key = "a b/ü+&'(1)*~.txt"
    await client.put(key, Buffer.from('x'))
    assert.deepEqual([...server.objects.keys()], [key])
    assert.ok(await client.get(key))
  })

  test('retries a busy store and a broken connection, and no more often than configured', async () => {
    const client = clientOf()
    server.faults.push(503, 'cut')
    await client.put('a', Buffer.from('x'))
    assert.equal(server.requests.length, 3)
    server.fault = 500
    assert.match((await failureOf(client.get('a'))).message, /answered 500 Faulty/)
    assert.equal(server.requests.length, 6)
  })

  test('does not retry a refusal or an answer that does not come', async () => {
    assert.match(
      (await failureOf(clientOf({ secretKey: 'wrong' }).get('a'))).message,
      /403 SignatureDoesNotMatch/,
    )
    assert.match((await failureOf(clientOf({ bucket: 'other' }).get('a'))).message, /404 NoSuchBucket/)
    assert.match((await failureOf(clientOf({ bucket: 'other' }).remove('a'))).message, /404 NoSuchBucket/)
    assert.equal(server.requests.length, 3)
    server.fault = 'silent'
    assert.match((await failureOf(clientOf({ limits: SHORT }).get('a'))).message, /did not answer in time/)
    assert.equal(server.requests.length, 4)
    server.fault = 'garbage'
    assert.match((await failureOf(clientOf().list('a/'))).message, /not send a valid HTTP response/)
    server.fault = 301
    assert.match((await failureOf(clientOf().get('a'))).message, /301/, 'no redirect is followed')
  })

  test('fails when nothing listens', async () => {
    const closed = await startObjectServer()
    await closed.close()
    const error = await failureOf(clientOf({ endpoint: closed.endpoint }).get('a'))
    assert.match(error.message, /could not be reached/)
  })
})
