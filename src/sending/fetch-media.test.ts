// Files of sends that a person approves: fetched in time or refused, a few at a time for each account.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { unlessAborted } from '../kernel/async/waiting.ts'
import type { MediaFile, Outbound } from '../kernel/outbound/client.ts'
import { createFetchMedia } from './held-content.ts'

const wanted = { accountId: 1, url: 'https://example.com/a', kind: 'document', mimetype: undefined } as const

const fileAt = (path: string, onRelease: () => void): MediaFile => ({
  path,
  sizeBytes: 1,
  mimetype: 'text/plain',
  detected: undefined,
  derive: () => Promise.reject(new Error('nothing is derived here')),
  release: async () => onRelease(),
})

test('a host that does not answer in time refuses the send, also while its turn has not come', async () => {
  const download: Outbound['download'] = ({ signal }) =>
    unlessAborted(Promise.withResolvers<never>().promise, signal)
  const fetchMedia = createFetchMedia({ download }, 1)
  for (const outcome of await Promise.all(Array.from({ length: 6 }, () => fetchMedia(wanted))))
    assert.deepEqual(outcome, { failed: 'The file could not be fetched within 1 s.' })
})

test('the next file of an account is fetched when an earlier one was stored', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fetch-'))
  const path = join(directory, 'file')
  await writeFile(path, 'x')
  let [started, released] = [0, 0]
  const download: Outbound['download'] = async () => {
    started += 1
    return fileAt(path, () => void (released += 1))
  }
  const fetchMedia = createFetchMedia({ download })
  const pending = Array.from({ length: 5 }, () => fetchMedia(wanted))
  const [first] = await Promise.all(pending.slice(0, 4))
  assert.equal(started, 4)
  assert.ok(first && 'bytes' in first)
  assert.equal(String(await buffer(first.bytes)), 'x')
  await first.release()
  assert.deepEqual([(await Promise.all(pending)).length, started, released], [5, 5, 1])
  for (const file of await Promise.all(pending)) if ('bytes' in file) await file.release()
  await rm(directory, { recursive: true })
})

test('a refusal of the host is passed on, and its turn ends', async () => {
  const download: Outbound['download'] = async () => ({ failed: 'media_unavailable', message: 'No.' })
  const fetchMedia = createFetchMedia({ download })
  for (let round = 0; round < 6; round += 1) assert.deepEqual(await fetchMedia(wanted), { failed: 'No.' })
})
