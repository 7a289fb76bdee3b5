// Builds dashboard and server: `build` always, `start` where sources are newer than what was built, `test` both and the programs
// that tests start, `dev` serves the dashboard while it is being developed. A build that fails stops no server: without the dashboard the API works, and without the bundle the
// server runs from its sources.
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildDashboard, dashboardFiles, developDashboard } from './dashboard.ts'
import { buildServer, buildTestPrograms, serverFiles, writeFallback } from './server-bundle.ts'

const root = join(import.meta.dirname, '..')

interface Files {
  built: string
  sources: string[]
}

/** Whether a source was changed after the build. */
function isOutdated({ built, sources }: Files): boolean {
  const builtAt = changedAt(join(root, built))
  const paths = globSync(sources, { cwd: root, exclude: (path) => path.endsWith('dist') })
  return paths.some((path) => changedAt(join(root, path)) > builtAt)
}

function changedAt(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? 0 : stat.isDirectory() ? 1 : stat.mtimeMs
}

const say = (text: string): void => void process.stderr.write(`switchboard: ${text}\n`)

async function attempt(what: string, work: () => Promise<unknown>, consequence: string): Promise<boolean> {
  say(`building the ${what} …`)
  try {
    await work()
    return true
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n')
    say(`the ${what} could not be built (${line}); ${consequence}. Try: npm run build`)
    return false
  }
}

async function buildBeforeStart(): Promise<void> {
  if (isOutdated(dashboardFiles)) await attempt('dashboard', buildDashboard, 'the API starts without it')
  if (!isOutdated(serverFiles)) return
  const isBuilt = await attempt('server', buildServer, 'it runs from its sources')
  // A bundle of earlier sources would be a different program than these.
  if (!isBuilt || !existsSync(join(root, serverFiles.built))) await writeFallback()
}

async function build(): Promise<void> {
  await buildDashboard()
  await buildServer()
}

async function buildForTests(): Promise<void> {
  await buildBeforeStart()
  await buildTestPrograms()
}

const work = { build, start: buildBeforeStart, test: buildForTests, dev: developDashboard }[
  process.argv[2] ?? ''
]
if (!work) throw new Error('usage: node scripts/build.ts build|start|test|dev')
await work()
