// Calls that documents for developers name exist.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fullPath, type Route } from '../src/contract/route.ts'
import { routes } from '../src/contract/routes.ts'

const root = join(import.meta.dirname, '..')
const known = new Set(Object.values<Route>(routes).map((route) => `${route.method} ${fullPath(route)}`))
const CALL = /\b(GET|POST|PUT|PATCH|DELETE) (\/(?:api|admin)\/v1\/[\w/{}-]+)/g

test('every call in docs/start.md, faq.md and coming-from-*.md is a route', () => {
  const files = globSync(['docs/start.md', 'docs/faq.md', 'docs/coming-from-*.md'], { cwd: root })
  const named = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(CALL)].map(([, method, path]) => `${method} ${path}`),
  )
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter((call) => !known.has(call)),
    [],
  )
})
