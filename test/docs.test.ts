// The documents say what is so: links, paths, commands, tables, and the calls of the README.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { withSettingsTable } from '../scripts/settings-table.ts'
import { startApp } from '../src/app.ts'
import { readSettings } from '../src/config.ts'
import { STATE_REASONS } from '../src/contract/instances.ts'
import { REASONS } from '../src/contract/reasons.ts'
import { fullPath, type Route } from '../src/contract/route.ts'
import { routes } from '../src/contract/routes.ts'
import { FAILURE_REASONS, MESSAGE_STATUSES } from '../src/contract/sending.ts'
import { TRANSITIONS } from '../src/domain/instance-state.ts'
import { createMetrics } from '../src/metrics.ts'
import { engines, temporaryDirectory } from './support/engines.ts'
import './support/long-timers.ts'

const shell = promisify(execFile)
const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map((path) => ({
  path,
  text: read(path),
}))
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '')

/** As the common hosts make them of headings. */
const anchors = (text: string): string[] =>
  all(text, /^#+ (.+)$/gm).map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe('what the documents name is there', () => {
  test('the documents were found', () => assert.ok(documents.length > 10))

  for (const { path, text } of documents) {
    test(`links of ${path}`, () => {
      for (const link of all(text, /\]\(([^)\s]+)\)/g).filter((target) => !/^https?:/.test(target))) {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? path : join(dirname(path), file)
        assert.ok(existsSync(join(root, target)), `${link} leads nowhere`)
        if (anchor !== undefined) assert.ok(anchors(read(target)).includes(anchor), `${link} has no heading`)
      }
    })

    test(`paths, scripts and endpoints of ${path}`, () => {
      const named = all(
        text,
        /`((?:src|test|docs|scripts|migrations|\.ci)\/[\w./-]*|[\w.-]+\.(?:json|yaml))`/g,
      )
      for (const file of named) assert.ok(existsSync(join(root, file)), `${file} is not there`)

      const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
      for (const script of all(text, /\bnpm run ([\w:]+)/g)) assert.ok(scripts[script], `npm run ${script}`)

      const known = Object.values<Route>(routes).map(fullPath)
      for (const address of all(text, /(\/(?:api|admin)\/v1\/[\w/{}$-]+)/g)) {
        const parts = address.replaceAll(/\$\w+/g, '{}')
        assert.ok(
          known.some((route) => route.replaceAll(/\{\w+\}/g, '{}') === parts.replaceAll(/\{\w+\}/g, '{}')),
          `${address} is no endpoint`,
        )
      }
    })
  }
})

describe('docs/operating.md', () => {
  const text = read('docs/operating.md')
  const names = new Set(all(text, /`([\w.*]+)`/g))
  const missing = (wanted: readonly string[]) => wanted.filter((name) => !names.has(name))

  test('the table of settings is that of the schema (npm run docs:settings)', () => {
    assert.equal(text, withSettingsTable(text))
  })

  test('every reason, state and status is explained', () => {
    const states = Object.values(TRANSITIONS).map(({ state }) => state)
    assert.deepEqual(
      missing([
        ...Object.keys(REASONS),
        ...STATE_REASONS,
        ...FAILURE_REASONS,
        ...MESSAGE_STATUSES,
        ...states,
      ]),
      [],
    )
  })

  test('every reason stands beside its status', () => {
    for (const row of text.matchAll(/^\| (\d{3}) \| (.+?) \|/gm)) {
      for (const reason of all(row[2] ?? '', /`(\w+)`/g)) {
        assert.equal(REASONS[reason as keyof typeof REASONS]?.[0], Number(row[1]), reason)
      }
    }
  })

  test('every metric of ours is explained', async () => {
    const { text: measured } = await createMetrics({
      queued: async () => 0,
      waitingDeliveries: async () => 0,
    }).read()
    assert.deepEqual(missing(all(measured, /^# TYPE (switchboard_\w+)/gm)), [])
  })
})

describe('docs/decisions', () => {
  const records = globSync('docs/decisions/0*.md', { cwd: root }).sort()
  const index = read('docs/decisions/README.md')

  test('each record has a number of its own, and the index has each with its title', () => {
    const numbers = records.map((path) => basename(path).slice(0, 4))
    assert.deepEqual(numbers, [...new Set(numbers)])
    for (const path of records) {
      const number = basename(path).slice(0, 4)
      const title = /^# (\d{4}) (.+)\n/.exec(read(path))
      assert.equal(title?.[1], number, path)
      assert.ok(basename(path).startsWith(`${number}-`), path)
      assert.ok(
        index.includes(`- [${number}](${basename(path)}) ${title?.[2]}\n`),
        `${path} is not in the index`,
      )
    }
  })

  test('every decision that code or documents cite has its record', () => {
    const sources = globSync(['src/**/*.ts', 'test/**/*.ts', '*.md', 'docs/**/*.md'], { cwd: root })
    const cited = new Set(sources.flatMap((path) => all(read(path), /\bdecision (\d{4})\b/g)))
    const known = new Set(records.map((path) => basename(path).slice(0, 4)))
    assert.deepEqual(
      [...cited].filter((number) => !known.has(number)),
      [],
    )
  })
})

describe('README.md', () => {
  const text = read('README.md')
  const [, calls = ''] = text.split('## First calls')
  const lines = all(calls, /```sh\n([\s\S]*?)```/g)
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
  const hasCurl = spawnSync('curl', ['--version']).status === 0
  const skip = hasCurl ? false : 'curl is not installed'
  if (skip && process.env.CI === 'true') throw new Error(skip)

  test('it has the two commands', () => {
    const blocks = all(text, /```sh\n([\s\S]*?)```/g)
    for (const command of ['npm ci && npm start\n', 'npm ci && npm test\n'])
      assert.ok(blocks.includes(command))
  })

  test('each of its calls works as it stands', { skip }, async () => {
    const [engine] = engines
    assert.ok(engine)
    const place = await engine.place()
    const settings = readSettings({ PORT: '0', DATA_DIR: place.directory, DATABASE_URL: place.databaseUrl })
    // The webhook of the examples is nobody's to post to.
    const resolver = async () => Promise.reject(new Error('no such name'))
    const gateway = await startApp(settings, pino({ level: 'silent' }), { resolver })
    // The calls read the keys from ./data, as they would beside a server.
    const directory = await temporaryDirectory()
    await symlink(place.directory, join(directory, 'data'))
    const environment: Record<string, string | undefined> = { ...process.env, BASE: gateway.url }
    const keys = lines.filter((line) => line.includes('$(cat data/')).join('\n')
    try {
      const commands = lines.filter((line) => line.startsWith('curl '))
      assert.ok(commands.length >= 10)
      for (const command of commands) {
        const { stdout } = await shell(
          'bash',
          ['-c', `set -eu\n${keys}\n${command} --silent --show-error --fail-with-body`],
          { cwd: directory, env: environment },
        )
        if (command.includes('/instance/create')) {
          const { instance } = JSON.parse(stdout) as { instance: { apiInstanceName: string } }
          environment.INSTANCE = instance.apiInstanceName
        }
        if (command.includes('/api/v1/webhooks" ')) {
          environment.WEBHOOK = String((JSON.parse(stdout) as { webhook: { id: number } }).webhook.id)
        }
        if (command.includes('/send/')) {
          environment.MESSAGE = (JSON.parse(stdout) as { messageId: string }).messageId
        }
      }
    } finally {
      await gateway.stop()
      await place.dispose()
      await rm(directory, { recursive: true })
    }
  })
})
