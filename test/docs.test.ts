// The documents agree with the code: tables of settings, reasons, states and metrics, the first calls. The indexes are complete.
// What they refer to is checked by documents-links.test.ts.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { rm, symlink } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { withFigures } from '../bench/figures-table.ts'
import { withSettingsTable } from '../scripts/settings-table.ts'
import { startApp } from '../src/app/start.ts'
import { readSettings } from '../src/config.ts'
import { STATE_REASONS } from '../src/contract/instances.ts'
import { REASONS } from '../src/contract/reasons.ts'
import { FAILURE_REASONS, MESSAGE_STATUSES } from '../src/contract/sending.ts'
import { TRANSITIONS } from '../src/instances/rules.ts'
import { createMetrics } from '../src/metrics.ts'
import { engines, temporaryDirectory } from './support/engines.ts'
import { NO_SOURCES } from './support/metric-sources.ts'

const shell = promisify(execFile)
const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '')

describe('docs/performance.md', () => {
  test('the figures of `npm run bench -- --write` have their place, and replace earlier ones', () => {
    const text = read('docs/performance.md')
    const written = withFigures(text, '| A table |')
    assert.match(written, /\n\| A table \|\n/)
    assert.equal(withFigures(written, '| A table |'), written)
  })
})

/** The names that are not in the text as code. */
function missing(text: string, wanted: readonly string[]): string[] {
  const names = new Set(all(text, /`([\w.*]+)`/g))
  return wanted.filter((name) => !names.has(name))
}

describe('docs/settings.md', () => {
  test('the table matches the schema (npm run docs:settings)', () => {
    const text = read('docs/settings.md')
    assert.equal(text, withSettingsTable(text))
  })
})

describe('docs/errors.md', () => {
  const text = read('docs/errors.md')

  test('every reason, state and status is explained', () => {
    const states = Object.values(TRANSITIONS).map(({ state }) => state)
    assert.deepEqual(
      missing(text, [
        ...Object.keys(REASONS),
        ...STATE_REASONS,
        ...FAILURE_REASONS,
        ...MESSAGE_STATUSES,
        ...states,
      ]),
      [],
    )
  })

  test('every reason is listed with its HTTP status', () => {
    for (const row of text.matchAll(/^\| (\d{3}) \| (.+?) \|/gm)) {
      for (const reason of all(row[2] ?? '', /`(\w+)`/g)) {
        assert.equal(REASONS[reason as keyof typeof REASONS]?.[0], Number(row[1]), reason)
      }
    }
  })
})

describe('docs/monitoring.md', () => {
  test('every metric of the gateway is explained', async () => {
    const metrics = createMetrics(NO_SOURCES)
    metrics.showChecks({})
    metrics.node.show({ instances: () => 0, leaseSecondsLeft: () => 0 })
    const { text: measured } = await metrics.read()
    assert.deepEqual(missing(read('docs/monitoring.md'), all(measured, /^# TYPE (switchboard_\w+)/gm)), [])
  })
})

const numbersBetween = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index).padStart(4, '0'))

test('docs/README.md lists every document', () => {
  const index = read('docs/README.md')
  const paths = globSync('docs/{*,compat/*,recipes/*}.md', { cwd: root }).map((path) =>
    relative('docs', path),
  )
  const unlisted = paths.filter((path) => path !== 'README.md' && !index.includes(`](${path})`))
  assert.ok(paths.length > 30)
  assert.deepEqual(unlisted, [])
})

describe('docs/decisions', () => {
  const records = globSync('docs/decisions/*/0*.md', { cwd: root }).sort()
  const index = read('docs/decisions/README.md')

  const numbers = records.map((path) => basename(path).slice(0, 4))

  test('every record has a unique number, and the index lists it with its title', () => {
    assert.deepEqual(numbers, [...new Set(numbers)])
    for (const path of records) {
      const number = basename(path).slice(0, 4)
      const title = /^# (\d{4}) (.+)\n/.exec(read(path))
      assert.equal(title?.[1], number, path)
      assert.ok(basename(path).startsWith(`${number}-`), path)
      assert.ok(
        index.includes(`- [${number}](${relative('docs/decisions', path)}) ${title?.[2]}\n`),
        `${path} is not in the index`,
      )
    }
  })

  test('every record has a date and a status', () => {
    const head =
      /^# .+\n\nDate: \d{4}-\d{2}-\d{2} · Status: (?:accepted(?:, changed by (\d{4}))?|superseded by (\d{4}))\n\n/
    for (const path of records) {
      const status = head.exec(read(path))
      assert.ok(status, `${path}: the line below the title is "Date: 2026-01-31 · Status: accepted"`)
      const later = status[1] ?? status[2]
      assert.ok(later === undefined || numbers.includes(later), `${path}: there is no record ${later}`)
    }
  })

  test('every number up to the newest has a record, or a row that says why it has none', () => {
    const [, table = ''] = index.split('\n## Numbers without a record\n')
    const without = [
      ...table.matchAll(/^\| (\d{4})(?: to (\d{4}))? \| (?:not used|withdrawn|merged into (\d{4})) \|$/gm),
    ].flatMap(([, first = '', last = first, target]) => {
      assert.ok(target === undefined || numbers.includes(target), `there is no record ${target}`)
      return numbersBetween(Number(first), Number(last))
    })
    const newest = Math.max(...numbers.map(Number))
    assert.deepEqual([...numbers, ...without].sort(), numbersBetween(1, newest))
  })
})

describe('README.md', () => {
  test('it shows the commands to start and to test', () => {
    const blocks = all(read('README.md'), /```sh\n([\s\S]*?)```/g)
    for (const command of ['npm ci && npm start\n', 'npm ci && npm test\n'])
      assert.ok(blocks.includes(command))
  })
})

describe('docs/first-calls.md', () => {
  const lines = all(read('docs/first-calls.md'), /```sh\n([\s\S]*?)```/g)
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
  const hasCurl = spawnSync('curl', ['--version']).status === 0
  const skip = hasCurl ? false : 'curl is not installed'
  if (skip && process.env.CI === 'true') throw new Error(skip)

  test('every call works exactly as written', { skip }, async () => {
    const [engine] = engines
    assert.ok(engine)
    const storeLocation = await engine.createLocation()
    const settings = readSettings({
      PORT: '0',
      DATA_DIR: storeLocation.directory,
      DATABASE_URL: storeLocation.databaseUrl,
    })
    // The examples must not post to the host of their webhook.
    const resolver = async () => Promise.reject(new Error('no such name'))
    const gateway = await startApp(settings, pino({ level: 'silent' }), { resolver })
    // The calls read the keys from ./data, as in the directory of a running server.
    const directory = await temporaryDirectory()
    await symlink(storeLocation.directory, join(directory, 'data'))
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
      await storeLocation.dispose()
      await rm(directory, { recursive: true })
    }
  })
})
