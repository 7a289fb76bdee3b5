// Runs the tests: `fast` is units and contract on SQLite; `all` is everything, on every engine that is there.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

const UNITS = ['src/**/*.test.ts', 'test/*.test.ts', 'test/property/*.test.ts']
const CONTRACT = ['test/contract/*.test.ts']
const SANDBOX = ['test/sandbox/*.test.ts']
const FLOWS = ['test/flow/*.test.ts']

interface Suite {
  name: string
  files: string[]
  environment?: Record<string, string>
}

const SUITES: Record<string, Suite[]> = {
  fast: [
    {
      name: 'units and contract on SQLite',
      files: [...UNITS, ...CONTRACT],
      environment: { TEST_ENGINES: 'sqlite' },
    },
  ],
  all: [
    { name: 'units and contract', files: [...UNITS, ...CONTRACT] },
    { name: 'the sandbox network', files: SANDBOX },
    { name: 'flows', files: FLOWS },
  ],
}

function run({ name, files, environment }: Suite): boolean {
  const found = files.flatMap((pattern) => globSync(pattern).sort())
  if (found.length === 0) return true
  console.log(`\n# ${name}: ${found.length} files`)
  // One process for all files of a suite: starting one each would cost more than the tests themselves.
  const { status } = spawnSync(process.execPath, ['--test', '--test-isolation=none', ...found], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  return status === 0
}

const suites = SUITES[process.argv[2] ?? '']
if (!suites) throw new Error(`usage: node test/run.ts ${Object.keys(SUITES).join('|')}`)
const failed = suites.filter((suite) => !run(suite))
if (failed.length > 0) {
  console.error(`failed: ${failed.map((suite) => suite.name).join(', ')}`)
  process.exit(1)
}
