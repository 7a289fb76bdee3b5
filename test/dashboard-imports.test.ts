// The layers of the dashboard: which folder may import which, and what it takes from the contract.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, test } from 'node:test'
import { importsOf, type Source, valuesFrom, withoutComments } from './support/imports.ts'

/**
 * What each layer may import beside itself and the contract. Imports point downwards only.
 *
 * gateway: the API client, the event stream, sign-in and queries.
 * ui: parts without knowledge of any feature; it reads the gateway's refusals to show them.
 * chat: what conversations and sandbox phones show alike.
 * features: a folder per page or group of pages.
 * app: composes the pages, the navigation and the sign-in form.
 */
const LAYERS: Record<string, readonly string[]> = {
  gateway: [],
  ui: ['gateway'],
  chat: ['ui'],
  features: ['gateway', 'ui', 'chat'],
  app: ['gateway', 'ui', 'chat', 'features'],
}

/** What a feature offers to others. Everything else in a feature is private. */
const SHARED: Record<string, readonly string[]> = {
  account: [
    'api-keys.tsx',
    'key-ring.ts',
    'limits-card.tsx',
    'texts/account-texts.ts',
    'wall-fields.tsx',
    'wall-form.ts',
  ],
  overview: ['operator-overview.tsx'],
  events: ['event-summary.ts'],
  instances: ['instance-picker.tsx', 'instance-state.tsx', 'texts/instance-texts.ts'],
  passkey: ['passkey-card.tsx', 'texts/passkey-texts.ts'],
  phones: ['phone-view.tsx', 'sandbox-queries.ts', 'scan-phone.ts'],
  webhooks: ['texts/webhook-texts.ts', 'webhook-facts.tsx'],
}

const root = join(import.meta.dirname, '..')
const sources: Source[] = globSync('dashboard/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.split(sep).join('/'))
  .filter((path) => !path.startsWith('dashboard/dist/') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

function faultOf(from: string, to: string): string | undefined {
  const [, layer = '', feature = ''] = from.split('/')
  const [, target = '', targetFeature = '', ...rest] = to.split('/')
  const allowed = LAYERS[layer]
  if (!allowed) return `${layer} is not a layer`
  if (target !== layer) return allowed.includes(target) ? undefined : `${layer} may not import ${target}`
  if (layer !== 'features' || feature === targetFeature) return undefined
  const isShared = SHARED[targetFeature]?.includes(rest.join('/')) ?? false
  return isShared ? undefined : `not offered to other features by ${targetFeature}`
}

const violations = (files: readonly Source[]): string[] =>
  files
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('dashboard/'))
    .flatMap(({ from, to }) => {
      const fault = faultOf(from, to)
      return fault ? [`${from} imports ${to}: ${fault}`] : []
    })

describe('imports of the dashboard', () => {
  test('every import follows the layers', () => {
    assert.ok(sources.length > 100, 'the sources were found')
    assert.deepEqual(violations(sources), [])
  })

  test('every shared file exists and is used by another feature', () => {
    const used = new Set(
      sources
        .flatMap(importsOf)
        .filter(({ from, to }) => from.split('/')[2] !== to.split('/')[2])
        .map(({ to }) => to),
    )
    const shared = Object.entries(SHARED).flatMap(([feature, files]) =>
      files.map((file) => `dashboard/features/${feature}/${file}`),
    )
    assert.deepEqual(
      shared.filter((path) => !used.has(path)),
      [],
    )
  })

  const planted: [path: string, text: string][] = [
    ['dashboard/ui/planted.tsx', "import { A } from '../features/webhooks/webhooks-page.tsx'"],
    ['dashboard/chat/planted.tsx', "import { api } from '../gateway/api.ts'"],
    ['dashboard/gateway/planted.ts', "import type { A } from '../ui/button.tsx'"],
    ['dashboard/features/events/planted.ts', "import { A } from '../webhooks/webhook-form.tsx'"],
    ['dashboard/features/events/planted.ts', "import { A } from '../../app/shell.tsx'"],
    ['dashboard/pages/planted.tsx', "import { A } from '../ui/button.tsx'"],
  ]
  for (const [path, text] of planted) {
    test(`the check finds: ${text} in ${path}`, () => {
      assert.equal(violations([{ path, text }]).length, 1)
    })
  }
})

/** Values and rules that the gateway and the dashboard share, and the file of the contract that has each. */
const OF_THE_CONTRACT: readonly [pattern: RegExp, from: string][] = [
  [/\b15 \* (?:60|MINUTE)|\b60 \* (?:60 \* (?:60|MINUTE)|HOUR)/, 'message-changes.ts'],
  [/\bplayed: \d|\bRANK\b/, 'message-values.ts'],
  [/status@broadcast/, 'message-values.ts'],
  [/\b(?:86_?400|604_?800|2_?592_?000|7_?776_?000)\b/, 'message-values.ts'],
  [/\\d\{7,15\}/, 'phone-number.ts'],
  [/9999-12-31/, 'chat-values.ts'],
  [/\b168\b/, 'overlap-hours.ts'],
  [/\b1024 \* 1024\b/, 'media-limits.ts'],
]

const repetitions = (files: readonly Source[]): string[] =>
  files
    .filter(({ path }) => !path.includes('/texts/'))
    .flatMap(({ path, text }) =>
      OF_THE_CONTRACT.flatMap(([pattern, from]) => {
        const [found] = pattern.exec(withoutComments(text)) ?? []
        return found === undefined ? [] : [`${path} repeats “${found}”: take it from src/contract/${from}`]
      }),
    )

describe('what the dashboard takes from the contract', () => {
  test('no rule or value is written down a second time', () => {
    assert.deepEqual(repetitions(sources), [])
  })
  for (const text of [
    'const EDIT_MS = 15 * MINUTE_MS',
    'const DELETE_MS = 60 * 60 * MINUTE_MS',
    'const RANK = { sent: 2 }',
    "const STATUS = 'status@broadcast'",
    'const WEEK = 604_800',
    'const isNumber = /^\\d{7,15}$/',
    "const NEVER = '9999-12-31T00:00:00.000Z'",
    'const MOST_HOURS = 168',
    'const MB = 1024 * 1024',
  ])
    test(`the check finds: ${text}`, () => {
      assert.equal(repetitions([{ path: 'dashboard/features/planted.ts', text }]).length, 1)
    })

  // A schema brings its library with it: a browser would load it before the page is shown.
  test('nothing that a page loads of the contract has a schema', () => {
    const loaded = new Set<string>()
    const load = (path: string): void => {
      if (loaded.has(path)) return
      loaded.add(path)
      for (const to of valuesFrom({ path, text: readFileSync(join(root, path), 'utf8') })) {
        assert.ok(to.startsWith('src/contract/'), `${path} imports ${to}`)
        load(to)
      }
    }
    for (const source of sources) for (const to of valuesFrom(source)) if (to.startsWith('src/')) load(to)
    assert.ok(loaded.has('src/contract/message-changes.ts'))
  })
})
