// Runs the tests: `fast` runs units and contract on SQLite. `all` runs what a change needs, on every engine that is available. `long` runs
// what takes minutes, what drives other programs, random faults, which differ from run to run, and what `all` runs on one engine on the
// remaining ones.
//
// The files of a suite are spread over several processes, and a few processes run at a time. A process of its own for each file
// would spend more time on loading the program than on the tests.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { COMPILE_CACHE } from './support/compile-cache.ts'
import { cpuSeconds, readTimes } from './support/cpu-times.ts'
import { type Job, jobsOfShard, readShard, spread } from './support/test-jobs.ts'

interface Suite {
  name: string
  patterns: string[]
  /** Only the files that contain this text. */
  containing?: string
  /** How many processes share the files; 1 where it is absent. */
  processes?: number
  /** Of a file that is not in the table of slow files. */
  secondsPerFile: number
  /** Its tests wait most of the time, so that it runs beside the others. */
  waits?: boolean
  /** It checks what the other suites have left, and runs after them. */
  last?: boolean
  /** Suites with the same text run on one machine. */
  together?: string
  environment?: Record<string, string>
}

/** Named before the tests, it prints the seed of their random choices. */
const SEED_FILE = 'test/support/random-seed.ts'

/** A reporter of the test runner that writes the CPU time of each file. */
const TIMES_REPORTER = './test/support/cpu-times.ts'
const SHOWN_FILES = 10

/** Tests start the bundle of the program, which this run builds (`test/support/program.ts`). */
const BUNDLE = { TEST_BUNDLE: 'true' }

/** What `npm test` runs on one engine runs on the others, and what it repeats is repeated more often. */
const REMAINING = { TEST_REMAINING_ENGINES: 'true' }

const UNITS = [
  'src/**/*.test.ts',
  'sandbox/**/*.test.ts',
  'packages/**/*.test.ts',
  'dashboard/**/*.test.ts',
  'scripts/**/*.test.ts',
  'clients/**/*.test.ts',
  'test/*.test.ts',
  'test/property/*.test.ts',
]
const CONTRACT = ['test/contract/*.test.ts']

/** For what the processes leave to this one and to the suite that runs last. */
const runDirectory = mkdtempSync(join(tmpdir(), 'switchboard-run-'))
/** What the contract tests have seen of the API. */
const COVERAGE = { CONTRACT_COVERAGE: runDirectory }
const COVERED: Suite = {
  name: 'coverage',
  patterns: ['test/last/*.test.ts'],
  secondsPerFile: 2,
  last: true,
  together: 'contract',
  environment: COVERAGE,
}

