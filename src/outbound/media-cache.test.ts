// One download for all who want the same URL within a minute, and no file that outlives its use (decisions 6).
import assert from 'node:assert/strict'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { createMediaCache, type HeldFile, isFailure, type MediaCacheParts } from './media-cache.ts'

let directory: string
before(async () => void (directory = await mkdtemp(join(tmpdir(), 'switchboard-'))))
after(() => rm(directory, { recursive: true }))

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

let files = 0
function cacheWith(parts: Partial<MediaCacheParts> = {}) {
  const fetched: string[] = []
  const cache = createMediaCache({
    async fetch(href) {
      fetched.push(href)
      const path = join(directory, String((files += 1)))
      await writeFile(path, 'file')
      return { path, sizeBytes: 4, contentType: '' }
    },
    keepMs: 60_000,
    idleBytes: 1000,
    ...parts,
  })
  const hold = async (href: string): Promise<HeldFile> => {
    const file = await cache.hold(href, 100)
    assert.ok(!isFailure(file))
    return file
  }
  return { cache, hold, fetched }
}

const stopTime = (context: TestContext): ((ms: number) => void) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  return (ms) => context.mock.timers.tick(ms)
}

describe('the cache of downloads', () => {
  test('fetches a URL once within a minute, and again after it', async (context) => {
    const tick = stopTime(context)
    const { hold, fetched } = cacheWith()
    await Promise.all([hold('a'), hold('a'), hold('b')])
    tick(59_999)
    await hold('a')
    assert.deepEqual(fetched, ['a', 'b'])
    tick(1)
    await hold('a')
    assert.deepEqual(fetched, ['a', 'b', 'a'])
  })

  test('removes a file when its time is over and the last holder has let go, not before', async (context) => {
    const tick = stopTime(context)
    const { hold } = cacheWith()
    const [first, second] = [await hold('a'), await hold('a')]
    await first.release()
    tick(60_000)
    await first.release()
    assert.equal(await exists(second.path), true)
    await second.release()
    assert.equal(await exists(second.path), false)
  })

  test('keeps a file that is let go for those who come within its time', async (context) => {
    stopTime(context)
    const { hold, fetched } = cacheWith()
    const file = await hold('a')
    await file.release()
    assert.equal((await hold('a')).path, file.path)
    assert.equal(await exists(file.path), true)
    assert.deepEqual(fetched, ['a'])
  })

  test('keeps no more idle bytes than it may: the oldest go, those in use stay', async (context) => {
    stopTime(context)
    const { hold } = cacheWith({ idleBytes: 8 })
    const [used, ...idle] = [await hold('a'), await hold('b'), await hold('c'), await hold('d')]
    for (const file of idle) await file.release()
    const kept = await Promise.all([used, ...idle].map((file) => exists(file?.path ?? '')))
    assert.deepEqual(kept, [true, false, true, true])
  })

  test('remembers no failure', async () => {
    const outcomes = ['media_unavailable', new Error('disk full'), 'media_unavailable'] as const
    let calls = 0
    const { cache } = cacheWith({
      async fetch() {
        const outcome = outcomes[calls]
        calls += 1
        if (outcome instanceof Error) throw outcome
        return { failed: 'media_unavailable', message: '' }
      },
    })
    assert.ok(isFailure(await cache.hold('a', 100)))
    await assert.rejects(cache.hold('a', 100), /disk full/)
    assert.ok(isFailure(await cache.hold('a', 100)))
    assert.equal(calls, 3)
  })
})
