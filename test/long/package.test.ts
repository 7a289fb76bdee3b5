// The npm package: packed, installed into an empty folder, and used as its users use it.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Sbom } from '../../scripts/release/sbom.ts'
import type { Shrinkwrap } from '../../scripts/release/shrinkwrap.ts'
import { checkRelease } from '../../scripts/release-check.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { sendToPhone } from '../support/first-calls.ts'
import { type ServerProcess, startServer } from '../support/process.ts'
import { newKey } from '../support/started.ts'

const run = promisify(execFile)
const KEY = newKey()
const DIST = join(import.meta.dirname, '../../dist')

/** A Node below 26 on the PATH, as users have it; undefined where there is none. */
const olderNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((directory) => join(directory, 'node'))
  .find((path) => {
    const major = Number(
      /^v(\d+)/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1],
    )
    return major >= 20 && major < 26
  })

describe('the npm package', () => {
  let folder = ''
  let tarball = ''
  let built = ''
  let faults: unknown[] = []
  const bin = (name: string): string => join(folder, 'node_modules/switchboard-gateway/bin', `${name}.js`)
  const switchboard = (words: string[], environment: Record<string, string> = {}) =>
    run(process.execPath, [bin('switchboard'), ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...environment },
    })

  before(async () => {
    folder = await temporaryDirectory()
    tarball = join(folder, 'package.tgz')
    // It builds the package twice, as `npm run pack` does.
    faults = await checkRelease(true)
    const own = JSON.parse(await readFile(join(DIST, '../package.json'), 'utf8')) as { version: string }
    built = join(DIST, `switchboard-gateway-${own.version}.tgz`)
    await copyFile(built, tarball)
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--prefix', folder]
    await run('npm', ['install', ...options, tarball], { cwd: folder })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('it contains compiled programs, the dashboard and all licences, and nothing of the sources', async () => {
    const directory = join(folder, 'node_modules/switchboard-gateway')
    const files = globSync('**/*', { cwd: directory, withFileTypes: true })
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1))
    assert.deepEqual(
      files.filter((file) => /\.tsx?$|^(src|test|bench|scripts)\//.test(file)),
      [],
    )
    for (const file of ['dist/server/main.js', 'dashboard/dist/index.html', 'LICENSE', 'NOTICE'])
      assert.ok(files.includes(file), file)
    const licences = await readFile(join(directory, 'THIRD-PARTY-LICENCES.txt'), 'utf8')
    for (const name of ['baileys', 'fastify', 'react-dom', 'zod'])
      assert.match(licences, new RegExp(`^${name} \\d`, 'm'))
    assert.doesNotMatch(licences, /^\S+ \S+ \(.*(GPL|not named).*\)$/m)
    const description = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as object
    assert.ok(!('devDependencies' in description) && !('scripts' in description))
  })

  test('beside it are the versions of the lock file, which npm ci accepts, and no package has an install script', async () => {
    const directory = join(folder, 'node_modules/switchboard-gateway')
    const lockFile = join(directory, 'lock/npm-shrinkwrap.json')
    const { packages } = JSON.parse(await readFile(lockFile, 'utf8')) as Shrinkwrap
    const versions = new Map(Object.entries(packages).map(([path, { version }]) => [path, version]))
    const installed = globSync(['node_modules/*/package.json', 'node_modules/@*/*/package.json'], {
      cwd: folder,
    })
    const found = installed
      .map((path) => dirname(path))
      .filter((path) => !path.endsWith('/switchboard-gateway'))
    assert.ok(found.includes('node_modules/sharp') && found.includes('node_modules/undici'))
    for (const path of found) {
      const text = await readFile(join(folder, path, 'package.json'), 'utf8')
      assert.equal((JSON.parse(text) as { version: string }).version, versions.get(path), path)
    }
    const unpacked = join(folder, 'unpacked')
    await mkdir(unpacked)
    await run('tar', ['-xzf', tarball, '--strip-components=1', '--directory', unpacked])
    await copyFile(lockFile, join(unpacked, 'npm-shrinkwrap.json'))
    // Without downloads: it refuses a lock file that differs from package.json.
    await run('npm', ['ci', '--dry-run', '--ignore-scripts', '--prefer-offline', '--prefix', unpacked])
  })

  test('no program imports node:http as it is, which would load the HTTP client of Node beside ours', async () => {
    const directory = join(folder, 'node_modules/switchboard-gateway/dist/server')
    const texts = globSync('*.js', { cwd: directory }).map((file) => readFile(join(directory, file), 'utf8'))
    const all = (await Promise.all(texts)).join('\n')
    assert.match(all, /from ?"node:https"/, 'imports have this form')
    assert.doesNotMatch(all, /from ?"node:http"/)
  })

  test('a release can be made: versions and licences fit, and two builds are the same, byte for byte', async () => {
    assert.deepEqual(faults, [])
    const file = join(DIST, `${basename(built, '.tgz')}.cdx.json`)
    const sbom = JSON.parse(await readFile(file, 'utf8')) as Sbom
    const digest = createHash('sha256').update(await readFile(tarball))
    assert.equal(sbom.metadata.component.hashes?.[0]?.content, digest.digest('hex'))
    const names = new Set(sbom.components.map(({ name }) => name))
    for (const name of ['baileys', 'react-dom', 'sharp']) assert.ok(names.has(name), name)
    for (const name of ['libsignal-javascript', 'typescript']) assert.ok(!names.has(name), name)
  })

  test('a message reaches a phone, and the command line names itself', async () => {
    const directory = join(folder, 'data')
    const environment = { PORT: '0', DATA_DIR: directory, API_KEY: KEY, RATE_LIMIT: '0' }
    const server = await startServer(environment, bin('switchboard-gateway'))
    await sendToPhone(server.url, KEY)
    const { stdout } = await switchboard(['doctor', '--url', server.url], {
      DATA_DIR: directory,
      API_KEY: KEY,
    })
    assert.match(stdout, /^ok {7}server: accepts the API key$/m)
    assert.match((await switchboard(['--help'])).stdout, /^Usage: switchboard COMMAND/)
    assert.match((await switchboard(['serve', '--help'])).stdout, /^Usage: switchboard serve/)
    const npx = await run('npx', ['switchboard-gateway', '--help'], { cwd: folder })
    assert.match(npx.stdout, /^Usage: switchboard COMMAND/)
    assert.equal((await fetch(server.url)).headers.get('content-type'), 'text/html; charset=utf-8')
    assert.deepEqual(await server.stop(), { code: 0, signal: null })
  })

  test('under an older Node it starts the one that it needs, and ends with it', {
    skip: !olderNode,
  }, async () => {
    const environment = { PORT: '0', API_KEY: KEY }
    const start = async (name: string): Promise<ServerProcess & { url: string }> =>
      startServer({ ...environment, DATA_DIR: join(folder, name) }, bin('switchboard-gateway'), olderNode)
    const first = await start('stopped')
    assert.deepEqual(await first.stop(), { code: 0, signal: null })
    const second = await start('killed')
    await second.stop('SIGKILL')
    // The pipe of its output is closed when the last process that holds it has ended.
    assert.match(second.stdout(), /"msg":"draining"/)
  })

  test('the sandbox shows its settings, and starts alone', async () => {
    const help = await run(process.execPath, [bin('switchboard-sandbox'), '--help'])
    assert.match(help.stdout, /^ +DATA_DIR /m)
    const child: ChildProcess = execFile(process.execPath, [bin('switchboard-sandbox')], {
      env: { PATH: process.env.PATH, PORT: '0' },
    })
    const [line] = (await once(child.stdout!, 'data')) as [string]
    assert.match(line, /"wsUrl":"ws:/)
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })
})