const SUITES: Record<string, Suite[]> = {
  fast: [
    {
      name: 'units on SQLite',
      patterns: UNITS,
      secondsPerFile: 0.4,
      environment: { TEST_ENGINES: 'sqlite', MODEL_RUNS: '500' },
    },
    {
      name: 'contract on SQLite',
      patterns: CONTRACT,
      secondsPerFile: 1,
      together: 'contract',
      environment: { TEST_ENGINES: 'sqlite', ...COVERAGE },
    },
    { ...COVERED, environment: { TEST_ENGINES: 'sqlite', ...COVERAGE } },
  ],
  all: [
    {
      name: 'flows',
      patterns: ['test/flow/*.test.ts'],
      processes: 4,
      secondsPerFile: 3,
      environment: BUNDLE,
    },
    {
      name: 'cluster',
      patterns: ['test/cluster/*.test.ts'],
      processes: 2,
      secondsPerFile: 6,
      waits: true,
      environment: BUNDLE,
    },
    {
      name: 'browser',
      patterns: ['test/browser/*.test.ts'],
      processes: 3,
      secondsPerFile: 12,
      environment: BUNDLE,
    },
    { name: 'units', patterns: UNITS, processes: 2, secondsPerFile: 0.4, environment: BUNDLE },
    {
      name: 'contract',
      patterns: CONTRACT,
      processes: 2,
      secondsPerFile: 1,
      together: 'contract',
      environment: { ...BUNDLE, ...COVERAGE },
    },
    { name: 'sandbox', patterns: ['test/sandbox/*.test.ts'], secondsPerFile: 2, environment: BUNDLE },
    { name: 'deploy', patterns: ['test/deploy/*.test.ts'], secondsPerFile: 5, environment: BUNDLE },
    COVERED,
  ],
  long: [
    {
      name: 'long',
      patterns: ['test/long/*.test.ts', 'test/judges/*.test.ts'],
      processes: 6,
      secondsPerFile: 12,
      environment: BUNDLE,
    },
    {
      name: 'every look of the pages',
      patterns: ['test/browser/every-page.test.ts'],
      secondsPerFile: 190,
      environment: { ...BUNDLE, TEST_EVERY_LOOK: 'true' },
    },
    {
      name: 'more random sequences',
      patterns: ['src/nodes/node.test.ts', 'test/property/outbox-model.test.ts'],
      secondsPerFile: 40,
      environment: { ...BUNDLE, LEASE_SCHEDULES: '1000', MODEL_RUNS: '4000' },
    },
    {
      name: 'flows on the remaining engines',
      patterns: ['flow', 'judges', 'long', 'property'].map((folder) => `test/${folder}/*.test.ts`),
      containing: "'../support/behaviour-",
      processes: 4,
      secondsPerFile: 4,
      environment: { ...BUNDLE, ...REMAINING },
    },
    {
      name: 'contract on the remaining engines',
      patterns: CONTRACT,
      processes: 2,
      secondsPerFile: 0.6,
      environment: { ...BUNDLE, ...REMAINING },
    },
  ],
}

/**
 * Roughly how many seconds of CPU time the slow files take, their processes included, for an even spread: the process that starts last
 * should not be the longest. Only the speed of the run depends on these numbers.
 */
const SECONDS: Record<string, number> = {
  'src/store/engines/postgres/conformance.test.ts': 30,
  'src/store/engines/sqlite/conformance.test.ts': 15,
  'src/files/upload-sweep.test.ts': 8,
  'test/browser/conversations.test.ts': 40,
  'test/browser/every-page.test.ts': 95,
  'test/browser/instances.test.ts': 25,
  'test/browser/operator.test.ts': 25,
  'test/browser/phone-kinds.test.ts': 25,
  'test/browser/phone.test.ts': 30,
  'test/browser/scale.test.ts': 25,
  'test/browser/script-strings.test.ts': 35,
  'test/cluster/address.test.ts': 6,
  'test/cluster/drain.test.ts': 11,
  'test/cluster/instance-settings.test.ts': 7,
  'test/cluster/node-calls.test.ts': 9,
  'test/cluster/nodes.test.ts': 27,
  'test/cluster/uploads.test.ts': 7,
  'test/contract/fuzz.test.ts': 9,
  'test/deploy/install.test.ts': 7,
  'test/docs.test.ts': 9,
  'test/flow/albums.test.ts': 6,
  'test/flow/approval.test.ts': 8,
  'test/flow/backup.test.ts': 8,
  'test/flow/boot.test.ts': 6,
  'test/flow/chat-history.test.ts': 12,
  'test/flow/chat-settings.test.ts': 6,
  'test/flow/chatwoot.test.ts': 13,
  'test/flow/dashboard.test.ts': 10,
  'test/flow/failpoints.test.ts': 10,
  'test/flow/forged-changes.test.ts': 15,
  'test/flow/groups-admin.test.ts': 6,
  'test/flow/mcp.test.ts': 6,
  'test/flow/message-changes.test.ts': 6,
  'test/flow/outbound-media.test.ts': 9,
  'test/flow/outbound.test.ts': 8,
  'test/flow/pairing.test.ts': 8,
  'test/flow/people.test.ts': 6,
  'test/flow/presence-after-link.test.ts': 7,
  'test/flow/receive-kinds.test.ts': 10,
  'test/flow/sandbox-calls.test.ts': 6,
  'test/flow/scheduled.test.ts': 7,
  'test/flow/session-faults.test.ts': 9,
  'test/flow/shared-media.test.ts': 6,
  'test/flow/traces.test.ts': 12,
  'test/flow/trouble.test.ts': 8,
  'test/flow/uploads.test.ts': 7,
  'test/lock-order.test.ts': 8,
  'test/long/approved-files.test.ts': 31,
  'test/long/boot.test.ts': 25,
  'test/long/clock-step.test.ts': 6,
  'test/long/destinations.test.ts': 35,
  'test/long/documented-commands.test.ts': 21,
  'test/long/failover.test.ts': 20,
  'test/long/failpoints.test.ts': 57,
  'test/long/full-outbox.test.ts': 6,
  'test/long/kill.test.ts': 15,
  'test/long/largest-frames.test.ts': 43,
  'test/long/lock-order.test.ts': 80,
  'test/long/node-clock-step.test.ts': 8,
  'test/long/package.test.ts': 35,
  'test/long/pgbouncer.test.ts': 24,
  'test/long/recipes.test.ts': 20,
  'test/long/replica-failover.test.ts': 22,
  'test/long/session-kill.test.ts': 110,
  'test/long/stop.test.ts': 20,
  'test/long/survivors.test.ts': 7,
  'test/long/trial-restore.test.ts': 6,
  'test/long/webhook-kill.test.ts': 50,
  'test/openapi.test.ts': 8,
}

