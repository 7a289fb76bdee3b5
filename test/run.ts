// Runs the tests: `fast` is units and contract on SQLite; `all` is everything, on every engine that is there.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

interface Suite {
  name: string
  files: string[]
  environment?: Record<string, string>
}

const UNITS = ['src/**/*.test.ts', 'test/*.test.ts', 'test/property/*.test.ts']
const CONTRACT = ['test/contract/*.test.ts']

/** Longest first: the short ones fill the gaps. */
const SUITES: Record<string, Suite[]> = {
  fast: [
    {
      name: 'units and contract on SQLite',
      files: [...UNITS, ...CONTRACT],
      environment: { TEST_ENGINES: 'sqlite', MODEL_RUNS: '500' },
    },
  ],
  all: [
    { name: 'flows', files: ['test/flow/*.test.ts'] },
    { name: 'units and contract', files: [...UNITS, ...CONTRACT] },
    { name: 'the sandbox network', files: ['test/sandbox/*.test.ts'] },
    { name: 'the dashboard in a browser', files: ['test/browser/*.test.ts'] },
  ],
}

/** Two cores are what the slowest machine has; flows wait more than they work. */
const AT_ONCE = 2

/** A test that waits for ever fails by its name instead of holding up all the others. The longest takes some five minutes. */
const TEST_LIMIT_MS = 15 * 60_000
/** What the tests' own limit does not end, because the process no longer turns at all. */
const SUITE_LIMIT_MS = 60 * 60_000

/** Prints what a suite said when it is done, so that two at once can be told apart. */
async function run({ name, files, environment }: Suite): Promise<boolean> {
  const found = files.flatMap((pattern) => globSync(pattern).sort())
  if (found.length === 0) throw new Error(`no file of ${name} was found`)
  // One process for all files of a suite: starting one each would cost more than the tests themselves. It ends with its last
  // test: a handle that one of them left behind must not hold up the others' word.
  const options = ['--test', '--test-isolation=none', '--test-force-exit', `--test-timeout=${TEST_LIMIT_MS}`]
  const child = spawn(process.execPath, [...options, ...found], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
    timeout: SUITE_LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  const said: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
  const code = await endOf(child)
  await print(`\n# ${name}: ${found.length} files\n${Buffer.concat(said).toString()}`)
  return code === 0
}

/** Resolves when it is out: this process ends by force, and what a pipe has not taken by then is lost. */
const print = (text: string): Promise<void> =>
  new Promise((resolve) => process.stdout.write(text, () => resolve()))

/** Its output may be held open by a process that a test left behind: what has been said a moment after its end is all. */
async function endOf(child: ChildProcess): Promise<number | null> {
  const closed = once(child, 'close')
  const [code] = (await once(child, 'exit')) as [number | null]
  await Promise.race([closed, setTimeout(5000, undefined, { ref: false })])
  return code
}

const suites = SUITES[process.argv[2] ?? '']
if (!suites) throw new Error(`usage: node test/run.ts ${Object.keys(SUITES).join('|')}`)
const waiting = [...suites]
const failed: string[] = []
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let suite = waiting.shift(); suite; suite = waiting.shift()) {
      if (!(await run(suite))) failed.push(suite.name)
    }
  }),
)
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`)
}
process.exit(failed.length > 0 ? 1 : 0)
