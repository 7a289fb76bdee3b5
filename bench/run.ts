// Runs all benches one after the other with modest sizes, and prints one table of their figures: `npm run bench`. With `--write` the
// table goes into docs/performance.md.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { conditions, figuresTable, type Measured, withFigures } from './figures-table.ts'
import type { FigureMessage } from './report.ts'

const { values } = parseArgs({
  options: {
    /** Names of benches; all by default. */
    only: { type: 'string', default: '' },
    engine: { type: 'string', default: 'sqlite' },
    write: { type: 'boolean', default: false },
  },
})
const DOCUMENT = join(import.meta.dirname, '..', 'docs', 'performance.md')
const ON_ENGINE = ['--engine', values.engine]

/** With `npm run bench -- --engine postgres`, those without this argument run on both engines. */
const BENCHES: Record<string, string[]> = {
  inbound: ON_ENGINE,
  groups: ['--messages', '20', ...ON_ENGINE],
  'new-chats': ON_ENGINE,
  footprint: ON_ENGINE,
  send: ['--instances', '1,10', '--stored', '0', ...ON_ENGINE],
  dialects: ON_ENGINE,
  accept: [],
  webhooks: [],
  'webhook-batches': [],
  steady: ['--seconds', '20'],
  streams: [],
  contacts: [],
  search: [],
  restart: [],
  schedule: [],
  stalls: [],
  import: [],
}

interface Outcome {
  figures: Measured[]
  /** It ended without all its figures. */
  failed: boolean
}

async function run(bench: string, args: string[]): Promise<Outcome> {
  console.log(`\n${bench} ${args.join(' ')}`)
  const environment = values.engine === 'sqlite' ? { TEST_ENGINES: 'sqlite' } : {}
  const child = fork(join(import.meta.dirname, `${bench}.ts`), args, {
    env: { ...process.env, ...environment },
  })
  const end = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', end).on('SIGTERM', end)
  const figures: Measured[] = []
  child.on('message', ({ figure }: FigureMessage) => figures.push({ bench, ...figure }))
  const [code] = (await once(child, 'exit')) as [number | null]
  process.off('SIGINT', end).off('SIGTERM', end)
  const hasMissed = figures.some(({ wanted }) => wanted?.held === false)
  return { figures, failed: figures.length === 0 || (code !== 0 && !hasMissed) }
}

function chosen(): [string, string[]][] {
  const names = values.only.split(',').filter(Boolean)
  const unknown = names.filter((name) => BENCHES[name] === undefined)
  if (unknown.length > 0) throw new Error(`there is no bench ${unknown.join(', ')}`)
  if (values.write && names.length > 0)
    throw new Error('--write needs the figures of all benches, without --only')
  return Object.entries(BENCHES).filter(([name]) => names.length === 0 || names.includes(name))
}

const figures: Measured[] = []
const failed: string[] = []
for (const [bench, args] of chosen()) {
  const outcome = await run(bench, args)
  figures.push(...outcome.figures)
  if (outcome.failed) failed.push(bench)
}
const content = `${conditions(values.engine)}\n\n${figuresTable(figures)}`
console.log(`\n${content}`)
if (failed.length > 0) throw new Error(`without all their figures: ${failed.join(', ')}`)
if (values.write) await writeFile(DOCUMENT, withFigures(await readFile(DOCUMENT, 'utf8'), content))
