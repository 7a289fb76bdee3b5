// Plain English in comments, texts, documents and test names: none of the forms in support/english-forms.ts is used.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { FORMS, type Form } from './support/english-forms.ts'

const root = join(import.meta.dirname, '..')

const SOURCES =
  '{src,dashboard,test,bench,scripts,packages,bin,clients}/**/*.{ts,tsx,js,mjs,sh,css,html,py,php}'
const OTHERS = [
  '*.md',
  'docs/**/*.md',
  'deploy/**/*.{yaml,md,tpl,txt}',
  'packages/*/*.md',
  'clients/*/*.md',
  'docs/recipes/*.{js,py,php}',
  '*.yaml',
]
/** The list itself, its samples, and texts in other languages. */
const EXEMPT =
  /node_modules|\/dist\/|^test\/english\.test\.ts$|^test\/support\/english-forms\.ts$|\/texts\/(?:pt|es)\.ts$/

/** The glossary names some of the forms, in a table of their own. */
const withoutAdvice = (text: string): string => {
  const start = text.indexOf('\n## Say / do not say')
  return start === -1 ? text : text.slice(0, start)
}

const blank = (found: string): string => ' '.repeat(found.length)

/** One line per sentence where possible, of the same length, so that a position keeps its line number. */
function joined(path: string, text: string): string {
  if (path.endsWith('.md')) return withoutAdvice(text).replaceAll(/(?<=\S)\n(?=[\w`*"([])(?!\d+\.)/g, ' ')
  return text.replaceAll(/\n[ \t]*(?:\/\/|\*(?!\/)|#)[ \t]+/g, blank).replaceAll(/['"`] \+\n\s*['"`]/g, blank)
}

/** A space of a pattern matches any number of them, because line breaks and what surrounds them become spaces. */
const spaced = ({ pattern }: Form): RegExp => new RegExp(pattern.source.replaceAll(' ', ' +'), pattern.flags)

const matches = (form: Form, text: string): RegExpExecArray[] => [...text.matchAll(spaced(form))]

interface Finding {
  form: Form
  text: string
}

function findingsIn(path: string, text: string): Finding[] {
  const prose = joined(path, text)
  return FORMS.flatMap((form) =>
    matches(form, prose).map((match) => {
      const line = text.slice(0, match.index).split('\n').length
      const found = match[0].replaceAll(/\s+/g, ' ')
      return { form, text: `${path}:${line}: ${form.avoid} in "${found}". Write instead: ${form.instead}` }
    }),
  )
}

describe('each form', () => {
  for (const form of FORMS) {
    test(`${form.avoid}: matches its wrong samples, and not the right ones`, () => {
      for (const sample of form.wrong) assert.notEqual(matches(form, sample).length, 0, sample)
      for (const sample of form.right) assert.deepEqual(matches(form, sample), [], sample)
      assert.ok(form.pattern.global, 'the pattern finds all')
    })
  }

  test('a right sample is right by the whole list', () => {
    for (const sample of FORMS.flatMap(({ right }) => right)) {
      assert.deepEqual(findingsIn('sample.ts', sample), [])
    }
  })
})

test('a form is found across the lines of a comment, a text and a paragraph, with its line and the words to use', () => {
  const lines = (path: string, text: string) => findingsIn(path, text).map((finding) => finding.text)
  const said = (path: string, line: number, found: string) => [
    `${path}:${line}: "as far as" in "${found}". Write instead: if, where, the part that, to the extent that`,
  ]
  assert.deepEqual(lines('a.ts', 'x\n// It is read as\n// far as possible.'), said('a.ts', 2, 'as far as '))
  assert.deepEqual(lines('b.ts', "const a = 'as far ' +\n  'as it goes'"), said('b.ts', 1, 'as far as '))
  assert.deepEqual(lines('c.md', 'It is read as far\nas possible.'), said('c.md', 1, 'as far as '))
  assert.deepEqual(lines('d.ts', '// There\n// is no such file.'), [])
})

test('no source, text or document uses one', () => {
  const paths = globSync([SOURCES, ...OTHERS], { cwd: root }).filter((path) => !EXEMPT.test(path))
  assert.ok(paths.length > 1000, 'the sources are found')
  const findings = paths.sort().flatMap((path) => findingsIn(path, readFileSync(join(root, path), 'utf8')))
  if (findings.length > 0) assert.fail(findings.map(({ text }) => text).join('\n'))
})
