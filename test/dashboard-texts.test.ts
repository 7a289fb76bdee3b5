// The dashboard's texts. That none is missing is held by their types; here, that none was left in English or empty.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REASONS } from '../src/contract/reasons.ts'
import { SANDBOX_REASONS } from '../src/contract/sandbox-reasons.ts'

const TEXTS = join(import.meta.dirname, '..', 'dashboard', 'texts')
const LANGUAGES = ['en', 'pt', 'es'] as const

/** The dictionary of a part, with a language for each key. Their modules belong to the dashboard's own type check. */
async function dictionaryOf(part: string): Promise<Record<string, object>> {
  const [dictionary] = Object.values((await import(join(TEXTS, part))) as object)
  return dictionary as Record<string, object>
}

test('every refusal of the catalogue is said in each language, and in none as in another', async () => {
  const refusals = (await dictionaryOf('refusals.ts')) as Record<string, { reasons: Record<string, string> }>
  const reasons = Object.keys({ ...REASONS, ...SANDBOX_REASONS })
  for (const reason of reasons) {
    const said = LANGUAGES.map((language) => refusals[language]?.reasons[reason] ?? '')
    assert.ok(
      said.every((sentence) => sentence.endsWith('.') || sentence.endsWith('?')),
      reason,
    )
    assert.equal(new Set(said).size, LANGUAGES.length, reason)
  }
})

/** Every text with its way through the dictionary; blanks are filled with figures. */
function textsIn(value: unknown, way: string): [string, string][] {
  if (typeof value === 'string') return [[way, value]]
  if (typeof value === 'function') {
    const blanks = Array.from({ length: value.length }, () => '7')
    return [[way, String((value as (...filled: string[]) => unknown)(...blanks))]]
  }
  return Object.entries(value as object).flatMap(([name, part]) => textsIn(part, `${way}.${name}`))
}

test('no text of any part is empty or unfinished, and all languages have the same ones', async () => {
  const parts = globSync('*.ts', { cwd: TEXTS })
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
