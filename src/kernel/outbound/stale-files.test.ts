import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { removeStaleFiles } from './stale-files.ts'

const MINUTE_MS = 60_000

test('removes old files, keeps new ones, and continues when a file disappears', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'switchboard-'))
  try {
    for (const name of ['a-old', 'b-young', 'c-old', 'other-old']) await writeFile(join(directory, name), '')
    // A dangling link is listed, but stat fails: the same as a file removed in between.
    await symlink(join(directory, 'nowhere'), join(directory, 'b-vanished'))
    const longAgo = new Date(Date.now() - 2 * MINUTE_MS)
    for (const name of ['a-old', 'c-old', 'other-old']) await utimes(join(directory, name), longAgo, longAgo)
    for (const prefix of ['a-', 'b-', 'c-']) await removeStaleFiles(directory, MINUTE_MS, prefix)
    assert.deepEqual((await readdir(directory)).toSorted(), ['b-vanished', 'b-young', 'other-old'])
    await removeStaleFiles(directory, MINUTE_MS)
    assert.deepEqual((await readdir(directory)).toSorted(), ['b-vanished', 'b-young'])
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})
