// Everything that a document refers to exists: links, headings, paths, npm scripts, endpoints, and the sources that comments cite.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fullPath, type Route } from '../src/contract/route.ts'
import { routes } from '../src/contract/routes.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '')

interface Document {
  path: string
  text: string
}

const documents: Document[] = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map((path) => ({
  path,
  text: read(path),
}))

/** Anchors as GitHub and GitLab generate them from headings. */
const anchorsOf = (text: string): string[] =>
  all(text, /^#+ (.+)$/gm).map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

function deadLinks({ path, text }: Document): string[] {
  const links = all(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^https?:/.test(link))
  return links.filter((link) => {
    const [file = '', anchor] = link.split('#')
    const target = join(dirname(path), file)
    if (file !== '' && !existsSync(join(root, target))) return true
    return anchor !== undefined && !anchorsOf(file === '' ? text : read(target)).includes(anchor)
  })
}

const FOLDERS = 'src|test|docs|scripts|migrations|bench|dashboard|\\.ci'
/** A path with a placeholder (`…`, `<part>`, `*`, `{name}`) names no single file. */
const PATH = new RegExp(`(?<![\\w./-])((?:${FOLDERS})/[\\w./-]*)(?![\\w./…<*{$-])`, 'g')
const ROOT_FILE = /^([\w.-]+\.(?:json|yaml))$/gm

/** Paths in code spans and code blocks. */
function missingPaths(text: string): string[] {
  const blocks = all(text, /^```\w*\n([\s\S]*?)^```/gm)
  const spans = all(text.replaceAll(/^```[\s\S]*?^```/gm, ''), /`([^`\n]+)`/g)
  const code = [...blocks, ...spans].join('\n')
  return [...all(code, PATH), ...all(code, ROOT_FILE)].filter((path) => !existsSync(join(root, path)))
}

function missingScripts(text: string): string[] {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  return all(text, /\bnpm run ([\w:]+)/g).filter((script) => scripts[script] === undefined)
}

const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}|\$\w+/g, '{}')
const endpoints = new Set(Object.values<Route>(routes).map((route) => withoutNames(fullPath(route))))
const missingEndpoints = (text: string): string[] =>
  all(text, /(\/(?:api|admin)\/v1\/[\w/{}$-]+)/g).filter((path) => !endpoints.has(withoutNames(path)))

describe('the documents refer to things that exist', () => {
  test('the documents were found', () => assert.ok(documents.length > 60))

  for (const document of documents) {
    const { path, text } = document
    test(`links in ${path}`, () => assert.deepEqual(deadLinks(document), []))
    test(`paths, scripts and endpoints in ${path}`, () =>
      assert.deepEqual([...missingPaths(text), ...missingScripts(text), ...missingEndpoints(text)], []))
  }
})

describe('the checks find planted faults', () => {
  const linksIn = (text: string) => deadLinks({ path: 'docs/planted.md', text: `# A heading\n\n${text}` })

  test('a link to a missing file or heading', () => {
    assert.deepEqual(linksIn('[a](missing.md) [b](#missing) [c](glossary.md#missing) [d](../missing/)'), [
      'missing.md',
      '#missing',
      'glossary.md#missing',
      '../missing/',
    ])
    assert.deepEqual(
      linksIn('[a](glossary.md) [b](#a-heading) [c](../README.md) [d](https://example.com)'),
      [],
    )
  })

  test('a missing path, alone, within a command or in a block', () => {
    const text =
      '`src/missing.ts` `node test/missing.ts --flag` `missing.json`\n\n```sh\nnode bench/missing.ts\n```\n'
    assert.deepEqual(missingPaths(text).sort(), [
      'bench/missing.ts',
      'missing.json',
      'src/missing.ts',
      'test/missing.ts',
    ])
    assert.deepEqual(
      missingPaths('`src/config.ts` `src/kernel/` `migrations/sqlite/0002-….sql` `docs/<name>.md`'),
      [],
    )
  })

  test('a missing script and a missing endpoint', () => {
    assert.deepEqual(missingScripts('`npm run check` and `npm run missing:script`'), ['missing:script'])
    assert.deepEqual(missingEndpoints('`GET /api/v1/messages/{id}` and `GET /api/v1/missing`'), [
      '/api/v1/missing',
    ])
  })
})

describe('citations in code and documents have a source', () => {
  const index = read('docs/decisions/README.md')
  const guarantees = read('docs/guarantees.md')
  const records = new Set(
    globSync('docs/decisions/*/0*.md', { cwd: root }).map((path) => basename(path).slice(0, 4)),
  )
  const cited = globSync(['{src,test,bench,scripts,dashboard}/**/*.{ts,tsx}', '*.md', 'docs/**/*.md'], {
    cwd: root,
  })
    .filter((path) => path !== join('test', basename(import.meta.filename)))
    .map(read)
    .join('\n')

  /** `spec 2.1, 4.2` cites two sections; a comma may also introduce another source. */
  const listed = (word: string, item: string): string[] =>
    all(cited, new RegExp(`\\b${word} (${item}(?:(?:,| and) ${item})*)(?![\\w.]*\\d)`, 'g')).flatMap((list) =>
      list.split(/, | and /),
    )

  const sources: [word: string, numbers: string[], has: (number: string) => boolean][] = [
    ['decision', listed('decision', '\\d{4}'), (number) => records.has(number)],
    ['decisions', listed('decisions', '\\d'), (number) => index.includes(`\n### Decisions ${number}: `)],
    [
      'spec',
      listed('spec', '\\d(?:\\.\\d)?'),
      (number) => new RegExp(`\\bspec ${number}\\b(?!\\.)`).test(index),
    ],
    ['attack', listed('attack(?: list)?', '\\d+'), (number) => index.includes(`\n| attack ${number} |`)],
    ['promise', listed('promises?', '[A-F]\\d+'), (number) => guarantees.includes(`\n| ${number} | `)],
  ]

  for (const [word, numbers, has] of sources) {
    test(`every "${word} N"`, () => {
      assert.ok(numbers.length > 5, 'the citations were found')
      assert.deepEqual(
        [...new Set(numbers)].filter((number) => !has(number)),
        [],
      )
      assert.equal(has('9999'), false)
    })
  }
})