/** More than the two cores of a small machine, because many tests wait for another process most of the time. */
const AT_ONCE = Number(process.env.TEST_PROCESSES ?? 3)

/** A test that never ends fails under its own name, long before the limit of its process. */
const TEST_LIMIT_MS = 15 * 60_000
/** For a process whose event loop is blocked, so that the limit of the test has no effect. */
const PROCESS_LIMIT_MS = 60 * 60_000

const find = ({ patterns, containing = '' }: Pick<Suite, 'patterns' | 'containing'>): string[] =>
  patterns
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => containing === '' || readFileSync(file, 'utf8').includes(containing))
    .sort()

/** Fails where a test file would never run, and where the table of slow files names one that is gone. */
function checkFiles(): void {
  const run = new Set([...(SUITES['all'] as Suite[]), ...(SUITES['long'] as Suite[])].flatMap(find))
  const all = globSync('**/*.test.{ts,tsx}', { exclude: (name) => name.includes('node_modules') })
  const forgotten = all.filter((file) => !run.has(file))
  if (forgotten.length > 0) throw new Error(`no suite of test/run.ts runs ${forgotten.join(', ')}`)
  const gone = Object.keys(SECONDS).filter((file) => !run.has(file))
  if (gone.length > 0) throw new Error(`SECONDS in test/run.ts names files that are gone: ${gone.join(', ')}`)
}

function jobsOf(suite: Suite): Job[] {
  const {
    name,
    processes = 1,
    secondsPerFile,
    environment = {},
    together,
    waits = false,
    last = false,
  } = suite
  const files = find(suite)
  if (files.length === 0) throw new Error(`no file of the suite "${name}" was found`)
  const parts = spread(files, Math.min(processes, files.length), (file) => SECONDS[file] ?? secondsPerFile)
  return parts.map(({ items, seconds }, index) => ({
    name: processes === 1 ? name : `${name} ${index + 1} of ${processes}`,
    files: items,
    environment,
    seconds,
    together,
    waits,
    last,
  }))
}

/** CPU seconds of each test file so far. */
const fileSeconds = new Map<string, number>()

