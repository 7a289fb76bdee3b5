// The translations of README.md were made from its current sections, and have the same commands.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { digestOf, SOURCE, sectionsOf, TRANSLATIONS, translationFaults } from '../scripts/translations.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

describe('translations', () => {
  for (const path of TRANSLATIONS) {
    test(`${path} is in step with ${SOURCE} (node scripts/translations.ts)`, () =>
      assert.deepEqual(translationFaults(read(SOURCE), read(path)), []))

    test(`${path} has the sections of ${SOURCE}, in the same order`, () => {
      const marks = [...read(path).matchAll(/<!-- translates "([^"]*)" /g)].map(([, heading]) => heading)
      assert.deepEqual(marks, [...sectionsOf(read(SOURCE)).keys()])
    })
  }

  test('the check finds planted faults', () => {
    const source = '# A\n\nText.\n\n## Run\n\n```sh\nls\n```\n'
    const digest = digestOf(sectionsOf(source).get('Run') ?? '')
    const good = `<!-- translates "Run" ${digest} -->\n## Correr\n\n\`\`\`sh\nls\n\`\`\`\n`
    assert.deepEqual(translationFaults(source, good), [])
    assert.match(translationFaults(source.replace('Text.', 'New.'), good).join(), /^$/)
    assert.match(translationFaults(`${source}More.\n`, good).join(), /"Run" has changed/)
    assert.match(translationFaults(source, good.replace('ls', 'dir')).join(), /other commands/)
    assert.match(translationFaults(source, good.replace('"Run"', '"Ran"')).join(), /not a section/)
    assert.match(translationFaults(source, '# Nothing\n').join(), /no section/)
  })
})
