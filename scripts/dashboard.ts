// Builds the dashboard, and serves it while it is being developed.
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

export async function buildDashboard(): Promise<void> {
  const vite = await import('vite')
  await vite.build(await settings())
}

export const dashboardFiles = {
  built: 'dashboard/dist/index.html',
  sources: ['dashboard/**/*', 'src/contract/**/*.ts', 'package-lock.json'],
}

export async function developDashboard(): Promise<void> {
  const vite = await import('vite')
  const server = await vite.createServer(await settings())
  await server.listen()
  server.printUrls()
}
