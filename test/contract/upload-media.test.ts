// POST /media
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { UPLOAD_QUOTA_BYTES } from '../../src/contract/media.ts'
import { insertUpload } from '../../src/files/upload-queries.ts'
import { type Account, contractOnEachEngine, type Gateway, noteAnswer } from '../support/gateway.ts'
import { until } from '../support/linked.ts'
import { pdf, png } from '../support/sample-files.ts'
import { faultPaths, withInstance } from './fixture.ts'
import { exchange, request } from './raw-http.ts'

const MB = 1024 * 1024
const HOUR_MS = 60 * 60 * 1000
const NUMBER = '5511912345678'

const upload = (account: Account, body: Uint8Array | string, type?: string, query = {}) =>
  account.call('uploadMedia', { body, query, headers: type === undefined ? {} : { 'content-type': type } })

const rowsOf = ({ store }: Gateway, { id }: Account) =>
  store.db.selectFrom('media_uploads').selectAll().where('account_id', '=', id).execute()

/** Takes up space without sending it. */
const reserve = ({ store }: Gateway, { id }: Account, sizeBytes: number) =>
  insertUpload(store.db, {
    account_id: id,
    media_id: `media-${randomBytes(16).toString('base64url')}`,
    mimetype: 'text/plain',
    size_bytes: sizeBytes,
    created_at: 0,
    expires_at: Number.MAX_SAFE_INTEGER,
    kept_until: Number.MAX_SAFE_INTEGER,
  })

contractOnEachEngine('POST /media', (gateway) => {
  const fixture = withInstance(gateway)
  const fresh = async () => {
    const running = await fixture()
    return { running, account: await running.account() }
  }

  test('200 returns id, type, size, digest and expiry of the file', async () => {
    const { running, account } = await fresh()
    running.clock.freeze()
    const bytes = png(4, 4)
    const answer = await upload(account, bytes, 'image/png', { fileName: 'Photo 1.png' })
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
    const { mediaId, ...rest } = answer.json
    assert.match(mediaId, /^media-[\w-]{22}$/)
    assert.deepEqual(rest, {
      success: true,
      mimetype: 'image/png',
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      expiresAt: new Date(running.clock.now() + 24 * HOUR_MS).toISOString(),
    })
    const [row, ...others] = await rowsOf(running, account)
    assert.deepEqual([row?.file_name, row?.size_bytes, others], ['Photo 1.png', bytes.length, []])
  })

  test('200 for a file of several parts, and one without an announced length', async () => {
    const { running, account } = await fresh()
    const bytes = randomBytes(2 * MB + 17)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const announced = await upload(account, bytes, 'application/octet-stream')
    assert.deepEqual([announced.status, announced.json.sha256], [200, sha256])
    const chunked = await fetch(new URL('/api/v1/media', running.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/octet-stream' },
      body: new Blob([bytes]).stream(),
      duplex: 'half',
    })
    assert.equal(((await chunked.json()) as { sha256: string }).sha256, sha256)
    assert.deepEqual(
      (await rowsOf(running, account)).map((row) => row.size_bytes),
      [bytes.length, bytes.length],
    )
  })

  test('200 uses the detected type when the declared one says nothing', async () => {
    const { account } = await fresh()
    assert.equal((await upload(account, pdf(), 'application/octet-stream')).json.mimetype, 'application/pdf')
  })

  test('400 when Content-Type is missing, malformed or not that of the bytes, and nothing is kept', async () => {
    const { running, account } = await fresh()
    const lines = [`Authorization: Bearer ${account.key}`, 'Content-Length: 6']
    const missing = await exchange(running.url, request('POST', '/api/v1/media', lines, 'a file'))
    noteAnswer('uploadMedia', missing)
    const answers = [missing]
    for (const [body, type] of [
      ['a file', 'text'],
      ['a file', `a/${'b'.repeat(126)}`],
      ['a file', 'image/png'],
      [png(), 'image/jpeg'],
      [png(), 'application/pdf'],
      ['<html><script>', 'image/png'],
    ] as const)
      answers.push(await upload(account, body, type))
    for (const answer of answers) {
      assert.equal(answer.status, 400, JSON.stringify(answer.json))
      assert.deepEqual(faultPaths(answer), ['Content-Type'])
    }
    assert.match(answers.at(-2)?.json.error, /is application\/pdf, but the file is image\/png/)
    assert.deepEqual(await rowsOf(running, account), [])
  })

  test('400 for a form, because its envelope would become part of the file, and nothing is kept', async () => {
    const { running, account } = await fresh()
    const form =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\na file\r\n--b--\r\n'
    for (const type of ['multipart/form-data; boundary=b', 'Multipart/Mixed; boundary=b']) {
      const answer = await upload(account, form, type)
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['Content-Type'])
      assert.match(answer.json.error, /the body is the file itself/)
    }
    assert.deepEqual(await rowsOf(running, account), [])
  })

  test('400 when the file is empty', async () => {
    const { running, account } = await fresh()
    const answer = await upload(account, '', 'text/plain')
    assert.equal(answer.status, 400)
    assert.deepEqual(await rowsOf(running, account), [])
  })

  test('400 when fileName is not valid', async () => {
    const { account } = await fresh()
    for (const fileName of ['', '../secret', 'a\\b', 'a\nb', 'x'.repeat(256)]) {
      const answer = await upload(account, 'x', 'text/plain', { fileName })
      assert.equal(answer.status, 400, fileName)
      assert.deepEqual(faultPaths(answer), ['fileName'])
    }
  })

  test('413 when the announced or the actual length is more than 100 MB', async () => {
    const { running, account } = await fresh()
    const lines = [
      `Authorization: Bearer ${account.key}`,
      'Content-Type: video/mp4',
      `Content-Length: ${100 * MB + 1}`,
    ]
    const answer = await exchange(running.url, request('POST', '/api/v1/media', lines))
    noteAnswer('uploadMedia', answer)
    assert.deepEqual([answer.status, answer.json.reason], [413, 'body_too_large'])
    assert.match(answer.json.error, /larger than 100 MB/)
    const piece = Buffer.alloc(MB)
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(piece),
    })
    const chunked = await fetch(new URL('/api/v1/media', running.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/octet-stream' },
      body: endless,
      duplex: 'half',
    })
    assert.equal(chunked.status, 413)
    assert.deepEqual(await rowsOf(running, account), [])
  })

  test('403 upload_space_full when the files of the account have 1 GB together', async () => {
    const { running, account } = await fresh()
    await reserve(running, account, UPLOAD_QUOTA_BYTES - 10)
    const full = await upload(account, 'eleven byte', 'text/plain')
    assert.deepEqual([full.status, full.json.reason], [403, 'upload_space_full'])
    assert.deepEqual(
      [full.json.limitBytes, full.json.usedBytes],
      [UPLOAD_QUOTA_BYTES, UPLOAD_QUOTA_BYTES - 10],
    )
    assert.equal((await upload(account, 'ten  bytes', 'text/plain')).status, 200)
    assert.equal((await upload(account, 'x', 'text/plain')).status, 403)
    const other = await running.account()
    assert.equal((await upload(other, 'x', 'text/plain')).status, 200, 'each account has its own space')
  })

  test('403 for all but one of the uploads that ask for the last space at the same time', async () => {
    const { running, account } = await fresh()
    await reserve(running, account, UPLOAD_QUOTA_BYTES - 10)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => upload(account, 'ten  bytes', 'text/plain')),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('an upload that is cut off leaves nothing', async () => {
    const { running, account } = await fresh()
    const { hostname, port } = new URL(running.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(
      `POST /api/v1/media HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${account.key}\r\n` +
        `Content-Type: application/octet-stream\r\nContent-Length: ${5 * MB}\r\n\r\n`,
    )
    socket.write(Buffer.alloc(2 * MB))
    const row = await until('the reserved space', async () => (await rowsOf(running, account))[0])
    assert.equal(row?.size_bytes, 5 * MB, 'the announced size is reserved')
    socket.destroy()
    await until('no row', async () => ((await rowsOf(running, account)).length === 0 ? true : undefined))
  })
})