/** The output of a process is printed when it ends, so that those of several do not mix. Returns it if a test failed. */
async function run({ name, files, environment }: Job): Promise<string | undefined> {
  const timesFile = join(runDirectory, `${name}.times`)
  const options = [
    '--test',
    '--test-isolation=none',
    // The process ends with its last test: a handle that a test left open must not hold up the run.
    '--test-force-exit',
    `--test-timeout=${TEST_LIMIT_MS}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${TIMES_REPORTER}`,
    `--test-reporter-destination=${timesFile}`,
  ]
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...options, SEED_FILE, ...files], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment },
    timeout: PROCESS_LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const code = await endOf(child)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const result = code === 0 ? 'passed' : 'FAILED'
  const text = Buffer.concat(output).toString()
  const cpu = Math.round(noteTimes(timesFile))
  await print(`\n# ${name}: ${files.length} files ${result} in ${seconds} s, ${cpu} s of CPU time\n${text}`)
  return code === 0 ? undefined : text
}

/** Returns the sum, with the time to load the files. */
function noteTimes(timesFile: string): number {
  const times = existsSync(timesFile) ? readTimes(readFileSync(timesFile, 'utf8')) : []
  for (const { file, seconds } of times) fileSeconds.set(file, (fileSeconds.get(file) ?? 0) + seconds)
  return times.reduce((sum, { seconds }) => sum + seconds, 0)
}

/** The slowest files, and the time of all processes of the run. Servers that ran before are not part of it. */
function timesTable(): string {
  const files = [...fileSeconds].filter(([file]) => file !== '')
  const slowest = files.toSorted(([, a], [, b]) => b - a).slice(0, SHOWN_FILES)
  const rows = slowest.map(([file, seconds]) => `${seconds.toFixed(1).padStart(8)}  ${file}`)
  const all = `CPU seconds: ${Math.round(cpuSeconds())}, and the files that take most of them:`
  return `\n# ${all}\n${rows.join('\n')}\n`
}

/** The part that the test runner prints last. */
const failuresOf = (output: string): string => output.slice(Math.max(0, output.indexOf('\n✖ failing tests:')))

/** Resolves when the text is written: this process ends with `exit`, which drops what a pipe has not taken. */
const print = (text: string): Promise<void> =>
  new Promise((resolve) => process.stdout.write(text, () => resolve()))

/** A process that a test left running may hold the pipes open, so the end of the output is awaited for a short time only. */
async function endOf(child: ChildProcess): Promise<number | null> {
  const closed = once(child, 'close')
  const [code] = (await once(child, 'exit')) as [number | null]
  await Promise.race([closed, setTimeout(5000, undefined, { ref: false })])
  return code
}

const { values, positionals } = parseArgs({ options: { shard: { type: 'string' } }, allowPositionals: true })
const suites = SUITES[positionals[0] ?? '']
if (!suites || positionals.length > 1)
  throw new Error(`usage: node test/run.ts ${Object.keys(SUITES).join('|')} [--shard 1/3]`)
checkFiles()
const jobs = jobsOfShard(suites.flatMap(jobsOf), readShard(values.shard ?? '1/1'))
// Two processes that find a build out of date would build it at the same time.
if (suites !== SUITES['fast']) execFileSync(process.execPath, ['scripts/build.ts', 'test'])
const failed: { name: string; output: string }[] = []
async function runAll(jobs: Job[]): Promise<void> {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const output = await run(job)
    if (output !== undefined) failed.push({ name: job.name, output })
  }
}
const besides = jobs.filter(({ waits }) => waits)
const others = jobs.filter(({ waits, last }) => !waits && !last).toSorted((a, b) => b.seconds - a.seconds)
await Promise.all([runAll(besides), ...Array.from({ length: AT_ONCE }, () => runAll(others))])
await runAll(jobs.filter(({ last }) => last))
rmSync(runDirectory, { recursive: true, force: true })
await print(timesTable())
// Again at the end, where a reader of a long log looks first.
for (const { name, output } of failed) await print(`\n# ${name}: FAILED${failuresOf(output)}\n`)
if (failed.length > 0) console.error(`failed: ${failed.map(({ name }) => name).join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)
