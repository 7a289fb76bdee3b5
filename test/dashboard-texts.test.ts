// The texts of the dashboard. Types ensure that none is missing; this test checks that none is empty or untranslated.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REASONS } from '../src/contract/reasons.ts'
import { SANDBOX_REASONS } from '../src/contract/sandbox-reasons.ts'

const DASHBOARD = join(import.meta.dirname, '..', 'dashboard')
const LANGUAGES = ['en', 'pt', 'es'] as const

interface Loads {
  load(language: string): Promise<object>
}

/** The dictionary of a part by language. The type check of the dashboard covers these modules. */
async function dictionaryOf(part: string): Promise<Record<string, object>> {
  const [dictionary] = Object.values((await import(join(DASHBOARD, part))) as Record<string, Loads>)
  const entries = LANGUAGES.map(async (language) => [language, await dictionary?.load(language)] as const)
  return Object.fromEntries(await Promise.all(entries)) as Record<string, object>
}

test('every error reason has a different text in each language', async () => {
  const refusals = (await dictionaryOf('ui/refusals/texts/refusal-texts.ts')) as Record<
    string,
    { reasons: Record<string, string> }
  >
  const reasons = Object.keys({ ...REASONS, ...SANDBOX_REASONS })
  for (const reason of reasons) {
    const texts = LANGUAGES.map((language) => refusals[language]?.reasons[reason] ?? '')
    assert.ok(
      texts.every((sentence) => sentence.endsWith('.') || sentence.endsWith('?')),
      reason,
    )
    assert.equal(new Set(texts).size, LANGUAGES.length, reason)
  }
})

/** Every text with its path in the dictionary; functions are called with numbers. */
function textsIn(value: unknown, way: string): [string, string][] {
  if (typeof value === 'string') return [[way, value]]
  if (typeof value === 'function') {
    const blanks = Array.from({ length: value.length }, () => '7')
    return [[way, String((value as (...filled: string[]) => unknown)(...blanks))]]
  }
  return Object.entries(value as object).flatMap(([name, part]) => textsIn(part, `${way}.${name}`))
}

test('no text is empty or unfinished, and all languages have the same texts', async () => {
  const parts = globSync('**/texts/*-texts.ts', { cwd: DASHBOARD })
  assert.ok(parts.length > 5)
  for (const part of parts) {
    const dictionary = await dictionaryOf(part)
    const english = textsIn(dictionary.en, part)
      .map(([way]) => way)
      .sort()
    for (const language of LANGUAGES) {
      const texts = textsIn(dictionary[language], part)
      assert.deepEqual(texts.map(([way]) => way).sort(), english, `${language} of ${part}`)
      for (const [way, text] of texts) {
        assert.ok(text.trim() !== '' && !/undefined|TODO|\[object/.test(text), `${language} ${way}: ${text}`)
      }
    }
  }
})
