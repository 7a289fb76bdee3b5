// docs/compat/evolution.md agrees with the calls and events of the dialect.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { KNOWN_CALLS } from '../scripts/evolution-calls.ts'
import { unlistedCalls, withEvolutionTables } from '../scripts/evolution-table.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('the tables of docs/compat/evolution.md match the code (npm run docs:evolution)', () => {
  const text = read('docs/compat/evolution.md')
  assert.equal(text, withEvolutionTables(text))
})

test('the tables have every known call once, and every call of the code', () => {
  assert.equal(KNOWN_CALLS.length, 76)
  assert.equal(new Set(KNOWN_CALLS.map(([call]) => call)).size, KNOWN_CALLS.length)
  assert.deepEqual(unlistedCalls(), [])
})

test('every family of calls has a test that asks for each success', () => {
  const tests = [
    'contract/evolution',
    'flow/evolution-sends',
    'flow/evolution-chats',
    'flow/evolution-groups',
  ]
    .map((name) => read(`test/${name}.test.ts`))
    .join('\n')
  const families = new Set(KNOWN_CALLS.map(([call]) => call.split(' ')[1]?.split('/')[0] ?? ''))
  families.delete('label')
  for (const family of families)
    assert.match(
      tests,
      new RegExp(`missing\\('${family}'\\)|'${family}'\\D*\\]\\) assert\\.deepEqual\\(world\\.missing`),
      family,
    )
})
