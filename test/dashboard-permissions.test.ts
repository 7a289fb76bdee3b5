// What the dashboard shows and requests follows from the table of routes: a key is asked for nothing that the gateway would refuse it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, sep } from 'node:path'
import { after, describe, test } from 'node:test'
import { routeTable } from '../scripts/dashboard.ts'
import type { Client } from '../src/contract/client.ts'
import type { Route } from '../src/contract/route.ts'
import { routes } from '../src/contract/routes.ts'
import { sandboxRoutes } from '../src/contract/sandbox.ts'
import { hasScope, presetOf, SCOPE_PRESETS, SCOPES, type Scope } from '../src/contract/scopes.ts'
import { NO_WALLS, type Walls, wallAdmits } from '../src/contract/wall-values.ts'
import { importsOf, type Source } from './support/imports.ts'

// The module that the build makes.
const built = routeTable()
registerHooks({
  resolve: (name, context, next) =>
    name === 'virtual:route-table' ? { url: name, shortCircuit: true } : next(name, context),
  load: (url, context, next) =>
    url === 'virtual:route-table'
      ? { format: 'module', source: built.load(`\0${url}`) ?? '', shortCircuit: true }
      : next(url, context),
})
const { api, ApiError } = await import('../dashboard/gateway/api.ts')
const { canWith, lackOf, rememberKey } = await import('../dashboard/gateway/permission.ts')
const { mayOpen, PAGE_NEEDS } = await import('../dashboard/app/page-needs.ts')

const all: Record<string, Route> = { ...routes, ...sandboxRoutes }
const called = Object.keys(api) as (keyof Client)[]

const WALLS: readonly Partial<Walls>[] = [
  {},
  { instances: ['shop'] },
  { chats: 'wrote_first' },
  { messagesPerDay: 5 },
  { approval: true },
]
const keyWith = (walls: Partial<Walls>, scopes: Scope[]) => ({ ...NO_WALLS, ...walls, scopes })
const keys = WALLS.flatMap((walls) =>
  [[], ...SCOPES.map((scope): Scope[] => [scope])].map((scopes) => keyWith(walls, scopes)),
)
type Key = (typeof keys)[number]

/** As admission decides it. */
const isAdmitted = (key: Key, { area, scopes, wall = 'refused' }: Route): boolean =>
  (area !== 'api' && area !== 'sandbox') ||
  ((!scopes || hasScope(key.scopes, scopes)) && wallAdmits(key, wall))

describe('permissions on the dashboard', () => {
  const before = globalThis.fetch
  after(() => {
    globalThis.fetch = before
    rememberKey(null)
  })

  test('each call that the dashboard names is known with what it needs', () => {
    assert.ok(called.length > 100)
    for (const id of called)
      for (const key of keys) {
        const route = all[id]
        assert.ok(route)
        assert.equal(canWith(key)(id), isAdmitted(key, route), `${id} with ${JSON.stringify(key)}`)
      }
  })

  test('what the key cannot call is refused without a request', async () => {
    let requested = 0
    globalThis.fetch = async () => {
      requested += 1
      return Response.json({ success: true })
    }
    const key = { ...NO_WALLS, scopes: ['read'] as const, instances: ['shop'] }
    rememberKey(key)
    for (const id of called) {
      const count = requested
      const call = api[id] as unknown as (input: object) => Promise<unknown>
      const outcome = await call({ params: {} }).catch((error: unknown) => error)
      const isRefused = outcome instanceof ApiError && outcome.status === 403
      assert.equal(requested - count, isRefused ? 0 : 1, id)
      assert.equal(isRefused, !isAdmitted({ ...key, scopes: ['read'] }, all[id] as Route), id)
    }
  })

  test('the missing permission is the smallest that opens the whole page', () => {
    const none: Key = { ...NO_WALLS, scopes: ['images'] }
    assert.deepEqual(lackOf(none, ['listInstances', 'listChats', 'listMessages']), {
      scopes: ['read'],
      isOneEnough: true,
    })
    assert.deepEqual(lackOf(none, ['listInstances', 'sendText']), {
      scopes: ['instances:use', 'send'],
      isOneEnough: false,
    })
    const walled: Key = { ...NO_WALLS, scopes: [], instances: ['shop'] }
    assert.deepEqual(lackOf(walled, ['listWebhooks']), { scopes: [], isOneEnough: false })
  })

  const OPENED: [scopes: Scope[], walls: Partial<Walls>, pages: string][] = [
    [['read'], {}, 'overview instances instance conversations scheduled group contacts events'],
    [
      ['read', 'send'],
      { instances: ['shop'] },
      'overview instances instance conversations scheduled group contacts events',
    ],
    [['send'], {}, 'approvals'],
    [['keys'], {}, 'account authorize'],
    [['account'], {}, 'overview account'],
    [['webhooks'], {}, 'webhooks webhook destinations destination events'],
    [['images'], {}, ''],
  ]
  for (const [scopes, walls, pages] of OPENED)
    test(`pages of a key with ${scopes.join(', ')} ${JSON.stringify(walls)}`, () => {
      const can = canWith({ ...NO_WALLS, ...walls, scopes })
      const names = (Object.keys(PAGE_NEEDS) as (keyof typeof PAGE_NEEDS)[]).filter(
        (name) => !name.startsWith('operator') && mayOpen(can, name),
      )
      assert.equal(names.join(' '), pages)
    })
})

