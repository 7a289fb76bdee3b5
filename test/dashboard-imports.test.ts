// The layers of the dashboard: which folder may import which, and what it takes from the contract.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, test } from 'node:test'
import { findCycle, importsOf, type Source, valuesFrom, withoutComments } from './support/imports.ts'

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

/**
 * The folders of the conversations, and what each may import beside itself. A folder knows only those above it; the page at the root
 * puts them together, and nothing imports the page.
 *
 * texts: what is said, a script per language and part.
 * model: queries, merged pages, shown messages and the rules about chats. No component.
 * message: how one message is shown, with its files.
 * search: found messages, of all chats and of one.
 * composer: forms, attachments, voice, emojis, quick replies, and sends that wait for the connection.
 * details: the menu, the settings and the panel of a chat.
 * list: the list of chats, and what starts a new one.
 * thread: the open chat, and what is done with its messages.
 * groups: the page of a group, and the dialogs that make one.
 * pending: messages that wait for a time or an approval.
 */
const CONVERSATIONS: Record<string, readonly string[]> = {
  texts: [],
  model: ['texts'],
  message: ['texts', 'model'],
  search: ['texts', 'model'],
  composer: ['texts', 'model', 'message'],
  details: ['texts', 'model', 'message'],
  list: ['texts', 'model', 'search'],
  thread: ['texts', 'model', 'message', 'search', 'composer', 'details'],
  groups: ['model'],
  pending: ['texts', 'model', 'message'],
}
const PAGE_PARTS = ['texts', 'model', 'composer', 'list', 'thread', 'groups']

const INSIDE = 'dashboard/features/conversations/'
const isInside = ({ path }: Source): boolean => path.startsWith(INSIDE)
/** Undefined for a file at the root. */
const folderOf = (path: string): string | undefined => /^([^/]+)\//.exec(path.slice(INSIDE.length))?.[1]

function orderFault(from: string, to: string): string | undefined {
  const [folder, target] = [folderOf(from), folderOf(to)]
  if (folder !== undefined && !CONVERSATIONS[folder]) return `${folder} is not in the order of the folders`
  if (folder === target) return undefined
  if (target === undefined) return 'nothing imports the page'
  const allowed = folder === undefined ? PAGE_PARTS : CONVERSATIONS[folder]
  return allowed?.includes(target) ? undefined : `${folder ?? 'the page'} may not import ${target}`
}

/** Each folder as one file that imports what its files import. */
function foldersOf(files: readonly Source[]): Source[] {
  const targets = files.flatMap(importsOf).map(({ from, to }) => [folderOf(from) ?? '.', to] as const)
  const folders = Map.groupBy(targets, ([folder]) => folder)
  return [...folders].map(([folder, imports]) => ({
    path: INSIDE + folder,
    text: [...new Set(imports.map(([, to]) => (to.startsWith(INSIDE) ? (folderOf(to) ?? '.') : '')))]
      .filter((target) => target !== '' && target !== folder)
      .map((target) => `import {} from './${target}'`)
      .join('\n'),
  }))
}

const orderViolations = (files: readonly Source[]): string[] => [
  ...files
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith(INSIDE))
    .flatMap(({ from, to }) => {
      const fault = orderFault(from, to)
      return fault ? [`${from} imports ${to}: ${fault}`] : []
    }),
  ...[findCycle(files), findCycle(foldersOf(files))].flatMap((cycle) => (cycle ? [cycle.join(' → ')] : [])),
]

describe('folders of the conversations', () => {
  const inside = sources.filter(isInside)

  test('imports follow their order, without a circle of files or folders', () => {
    assert.ok(inside.length > 50, 'the sources were found')
    assert.deepEqual(orderViolations(inside), [])
  })

  test('each folder of the order exists, and each arrow of it is used', () => {
    const used = new Set(
      inside
        .flatMap(importsOf)
        .map(({ from, to }) => `${folderOf(from)} → ${to.startsWith(INSIDE) ? folderOf(to) : ''}`),
    )
    const arrows = Object.entries({ ...CONVERSATIONS, undefined: PAGE_PARTS }).flatMap(([folder, targets]) =>
      targets.map((target) => `${folder} → ${target}`),
    )
    assert.deepEqual(
      arrows.filter((arrow) => !used.has(arrow)),
      [],
    )
  })

  const planted: [path: string, text: string][] = [
    ['model/planted.ts', "import { A } from '../message/planted.tsx'"],
    ['search/planted.tsx', "import { A } from '../list/planted.tsx'"],
    ['composer/planted.tsx', "const a = () => import('../thread/planted.tsx')"],
    ['list/planted.tsx', "import css from '../thread/thread.module.css'"],
    ['composer/emoji/planted.tsx', "import type { A } from '../../thread/planted.tsx'"],
    ['thread/planted.tsx', "import { A } from '../conversations-page.tsx'"],
    ['conversations-page.tsx', "import { A } from './details/planted.tsx'"],
    ['other/planted.tsx', "import { A } from '../model/planted.ts'"],
    ['other/planted.tsx', "import { A } from './planted-too.tsx'"],
  ]
  for (const [path, text] of planted) {
    test(`the check finds: ${text} in ${path}`, () => {
      assert.equal(orderViolations([{ path: INSIDE + path, text }]).length, 1)
    })
  }

  test('the check finds a circle of files', () => {
    const circle = orderViolations([
      { path: `${INSIDE}model/a.ts`, text: "import type { B } from './b.ts'" },
      { path: `${INSIDE}model/b.ts`, text: "import { a } from './a.ts'" },
    ])
    assert.deepEqual(circle, [[`a.ts`, 'b.ts', 'a.ts'].map((file) => `${INSIDE}model/${file}`).join(' → ')])
  })

  test('the check finds a circle of folders', () => {
    const circle = orderViolations([
      { path: `${INSIDE}thread/a.tsx`, text: "import { b } from '../details/b.tsx'" },
      { path: `${INSIDE}details/c.tsx`, text: "import { d } from '../thread/d.tsx'" },
    ])
    assert.ok(circle.includes(['thread', 'details', 'thread'].map((folder) => INSIDE + folder).join(' → ')))
  })
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
