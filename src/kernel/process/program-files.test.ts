import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { programEntry, programPath } from './program-files.ts'

test('paths start at the directory of the program', () => {
  assert.ok(existsSync(programPath('migrations', 'sqlite')))
  assert.ok(existsSync(programPath('package.json')))
})

test('an entry lies beside the sources of its caller, or beside the bundle', () => {
  const entry = (from: string) => programEntry(from, './worker.ts', 'sqlite-worker').href
  assert.equal(entry('file:///a/src/store/client.ts'), 'file:///a/src/store/worker.ts')
  assert.equal(entry('file:///a/dist/server/chunk-1.js'), 'file:///a/dist/server/sqlite-worker.js')
})
