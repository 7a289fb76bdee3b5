// docs/compat/cloud.md agrees with the calls, kinds and codes of the dialect.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { KIND_NOTES, KNOWN_CALLS } from '../scripts/cloud-calls.ts'
import { unlistedCalls, withCloudTables } from '../scripts/cloud-table.ts'
import { KINDS } from '../src/doors/cloud/serve.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('the tables of docs/compat/cloud.md match the code (npm run docs:cloud)', () => {
  const text = read('docs/compat/cloud.md')
  assert.equal(text, withCloudTables(text))
})

test('the tables have every known call once, every call of the code, and every kind of message', () => {
  assert.equal(new Set(KNOWN_CALLS.map(([call]) => call)).size, KNOWN_CALLS.length)
  assert.deepEqual(unlistedCalls(), [])
  assert.deepEqual(Object.keys(KIND_NOTES).toSorted(), Object.keys(KINDS).toSorted())
})

test('every call has a test that asks for its success, and every kind is sent to a phone', () => {
  assert.match(read('test/contract/cloud.test.ts'), /assert\.deepEqual\(missing\(\), \['GET download'\]\)/)
  assert.match(read('test/flow/cloud.test.ts'), /fetch\(info\.url, \{ headers: \{ authorization/)
  const sends = read('test/flow/cloud-sends.test.ts')
  // Audio and video need ffmpeg to become what phones play; their bodies are those of `image`.
  for (const kind of Object.keys(KINDS).filter((name) => name !== 'audio' && name !== 'video'))
    assert.match(sends, new RegExp(`type: '${kind}'`), kind)
})

test('the document names every client that was tried, at the version that was tried', () => {
  const text = read('docs/compat/cloud.md')
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
  for (const name of [
    '@chat-adapter/whatsapp',
    '@kapso/whatsapp-cloud-api',
    '@great-detail/whatsapp',
    'whatsapp-api-js',
  ])
    assert.ok(text.includes(`\`${name}\` ${devDependencies[name]}`), `${name} ${devDependencies[name]}`)
})
