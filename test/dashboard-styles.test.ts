// The CSS modules of the dashboard: every class that a component uses exists, and every class that exists is used.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { describe, test } from 'node:test'

const root = join(import.meta.dirname, '..')
const read = (pattern: string): [path: string, text: string][] =>
  globSync(pattern, { cwd: root })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !path.startsWith('dashboard/dist/'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')])

const withoutComments = (css: string): string => css.replaceAll(/\/\*[\s\S]*?\*\//g, '')

/** The class names of a style sheet, without those inside `:global(…)`. */
function classesOf(css: string): Set<string> {
  const preludes = withoutComments(css).matchAll(/[^{};]+(?=\{)/g)
  const selectors = [...preludes].map(([prelude]) => prelude.replaceAll(/:global\([^)]*\)|"[^"]*"/g, ''))
  return new Set(
    selectors
      .filter((selector) => !selector.trim().startsWith('@'))
      .flatMap((selector) => [...selector.matchAll(/\.([A-Za-z][\w-]*)/g)].map((match) => match[1] ?? '')),
  )
}

const IMPORT = /import (\w+) from '([^']+\.module\.css)'/g

interface Use {
  path: string
  module: string
  /** Names after a dot, as in `css.name`. */
  names: string[]
  /** Whether it looks names up, as in `css[tone]`. */
  hasLookup: boolean
}

/** What a component uses of each module. */
function usesOf(path: string, text: string): Use[] {
  return [...text.matchAll(IMPORT)].map(([, alias = '', target = '']) => ({
    path,
    module: posix.join(posix.dirname(path), target),
    names: [...text.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))].map((match) => match[1] ?? ''),
    hasLookup: text.includes(`${alias}[`),
  }))
}

const modules = new Map(read('dashboard/**/*.module.css').map(([path, css]) => [path, classesOf(css)]))
const uses = read('dashboard/**/*.tsx').flatMap(([path, text]) => usesOf(path, text))

describe('CSS modules of the dashboard', () => {
  test('every class that a component uses exists', () => {
    assert.ok(modules.size > 30, 'the style sheets were found')
    const missing = uses.flatMap(({ path, module, names }) =>
      names.filter((name) => !modules.get(module)?.has(name)).map((name) => `${path}: ${name}`),
    )
    assert.deepEqual(missing, [])
  })

  test('every class of a style sheet is used', () => {
    const unused = [...modules].flatMap(([module, classes]) => {
      const importers = uses.filter((use) => use.module === module)
      if (importers.some(({ hasLookup }) => hasLookup)) return importers.length > 0 ? [] : [module]
      const used = new Set(importers.flatMap(({ names }) => names))
      return [...classes].filter((name) => !used.has(name)).map((name) => `${module}: ${name}`)
    })
    assert.deepEqual(unused, [])
  })

  test('global.css is the only other style sheet, and its utilities are used', () => {
    const others = read('dashboard/**/*.css').filter(([path]) => !path.endsWith('.module.css'))
    assert.deepEqual(
      others.map(([path]) => path),
      ['dashboard/app/global.css'],
    )
    const components = read('dashboard/**/*.tsx')
      .map(([, text]) => text)
      .join('\n')
    const unused = [...classesOf(others[0]?.[1] ?? '')].filter(
      (name) => !new RegExp(`['" ]${name}['" ]`).test(components),
    )
    assert.deepEqual(unused, [])
  })

  test('the reader of style sheets knows classes, globals, attributes and queries', () => {
    const css =
      '/* .no */ @media (min-width: 1.5rem) { .a > .b:global(.c), [data-x=".d"] .e { width: 1.5rem } }'
    assert.deepEqual([...classesOf(css)], ['a', 'b', 'e'])
  })
})
