// The unit for systemd: it is valid, it takes rights away, and what it names exists.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { BINS } from '../../scripts/package.ts'
import { readSettings, SettingsSchema } from '../../src/config.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { newKey } from '../support/started.ts'

const root = join(import.meta.dirname, '../..')
const FOLDER = 'deploy/systemd'
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const unit = read(`${FOLDER}/switchboard.service`)
const valuesOf = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
const assignments = (lines: readonly string[]): [string, string][] =>
  lines.map((line) => {
    const at = line.indexOf('=')
    return [line.slice(0, at), line.slice(at + 1)]
  })

const environment = assignments(valuesOf('Environment'))
/** Lines of the example, also those that are commented out. */
const example = assignments(
  [...read(`${FOLDER}/switchboard.env`).matchAll(/^#?([A-Z_]+=.*)$/gm)].map(([, line = '']) => line),
)
/** Variables of Node itself. */
const OF_NODE = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE'])
const settings = new Set(Object.keys(SettingsSchema.shape))

/** The highest exposure that systemd may see, on its scale from 0 to 10. */
const MOST_EXPOSED = 2

const hasTool = spawnSync('systemd-analyze', ['--version']).status === 0
const skip = hasTool ? false : 'SKIPPED: systemd-analyze is not installed'
if (skip) {
  if (process.env.CI === 'true') throw new Error(skip)
  console.log(skip)
}

describe('the unit for systemd', () => {
  let directory = ''
  before(async () => {
    directory = await temporaryDirectory()
  })
  after(() => rm(directory, { recursive: true, force: true }))

  test('systemd finds no fault in it', { skip }, async () => {
    // A program that is not installed on this machine would be a fault.
    const path = join(directory, 'switchboard.service')
    await writeFile(path, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' })
  })

  test(`systemd sees an exposure of at most ${MOST_EXPOSED}`, { skip }, () => {
    const words = ['security', '--offline=true', '--no-pager', `--threshold=${MOST_EXPOSED * 10}`]
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      [...words, join(root, FOLDER, 'switchboard.service')],
      { encoding: 'utf8' },
    )
    assert.equal(status, 0, stdout + stderr)
    assert.match(stdout, /Overall exposure level for switchboard\.service: [01]\.\d/)
  })

  test('every variable is a setting of the program or of Node', () => {
    assert.ok(environment.length > 0 && example.length > 0)
    const isKnown = (name: string) =>
      settings.has(name) || settings.has(name.replace(/_FILE$/, '')) || OF_NODE.has(name)
    for (const [name] of [...environment, ...example]) assert.ok(isKnown(name), name)
  })

  test('a secret is a credential, and neither in the unit nor in the example of settings', () => {
    const credentials = valuesOf('LoadCredential').map((value) => value.split(':')[0])
    const files = environment.filter(([name]) => name.endsWith('_KEY_FILE'))
    assert.deepEqual(
      files.map(([, path]) => path),
      credentials.map((name) => `%d/${name}`),
    )
    for (const [name] of [...environment, ...example])
      assert.doesNotMatch(name, /(_KEY|^DATABASE_URL)$/, `${name} is in plain text`)
  })

  test('the program accepts the environment, with the example of settings', async () => {
    const keys: Record<string, string> = { 'master-key': Buffer.alloc(32, 1).toString('base64') }
    for (const [name = ''] of valuesOf('LoadCredential').map((value) => value.split(':')))
      await writeFile(join(directory, name), keys[name] ?? newKey())
    const replaced = environment.map(([name, value]) => [name, value.replaceAll(/%[dSC]/g, directory)])
    const taken = readSettings(Object.fromEntries([...replaced, ...example]) as NodeJS.ProcessEnv)
    assert.equal(taken.DATA_DIR, join(directory, valuesOf('StateDirectory')[0] ?? ''))
    assert.equal(taken.MASTER_KEY, keys['master-key'])
  })

  test('it starts a program of the npm package', () => {
    const [program = '', ...words] = (valuesOf('ExecStart')[0] ?? '').split(' ')
    assert.ok(BINS.includes(program.replace('/opt/switchboard/bin/', '')), program)
    assert.deepEqual(words, ['serve'])
  })

  test('it waits longer than a shutdown takes, and starts again unless the settings are wrong', () => {
    // Decision 0077: at most 20 s.
    assert.ok(Number(valuesOf('TimeoutStopSec')[0]) >= 25)
    assert.deepEqual(valuesOf('Restart'), ['on-failure'])
    assert.deepEqual(valuesOf('RestartPreventExitStatus'), ['78'])
  })
})
