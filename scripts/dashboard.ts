// Builds the dashboard: `build` always, `start` where its sources are newer than what was built, `dev` serves it while it is
// worked on. A build that fails stops no server: the API works without it.
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fullPath, isFileAnswer, type Route } from '../src/contract/route.ts'
import { routes } from '../src/contract/routes.ts'
import { sandboxRoutes } from '../src/contract/sandbox.ts'

const root = join(import.meta.dirname, '..')
const DIRECTORY = join(root, 'dashboard')
/** The gateway that a page under development talks to. */
const DEV_GATEWAY = 'http://127.0.0.1:8080'
const GATEWAY_PATHS = [
  '/api',
  '/admin',
  '/sandbox',
  '/session',
  '/docs',
  '/openapi.json',
  '/healthz',
  '/readyz',
  '/metrics',
]

/** Method and path of every route, without the schemas: the page needs no validator (decision 0041). */
function routeTable() {
  const table = Object.values<Route>({ ...routes, ...sandboxRoutes }).map((route) => [
    route.id,
    [route.method, fullPath(route), isFileAnswer(route.answer)],
  ])
  return {
    name: 'route-table',
    resolveId: (id: string) => (id === 'virtual:route-table' ? `\0${id}` : undefined),
    load: (id: string) =>
      id === '\0virtual:route-table'
        ? `export const routeTable = ${JSON.stringify(Object.fromEntries(table))}`
        : undefined,
  }
}

/** Class names `_0`, `_1` …: the script of a page contains those of all its styles, and counters compress better than hashes. */
function shortNames(): (name: string, file: string) => string {
  const known = new Map<string, string>()
  return (name, file) => {
    const key = `${file} ${name}`
    const short = known.get(key) ?? `_${known.size.toString(36)}`
    known.set(key, short)
    return short
  }
}

async function settings() {
  const { default: react } = await import('@vitejs/plugin-react')
  return {
    configFile: false as const,
    root: DIRECTORY,
    logLevel: 'warn' as const,
    plugins: [react(), routeTable()],
    css: { modules: { generateScopedName: shortNames() } },
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      // The policy allows no inline source, be it a small image.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // How long plugins take is of no use to a person who starts the server.
      rolldownOptions: { checks: { pluginTimings: false } },
    },
    server: { proxy: Object.fromEntries(GATEWAY_PATHS.map((path) => [path, DEV_GATEWAY])) },
  }
}

async function build(): Promise<void> {
  const vite = await import('vite')
  await vite.build(await settings())
}

/** Whether anything that goes into the page was changed after it was built. */
function isOutdated(): boolean {
  const built = changedAt(join(DIRECTORY, 'dist', 'index.html'))
  const sources = globSync(['dashboard/**/*', 'src/contract/**/*.ts', 'package-lock.json'], {
    cwd: root,
    exclude: (path) => path.endsWith('dist'),
  })
  return sources.some((path) => changedAt(join(root, path)) > built)
}

function changedAt(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? 0 : stat.isDirectory() ? 1 : stat.mtimeMs
}

async function buildBeforeStart(): Promise<void> {
  if (!isOutdated()) return
  process.stderr.write('switchboard: building the dashboard …\n')
  try {
    await build()
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n')
    process.stderr.write(
      `switchboard: the dashboard could not be built (${line}); the API starts without it. Try: npm run build\n`,
    )
  }
}

async function develop(): Promise<void> {
  const vite = await import('vite')
  const server = await vite.createServer(await settings())
  await server.listen()
  server.printUrls()
}

const work = { build, start: buildBeforeStart, dev: develop }[process.argv[2] ?? '']
if (!work) throw new Error('usage: node scripts/dashboard.ts build|start|dev')
await work()
