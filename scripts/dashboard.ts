// Builds the dashboard, and serves it while it is being developed.
import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
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

/** The words of the dashboard's sources. */
const words = (): Set<string> =>
  new Set(
    globSync('**/*.{ts,tsx}', { cwd: DIRECTORY, exclude: ['dist/**'] }).flatMap((file) =>
      readFileSync(join(DIRECTORY, file), 'utf8').split(/\W+/),
    ),
  )

/**
 * Method and path of the routes that the dashboard names, and what a key needs for them, without the schemas: the page needs no
 * validator (decision 0041), and every page loads this table.
 */
export function routeTable() {
  const named = words()
  const table = Object.values<Route>({ ...routes, ...sandboxRoutes })
    .filter(({ id }) => named.has(id))
    .map((route) => {
      const address = [route.method, fullPath(route), isFileAnswer(route.answer)]
      const isForKeys = route.area === 'api' || route.area === 'sandbox'
      return [route.id, isForKeys ? [...address, { scopes: route.scopes, wall: route.wall }] : address]
    })
  return {
    name: 'route-table',
    resolveId: (id: string) => (id === 'virtual:route-table' ? `\0${id}` : undefined),
    load: (id: string) =>
      id === '\0virtual:route-table'
        ? `export const routeTable = ${JSON.stringify(Object.fromEntries(table))}`
        : undefined,
  }
}

/**
 * Class names `_0`, `_1` …: the script of a page contains those of all its styles, and counters compress better than hashes. They are
 * counted in the order of the files, because the build reads these in another order each time.
 */
function shortNames(): (name: string, file: string) => string {
  const known = new Map<string, string>()
  for (const file of globSync('**/*.module.css', { cwd: DIRECTORY, exclude: ['dist/**'] }).toSorted()) {
    const path = join(DIRECTORY, file)
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/\.([a-z][\w-]*)/gi)) {
      const key = `${path} ${name}`
      if (!known.has(key)) known.set(key, `_${known.size.toString(36)}`)
    }
  }
  return (name, file) => {
    const short = known.get(`${file} ${name}`)
    if (short === undefined) throw new Error(`the class ${name} of ${file} was not counted`)
    return short
  }
}

/** The texts of the parts that every page has: one script per language instead of one per part. */
const commonTexts = (file: string): string | null =>
  /\/dashboard\/(?:ui|ui\/refusals|chat|app)\/texts\/(en|pt|es)\.ts$/.exec(file)?.[1] ?? null

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
      rolldownOptions: {
        checks: { pluginTimings: false },
        output: { codeSplitting: { groups: [{ name: commonTexts }] } },
      },
    },
    server: { proxy: Object.fromEntries(GATEWAY_PATHS.map((path) => [path, DEV_GATEWAY])) },
  }
}

/** `directory` is where the files are written, if not where the server finds them. The result lists the source files. */
export async function buildDashboard(directory?: string): Promise<string[]> {
  const vite = await import('vite')
  const { build, ...others } = await settings()
  const built = await vite.build({ ...others, build: { ...build, ...(directory && { outDir: directory }) } })
  if ('close' in built) throw new Error('the build watches its files')
  const { output } = Array.isArray(built) ? { output: built.flatMap((each) => each.output) } : built
  const target = directory ?? join(DIRECTORY, 'dist')
  await Promise.all(output.map(({ fileName }) => compressFile(join(target, fileName))))
  return output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
}

/** A file below this size fits into one packet. */
const MIN_COMPRESSED_BYTES = 1024
const COMPRESSIBLE = /\.(js|css|svg|json|webmanifest)$/

/** Writes the copies that the server sends to a client that accepts them: the page itself is small and stays as it is. */
async function compressFile(path: string): Promise<void> {
  if (!COMPRESSIBLE.test(path)) return
  const content = await readFile(path)
  if (content.length < MIN_COMPRESSED_BYTES) return
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ])
  await writeFile(`${path}.br`, brotli)
  await writeFile(`${path}.gz`, gzipped)
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