const root = join(import.meta.dirname, '..')
const sources = new Map<string, Source>(
  globSync('dashboard/{app,features}/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.split(sep).join('/'))
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => [path, { path, text: readFileSync(join(root, path), 'utf8') }]),
)

/** The files of a page, with what they import. */
function filesOf(first: string): Source[] {
  const found = new Set<string>()
  const follow = (path: string): void => {
    const source = sources.get(path)
    if (!source || found.has(path)) return
    found.add(path)
    for (const { to } of importsOf(source)) follow(to)
  }
  follow(first)
  return [...found].flatMap((path) => sources.get(path) ?? [])
}

const PAGE = /name: '(\w+)',(?:(?!name:)[\s\S])*?import\('\.\.\/(features\/[^']+)'\)/g
const pages = [...(sources.get('dashboard/app/pages.ts')?.text ?? '').matchAll(PAGE)].map(
  ([, name = '', file = '']) => ({ name: name as keyof typeof PAGE_NEEDS, file: `dashboard/${file}` }),
)
/** Every key with up to three scopes: no page needs more. */
const combined = WALLS.flatMap((walls) =>
  SCOPES.flatMap((a) => SCOPES.flatMap((b) => SCOPES.map((c) => keyWith(walls, [a, b, c])))),
)

/** Changes that a page makes although its key may be refused, and that no file of the page asks about. */
function forgotten(name: keyof typeof PAGE_NEEDS, files: readonly Source[]): string[] {
  const named = new Set(
    files
      .filter(({ text }) => text.includes('useCan'))
      .flatMap(({ text }) => [...text.matchAll(/'(\w+)'/g)].map(([, word = '']) => word)),
  )
  const calls = new Set(
    files.flatMap(({ text }) => [...text.matchAll(/\bapi\.(\w+)/g)].map(([, word = '']) => word)),
  )
  const readers = combined.filter((key) => mayOpen(canWith(key), name))
  return [...calls].filter((id) => {
    const route = all[id]
    if (route?.area !== 'api' || route.method === 'GET' || named.has(id)) return false
    return readers.some((key) => !isAdmitted(key, route))
  })
}

describe('changes that a page offers', () => {
  test('every page was found', () => {
    assert.deepEqual(pages.map(({ name }) => name).sort(), Object.keys(PAGE_NEEDS).sort())
  })
  for (const { name, file } of pages)
    if (!name.startsWith('operator'))
      test(`${name}: the key is asked about each, unless the page needs as much`, () => {
        assert.deepEqual(forgotten(name, filesOf(file)), [])
      })
  test('the check finds a change that is forgotten', () => {
    const planted = { path: 'dashboard/features/planted.tsx', text: 'api.deleteInstance()' }
    assert.deepEqual(forgotten('instances', [planted]), ['deleteInstance'])
    assert.deepEqual(forgotten('webhooks', [{ ...planted, text: 'api.saveWebhook()' }]), [])
  })
})

test('docs/keys.md has the scopes of each preset, and a preset is known by its scopes', () => {
  const document = readFileSync(join(root, 'docs/keys.md'), 'utf8')
  for (const [name, scopes] of Object.entries(SCOPE_PRESETS)) {
    assert.equal(presetOf(scopes.toReversed()), name)
    const cell = scopes.length === 0 ? 'none, which means all' : scopes.map((one) => `\`${one}\``).join(', ')
    assert.ok(document.includes(`| ${cell} |`), name)
  }
  assert.equal(presetOf(['images']), undefined)
})
