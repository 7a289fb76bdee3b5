// docs/start.md, done as it is written: the bot, the command that brings events, and the calls that write to it.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { shellBlocks } from '../support/document-commands.ts'
import { engines, temporaryDirectory } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/linked.ts'
import { programFile } from '../support/program.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, startWithKey } from '../support/started.ts'

const own = 'test/flow/first-event.test.ts'
const skip = ['bash', 'curl'].some((name) => spawnSync(name, ['--version']).status !== 0)
if (skip && process.env.CI === 'true') throw new Error('bash or curl is not installed')

/** Stands for npm: only the command line is run. The last command replaces the shell, so that a signal reaches it. */
const PRELUDE = `set -euo pipefail
npm() { shift 3 && exec "$NODE" "$CLI" "$@"; }
node() { exec "$NODE" "$@"; }
curl() { command curl --silent --show-error --fail-with-body "$@"; }
`

test('the bot of docs/start.md answers the first event', { skip }, async () => {
  const [engine] = engines
  assert.ok(engine)
  const storeLocation = await engine.createLocation()
  const key = newKey()
  const gateway = await startWithKey(storeLocation, key, await onSharedSandbox())
  const directory = await temporaryDirectory()
  const running: ChildProcess[] = []
  after(async () => {
    for (const child of running) {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    await gateway.stop()
    await storeLocation.dispose()
  })
  const port = String(await freePort())
  const adapt = (text: string) =>
    text.replaceAll('http://127.0.0.1:8080', gateway.url).replaceAll('3000', port)
  const page = await readFile(join(import.meta.dirname, '../../docs/start.md'), 'utf8')
  await writeFile(join(directory, 'bot.mjs'), adapt(/```js\n([\s\S]*?)```/.exec(page)?.[1] ?? ''))
  await writeFile(join(storeLocation.directory, 'first-api-key'), key)
  await symlink(storeLocation.directory, join(directory, 'data'))
  const options = {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      NODE: process.execPath,
      CLI: programFile('cli'),
      DATA_DIR: storeLocation.directory,
      SWITCHBOARD_URL: gateway.url,
    },
  }
  const [bot = '', listen = '', calls = '', ...others] = shellBlocks('docs/start.md', page)
    .filter(({ runBy }) => runBy?.includes(own))
    .map(({ text }) => PRELUDE + adapt(text))
  assert.deepEqual(others, [])
  assert.ok(calls)
  /** Resolves when the command has printed this. */
  const printed = async (script: string, expected: string) => {
    const child = spawn('bash', ['-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    running.push(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (text += part))
    await until(`"${expected}" in the output`, async () => text.includes(expected) || undefined)
  }
  const answered = printed(bot, 'Ana: Hello')
  await printed(listen, 'Events are posted from now on')
  const { stdout } = await promisify(execFile)('bash', ['-c', calls], options)
  await answered
  assert.match(stdout.slice(stdout.lastIndexOf('{"success"')), /You said: Hello/)
})
