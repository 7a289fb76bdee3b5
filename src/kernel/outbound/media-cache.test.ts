// The messages of one account share one download of a URL within a minute; files are removed when unused.
import assert from 'node:assert/strict'
import { access, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { manualTime } from '../../../test/support/manual-time.ts'
import { type AcquiredFile, createMediaCache, isFailure, type MediaCacheParts } from './media-cache.ts'

let directory: string
before(async () => void (directory = await mkdtemp(join(tmpdir(), 'switchboard-'))))
after(() => rm(directory, { recursive: true }))

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const A = { accountId: 1, href: 'a', limitBytes: 100 }

let files = 0
function cacheWith(parts: Partial<MediaCacheParts> = {}, reusableMs = Infinity) {
  const fetched: string[] = []
  const { timers, pass } = manualTime()
  const cache = createMediaCache({
    async fetch(href) {
      fetched.push(href)
      const path = join(directory, String((files += 1)))
      await writeFile(path, 'file')
      return { path, sizeBytes: 4, contentType: '', reusableMs }
    },
    keepMs: 60_000,
    idleBytes: 1000,
    timers,
    ...parts,
  })
  const acquire = async (href: string, accountId = 1): Promise<AcquiredFile> => {
    const file = await cache.acquire({ accountId, href, limitBytes: 100 })
    assert.ok(!isFailure(file))
    return file
  }
  return { cache, acquire, fetched, pass }
}

describe('media cache', () => {
  test('downloads a URL once within a minute, and again after that', async () => {
    const { pass, acquire, fetched } = cacheWith()
    await Promise.all([acquire('a'), acquire('a'), acquire('b')])
    pass(59_999)
    await acquire('a')
    assert.deepEqual(fetched, ['a', 'b'])
    pass(1)
    await acquire('a')
    assert.deepEqual(fetched, ['a', 'b', 'a'])
  })

  test('removes a file after it has expired and its last holder has released it', async () => {
    const { pass, acquire } = cacheWith()
    const [first, second] = [await acquire('a'), await acquire('a')]
    await first.release()
    pass(60_000)
    await first.release()
    assert.equal(await exists(second.path), true)
    await second.release()
    assert.equal(await exists(second.path), false)
  })

  test('reuses a released file until it expires', async () => {
    const { acquire, fetched } = cacheWith()
    const file = await acquire('a')
    await file.release()
    assert.equal((await acquire('a')).path, file.path)
    assert.equal(await exists(file.path), true)
    assert.deepEqual(fetched, ['a'])
  })

  test('removes the oldest unused files above the size limit, and none in use', async () => {
    const { acquire } = cacheWith({ idleBytes: 8 })
    const [used, ...idle] = [await acquire('a'), await acquire('b'), await acquire('c'), await acquire('d')]
    for (const file of idle) await file.release()
    const kept = await Promise.all([used, ...idle].map((file) => exists(file?.path ?? '')))
    assert.deepEqual(kept, [true, false, true, true])
  })

  test('does not share files between accounts', async () => {
    const { acquire, fetched } = cacheWith()
    const [mine, theirs] = await Promise.all([acquire('a', 1), acquire('a', 2)])
    assert.notEqual(mine.path, theirs.path)
    assert.equal((await acquire('a', 2)).path, theirs.path)
    assert.deepEqual(fetched, ['a', 'a'])
  })

  test('does not share a file that the host marks as not reusable, and removes it on release', async () => {
    const { acquire, fetched } = cacheWith({}, 0)
    const held = await Promise.all([acquire('a'), acquire('a'), acquire('a')])
    const later = await acquire('a')
    assert.equal(new Set([...held, later].map(({ path }) => path)).size, 4)
    assert.equal(fetched.length, 4)
    for (const file of held) await file.release()
    assert.deepEqual(await Promise.all([...held, later].map(({ path }) => exists(path))), [
      false,
      false,
      false,
      true,
    ])
    await later.release()
    assert.equal(await exists(later.path), false)
  })

  test('keeps a file no longer than the host allows', async () => {
    const { pass, acquire, fetched } = cacheWith({}, 5000)
    await acquire('a')
    pass(4999)
    await acquire('a')
    assert.equal(fetched.length, 1)
    pass(1)
    await acquire('a')
    assert.equal(fetched.length, 2)
  })

  test('does not cache failures', async () => {
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
    assert.ok(isFailure(await cache.acquire(A)))
    await assert.rejects(cache.acquire(A), /disk full/)
    assert.ok(isFailure(await cache.acquire(A)))
    assert.equal(calls, 3)
  })

  test('does work on a file once for all holders, and removes its result with the file', async () => {
    const { acquire, pass } = cacheWith()
    let runs = 0
    const half = Promise.withResolvers<void>()
    const work = async (target: string) => {
      runs += 1
      await writeFile(target, 'ha')
      await half.promise
      await writeFile(target, 'half and half')
      return target
    }
    const [first, second] = [await acquire('a'), await acquire('a')]
    const results = Promise.all([first.derive('b', work), second.derive('b', work)])
    half.resolve()
    const [target] = await results
    const late = await acquire('a')
    assert.equal(await late.derive('b', work), target)
    assert.equal(runs, 1)
    pass(60_000)
    for (const file of [first, second]) await file.release()
    assert.equal(await readFile(target, 'utf8'), 'half and half', 'there is still a holder')
    await late.release()
    assert.deepEqual([await exists(first.path), await exists(target)], [false, false])
  })

  test('keeps a file while work on it lasts, although every holder has released it', async () => {
    const { acquire, pass } = cacheWith()
    const file = await acquire('a')
    const done = Promise.withResolvers<void>()
    const working = file.derive('b', async (target) => {
      await done.promise
      await copyFile(file.path, target)
      return target
    })
    await file.release()
    pass(60_000)
    assert.equal(await exists(file.path), true)
    done.resolve()
    const target = await working
    assert.deepEqual([await exists(file.path), await exists(target)], [false, false])
  })

  test('counts what was made of unused files toward the size limit', async () => {
    const { acquire } = cacheWith({ idleBytes: 20 })
    const file = await acquire('a')
    await file.derive('b', (target) => writeFile(target, 'x'.repeat(17)))
    await file.release()
    assert.equal(await exists(file.path), false)
  })

  test('a failure of work on a file is reported to all of its holders', async () => {
    const { acquire } = cacheWith()
    const [first, second] = [await acquire('a'), await acquire('a')]
    const fail = () => Promise.reject(new Error('broken'))
    await assert.rejects(first.derive('b', fail), { message: 'broken' })
    await assert.rejects(
      second.derive('b', async () => undefined),
      { message: 'broken' },
    )
    await Promise.all([first.release(), second.release()])
  })
})
