// Downloads of media from hosts that are slow, wrong, huge or hostile, over real sockets (decisions 6, promise F3,
// attack list 5, 7, 8).
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import type { RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  createOutbound,
  type DownloadRequest,
  type MediaFile,
  type OutboundOptions,
} from '../../src/kernel/outbound/client.ts'
import type { DownloadFailure } from '../../src/kernel/outbound/media-cache.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { checkManyDownloads } from '../support/many-downloads.ts'
import { png } from '../support/sample-files.ts'
import { startWebHost, type WebHost, type WebHostOptions } from '../support/web-host.ts'

let directory: string
const open: { close(): Promise<void> }[] = []
before(async () => void (directory = await temporaryDirectory()))
after(async () => {
  for (const one of open.toReversed()) await one.close()
  await rm(directory, { recursive: true })
})
const closedLater = <T extends { close(): Promise<void> }>(one: T): T => {
  open.push(one)
  return one
}

const client = (limits: OutboundOptions['limits'] = {}, options: Partial<OutboundOptions> = {}) =>
  closedLater(
    createOutbound({
      allowTargets: ['127.0.0.1'],
      extraCa: [],
      directory,
      limits: { retryPausesMs: [0, 0], ...limits },
      ...options,
    }),
  )

const host = async (handler: RequestListener, options: WebHostOptions = {}): Promise<WebHost> =>
  closedLater(await startWebHost(handler, options))

const image = (url: string): DownloadRequest => ({ accountId: 1, url, kind: 'image' })
const document = (url: string): DownloadRequest => ({ accountId: 1, url, kind: 'document' })

function taken(outcome: MediaFile | DownloadFailure): MediaFile {
  assert.ok('path' in outcome, JSON.stringify(outcome))
  return outcome
}

function failed(outcome: MediaFile | DownloadFailure): DownloadFailure['failed'] {
  assert.ok('failed' in outcome, 'the file was taken')
  assert.doesNotMatch(outcome.message, /\d+\.\d+\.\d+\.\d+|::/, 'the sentence names no address')
  return outcome.failed
}

/** Answers the first requests with these statuses, and all others with the file. */
const answering =
  (statuses: number[], body: Buffer | string): RequestListener =>
  (_, response) => {
    const status = statuses.shift()
    if (status === undefined) response.end(body)
    else response.writeHead(status).end('not now')
  }

const leftovers = (): string[] => readdirSync(directory).flatMap((name) => readdirSync(join(directory, name)))

describe('a download', () => {
  test('returns the bytes, their number and their type', async () => {
    const bytes = png(20, 10)
    const source = await host((_, response) => response.end(bytes))
    const file = taken(await client().download(image(`${source.url}/a.png?x=1#top`)))
    assert.deepEqual(await readFile(file.path), bytes)
    assert.deepEqual([file.sizeBytes, file.mimetype], [bytes.length, 'image/png'])
    await file.release()
  })

  test('decompresses an answer that was compressed unasked', async () => {
    const bytes = png()
    const source = await host((_, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(bytes)),
    )
    const file = taken(await client().download(image(source.url)))
    assert.deepEqual(await readFile(file.path), bytes)
    await file.release()
  })

  test('is retried after 5xx, and after a broken connection', async () => {
    const busy = await host(answering([503, 500], png()))
    await taken(await client().download(image(busy.url))).release()
    assert.equal(busy.requests(), 3)
    let broken = 0
    const resetting = await host((request, response) => {
      broken += 1
      if (broken < 3) request.socket.destroy()
      else response.end(png())
    })
    await taken(await client().download(image(resetting.url))).release()
  })

  test('is retried after a timeout, in head or body of the answer', async () => {
    for (const begin of [() => undefined, (response: ServerResponse) => response.write('half')]) {
      let requested = 0
      const slow = await host((_, response) => {
        requested += 1
        if (requested === 1) begin(response)
        else response.end(png())
      })
      await taken(await client({ idleMs: 1000 }).download(image(slow.url))).release()
      // A machine that stands still for a second causes another one.
      assert.ok(requested >= 2, `${requested} requests`)
    }
  })

  test('fails after the last retry', async () => {
    const down = await host((_, response) => response.writeHead(502).end())
    assert.equal(failed(await client().download(image(down.url))), 'media_unavailable')
    assert.equal(down.requests(), 3)
  })

  test('is not retried where a retry cannot help', async () => {
    for (const status of [204, 400, 401, 403, 404, 410]) {
      const wrong = await host((_, response) => response.writeHead(status).end())
      assert.equal(failed(await client().download(image(wrong.url))), 'media_unavailable')
      assert.equal(wrong.requests(), 1)
    }
  })

  test('that never ends is cut off by the time limit', async () => {
    const dripping = await host((_, response) => {
      const drip = setInterval(() => response.write('.'), 20)
      response.once('close', () => clearInterval(drip))
    })
    const outbound = client({ tryMs: 300, retryPausesMs: [] })
    assert.equal(failed(await outbound.download(document(dripping.url))), 'media_unavailable')
  })

  test('leaves no file when it fails', async () => {
    const cut = await host((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half', () => response.destroy())
    })
    const outbound = client()
    const before = leftovers()
    assert.equal(failed(await outbound.download(document(cut.url))), 'media_unavailable')
    assert.deepEqual(leftovers(), before)
  })

  test('rejects when the local disk fails, because the file may be good', async () => {
    const source = await host((_, response) => response.end(png()))
    const outbound = client({}, { directory: '/dev/null/nowhere' })
    await assert.rejects(outbound.download(image(source.url)), { code: 'ENOTDIR' })
  })

  test('can be abandoned by one waiter, and ends with the client', async () => {
    const silent = await host(() => undefined)
    const outbound = client()
    const stop = new AbortController()
    const waiting = outbound.download({ ...image(silent.url), signal: stop.signal })
    const other = outbound.download(image(silent.url))
    stop.abort()
    await assert.rejects(waiting, { kind: 'stopped' })
    void outbound.close()
    await assert.rejects(other, { kind: 'stopped' })
  })
})