contractOnEachEngine('messages with an uploaded file', (gateway) => {
  const fixture = withInstance(gateway)
  const send = (account: Account, instanceName: string, mediaId: string, headers = {}) =>
    account.call('sendMedia', {
      body: { instanceName, number: NUMBER, type: 'document', mediaId },
      headers,
    })

  test('404 when a mediaId is unknown, expired or of another account', async () => {
    const { mine, instance, clock, account } = await fixture()
    const { mediaId } = (await upload(mine, 'a file', 'text/plain')).json
    const other = await account()
    const foreign = (await upload(other, 'a file', 'text/plain')).json.mediaId
    assert.equal((await send(mine, instance.name, mediaId)).status, 200)
    assert.equal((await send(mine, instance.name, mediaId)).status, 200, 'a file is used as often as wanted')
    clock.advance(24 * HOUR_MS)
    for (const id of [mediaId, foreign, `media-${'A'.repeat(22)}`]) {
      const answer = await send(mine, instance.name, id)
      assert.deepEqual([answer.status, answer.json.reason], [404, 'media_not_found'])
      assert.deepEqual(faultPaths(answer), ['mediaId'])
    }
  })

  test('200 with the first answer when a request is repeated after its file has expired', async () => {
    const { mine, instance, clock } = await fixture()
    const { mediaId } = (await upload(mine, 'a file', 'text/plain')).json
    clock.advance(23 * HOUR_MS)
    const key = { 'idempotency-key': randomBytes(8).toString('hex') }
    const first = await send(mine, instance.name, mediaId, key)
    clock.advance(2 * HOUR_MS)
    const second = await send(mine, instance.name, mediaId, key)
    assert.deepEqual([second.status, second.json.messageId], [200, first.json.messageId])
    assert.equal((await send(mine, instance.name, mediaId)).status, 404)
  })

  test('400 when a file is too large for its kind', async () => {
    const running = await fixture()
    const { mine, instance } = running
    const row = await reserve(running, mine, 17 * MB)
    await running.store.db
      .updateTable('media_uploads')
      .set({ sha256: 'x' })
      .where('id', '=', row.id)
      .execute()
    const body = { instanceName: instance.name, number: NUMBER, mediaId: row.media_id }
    const image = await mine.call('sendMedia', { body: { ...body, type: 'image' } })
    assert.deepEqual([image.status, faultPaths(image)], [400, ['mediaId']])
    assert.equal((await mine.call('sendMedia', { body: { ...body, type: 'document' } })).status, 200)
  })
})
