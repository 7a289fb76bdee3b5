// Programs in other languages that use the clients: the interpreter with its packages, or the reason why there is none.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export const root = join(import.meta.dirname, '../..')

export interface Interpreter {
  command: string
  /** Where its programs run. */
  directory: string
  environment: Record<string, string>
}

const works = (command: string, args: string[]): boolean => spawnSync(command, args).status === 0

/** With `CI=true` a missing interpreter is a failure, as for the receiver samples. */
function missing(reason: string): string {
  if (process.env.CI === 'true') assert.fail(reason)
  return reason
}

/** The system's Python as well, because the one on the `PATH` may not see the packages of the system. */
export function python(): Interpreter | string {
  const command = [process.env.TEST_PYTHON ?? 'python3', '/usr/bin/python3'].find((each) =>
    works(each, ['-c', 'import sys, httpx; sys.exit(sys.version_info < (3, 11))']),
  )
  if (command === undefined) return missing('there is no Python 3.11 with httpx here')
  const environment = { PYTHONPATH: join(root, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' }
  return { command, directory: root, environment }
}

/** Its HTTP library takes the curl extension if it is there, and streams otherwise. They repeat and reuse connections differently. */
export const PHP_TRANSPORTS = ['curl', 'streams'] as const
export type PhpTransport = (typeof PHP_TRANSPORTS)[number]
const WITHOUT_CURL = ['-d', 'disable_functions=curl_init,curl_exec,curl_multi_exec,curl_multi_init']

/** Arguments for the interpreter, or the reason why it cannot use this one. */
export function phpArguments(transport: PhpTransport): string[] | string {
  if (transport === 'streams') return WITHOUT_CURL
  const hasCurl = works('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'])
  return hasCurl ? [] : missing('PHP has no curl extension here')
}

/** As Debian installs it with `php-guzzlehttp-guzzle`. */
const GUZZLE = '/usr/share/php/GuzzleHttp'

/** Its directory has a `vendor/autoload.php` as Composer would write it. */
export function php(): Interpreter | string {
  if (!works('php', ['--version'])) return missing('there is no php here')
  const loaders = [`${GUZZLE}/autoload.php`, `${GUZZLE}/Psr7/autoload.php`]
  if (!loaders.every((path) => existsSync(path))) return missing('there is no Guzzle for PHP here')
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-php-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  mkdirSync(join(directory, 'vendor'))
  const lines = [...loaders, join(root, 'clients/php/src/autoload.php')].map(
    (path) => `require_once '${path}';`,
  )
  writeFileSync(join(directory, 'vendor/autoload.php'), `<?php\n${lines.join('\n')}\n`)
  return { command: 'php', directory, environment: {} }
}

export const startProgram = (
  { command, directory, environment }: Interpreter,
  args: string[],
  more: Record<string, string> = {},
): ChildProcessWithoutNullStreams =>
  spawn(command, args, { cwd: directory, env: { ...process.env, ...environment, ...more } })

/** Runs a program to its end, with this text as its input; returns its output. */
export async function runProgram(interpreter: Interpreter, args: string[], input: string): Promise<string> {
  const child = startProgram(interpreter, args)
  child.stdin.on('error', () => undefined).end(input)
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  assert.equal(child.exitCode, 0, errors + output)
  return output
}