describe('the same URL', () => {
  test('is fetched once for concurrent requests, and once within the time it is kept', async () => {
    const source = await host((_, response) => response.end(png()))
    const outbound = client()
    const files = await Promise.all(Array.from({ length: 50 }, () => outbound.download(image(source.url))))
    for (const file of files) await taken(file).release()
    await taken(await outbound.download(document(source.url))).release()
    assert.equal(source.requests(), 1)
  })

  test('is fetched for each account, and no account gets the bytes of another', async () => {
    const answers = [png(1, 1), png(2, 2)]
    const source = await host((_, response) => response.end(answers.shift()))
    const outbound = client()
    const mine = taken(await outbound.download(image(source.url)))
    const theirs = taken(await outbound.download({ ...image(source.url), accountId: 2 }))
    assert.deepEqual(await readFile(mine.path), png(1, 1))
    assert.deepEqual(await readFile(theirs.path), png(2, 2))
    for (const file of [mine, theirs]) await file.release()
  })

  for (const control of ['no-store', 'private, max-age=600', 'no-cache', 'max-age=0']) {
    test(`is fetched for each message when its host answers ${control}, also in a redirect`, async () => {
      const plain = await host((_, response) => response.setHeader('cache-control', control).end(png()))
      const moved = await host((request, response) =>
        request.url === '/file'
          ? response.end(png())
          : response.writeHead(302, { location: '/file', 'cache-control': control }).end(),
      )
      for (const [source, requests] of [
        [plain, 4],
        [moved, 8],
      ] as const) {
        const outbound = client()
        const files = await Promise.all([1, 2, 3].map(() => outbound.download(image(source.url))))
        files.push(await outbound.download(image(source.url)))
        for (const file of files) await taken(file).release()
        assert.equal(source.requests(), requests)
      }
    })
  }

  test('is fetched again after a failure', async () => {
    const source = await host(answering([404], png()))
    const outbound = client()
    assert.equal(failed(await outbound.download(image(source.url))), 'media_unavailable')
    await taken(await outbound.download(image(source.url))).release()
  })

  test('may be too large for one request and allowed for another, in either order', async () => {
    const bytes = Buffer.alloc(2000)
    const source = await host((_, response) => response.end(bytes))
    const limits = { bytes: { image: 1000, video: 3000, audio: 3000, document: 3000 } }
    for (const order of [
      ['image', 'document'],
      ['document', 'image'],
    ] as const) {
      const outbound = client(limits)
      const outcomes = await Promise.all(
        order.map((kind) => outbound.download({ accountId: 1, url: source.url, kind })),
      )
      const byKind = Object.fromEntries(order.map((kind, index) => [kind, outcomes[index]]))
      assert.equal(failed(byKind.image as DownloadFailure), 'media_too_large')
      assert.equal(taken(byKind.document as MediaFile).sizeBytes, 2000)
    }
  })

  test('does not fill the disk: idle files beyond the limit are removed, oldest first', async () => {
    const source = await host((_, response) => response.end(Buffer.alloc(1000)))
    const outbound = client({ idleBytes: 2500 })
    const paths: string[] = []
    for (const name of ['a', 'b', 'c', 'd']) {
      const file = taken(await outbound.download(document(`${source.url}/${name}`)))
      paths.push(file.path)
      await file.release()
    }
    const kept = await Promise.all(
      paths.map((path) =>
        readFile(path).then(
          () => true,
          () => false,
        ),
      ),
    )
    assert.deepEqual(kept, [false, false, true, true])
  })
})

describe('attack 5: media redirects are followed three times, and each target is checked', () => {
  const redirecting = (hops: number, status = 302) =>
    host((request, response) => {
      const left = Number(request.url?.slice(1) || hops)
      if (left === 0) response.end(png())
      else response.writeHead(status, { location: `/${left - 1}` }).end('moved')
    })

  test('three hops are followed, four are not', async () => {
    await taken(await client().download(image((await redirecting(3)).url))).release()
    const far = await redirecting(4)
    assert.equal(failed(await client().download(image(far.url))), 'media_unavailable')
    assert.equal(far.requests(), 4)
  })

  for (const status of [301, 302, 303, 307, 308]) {
    test(`${status} to a forbidden host, a file or credentials is not followed`, async () => {
      const forbidden = await host((_, response) => response.end(png()), { host: '127.0.0.2' })
      const { port } = forbidden
      for (const location of [
        forbidden.url,
        `//127.0.0.2:${port}/`,
        `http://2130706434:${port}/`,
        `http://localhost:${port}/`,
        `http://name.test:${port}/`,
        'file:///etc/passwd',
        'data:image/png;base64,AAAA',
        'http://user:secret@127.0.0.1/',
        'http://',
      ]) {
        const source = await host((_, response) => response.writeHead(status, { location }).end())
        const outbound = client({}, { resolver: async () => ['127.0.0.2'] })
        assert.equal(failed(await outbound.download(image(source.url))), 'media_unavailable', location)
        assert.equal(source.requests(), 1, 'a refusal is final')
      }
      assert.equal(forbidden.connections(), 0)
    })
  }
})

describe('attack 8: a false content length', () => {
  const limits = { bytes: { image: 5000, video: 5000, audio: 5000, document: 5000 } }

  test('larger than allowed: no body is read', async () => {
    const source = await host((_, response) => {
      response.writeHead(200, { 'content-length': String(200 * 1024 * 1024) }).write('x')
    })
    assert.equal(failed(await client(limits).download(document(source.url))), 'media_too_large')
  })

  test('absent, and a body without end: cut at the limit', async () => {
    const closed = Promise.withResolvers<void>()
    const source = await host((_, response) => {
      response.once('close', () => closed.resolve())
      const sending = setInterval(() => response.write(Buffer.alloc(1000)), 1)
      response.once('close', () => clearInterval(sending))
    })
    assert.equal(failed(await client(limits).download(document(source.url))), 'media_too_large')
    await closed.promise
  })

  test('small compressed, large decompressed: cut at the limit', async () => {
    const packed = gzipSync(Buffer.alloc(50 * 1024 * 1024))
    const source = await host((_, response) => response.setHeader('content-encoding', 'gzip').end(packed))
    const wide = { bytes: { ...limits.bytes, document: 1024 * 1024 } }
    assert.equal(failed(await client(wide).download(document(source.url))), 'media_too_large')
  })

  test('shorter than the body: only the announced length is taken', async () => {
    const source = await host((_, response) => {
      response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ntrueLIES')
    })
    const file = taken(await client(limits).download(document(source.url)))
    assert.equal(await readFile(file.path, 'utf8'), 'true')
  })

  test('longer than the body: a truncated file is refused', async () => {
    const source = await host((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half', () => response.destroy())
    })
    assert.equal(failed(await client(limits).download(document(source.url))), 'media_unavailable')
  })

  test('zero: an empty file is refused', async () => {
    const source = await host((_, response) => response.end())
    assert.equal(failed(await client(limits).download(document(source.url))), 'media_unavailable')
  })
})

describe('attack 8: files that pretend to be an image', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
  for (const [name, body, failure] of [
    ['HTML', '<!DOCTYPE html><script>alert(1)</script>', 'media_unavailable'],
    ['SVG', svg, 'media_unavailable'],
    ['a pixel bomb', png(16_384, 16_384), 'media_too_large'],
  ] as const) {
    test(`${name} is refused with every type that its host and its sender state`, async () => {
      const source = await host((_, response) => response.setHeader('content-type', 'image/png').end(body))
      const request = { ...image(source.url), mimetype: 'image/png' }
      assert.equal(failed(await client().download(request)), failure)
    })
  }
})

test('F3: 20 files at once add at most 150 MB, although they are three times as large', () =>
  checkManyDownloads(25))
