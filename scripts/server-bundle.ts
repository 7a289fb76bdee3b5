// Bundles the server with the packages that it needs: it starts in a third of the time of its sources, and takes less memory.
import { globSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { dirname, join, resolve } from 'node:path'
import type { Plugin } from 'rolldown'

const root = join(import.meta.dirname, '..')

interface Bundle {
  directory: string
  /** The first file of each process and thread. `programEntry` finds them by these names. */
  entries: Record<string, string>
}

const SERVER = {
  directory: 'dist/server',
  entries: {
    main: 'src/main.ts',
    'sqlite-worker': 'src/store/engines/sqlite/worker.ts',
    'watchdog-thread': 'src/kernel/process/watchdog-thread.ts',
    'openapi-thread': 'src/doors/api/openapi-thread.ts',
    'reference-thread': 'src/doors/api/reference-thread.ts',
    sandbox: 'sandbox/main.ts',
  },
} satisfies Bundle

/** What an installed package runs: the server, the command line, and the sandbox alone. */
const PACKAGE = {
  directory: 'dist/package/dist/server',
  entries: { ...SERVER.entries, cli: 'src/doors/cli/main.ts' },
} satisfies Bundle

/** The server, and the other processes that tests start. */
export const TEST_PROGRAMS = {
  directory: 'dist/test',
  entries: {
    ...SERVER.entries,
    cli: 'src/doors/cli/main.ts',
    'failing-server': 'test/support/failing-server.ts',
    'short-interval-server': 'test/support/short-interval-server.ts',
    'short-lease-server': 'test/support/short-lease-server.ts',
  },
} satisfies Bundle

/** Packages that other packages use where they are installed, one with native code, and one that is loaded in a thread of its own. */
export const EXTERNAL = [
  '@scalar/fastify-api-reference',
  'audio-decode',
  'bufferutil',
  'jimp',
  'link-preview-js',
  'pg-cloudflare',
  'pg-native',
  'sharp',
  'utf-8-validate',
]

export const serverFiles = {
  built: 'dist/server/main.js',
  sources: ['src/**/*.ts', 'sandbox/**/*.ts', 'packages/**/*.ts', 'package-lock.json'],
}

/**
 * An import of a built-in module reads all its exports. Three of `node:http` are getters that load Node's own copy of undici,
 * which the server does not use. That takes 30 ms and some megabytes, so the bundle imports no getter by its name.
 */
const withoutGetters: Plugin = {
  name: 'node:http without getters',
  resolveId: (id, _importer, { kind }) =>
    id === 'node:http' && kind === 'import-statement' ? '\0node-http' : null,
  load(id) {
    if (id !== '\0node-http') return null
    const names = Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([name, { get }]) =>
      get ? [] : [name],
    )
    return `const http = process.getBuiltinModule('node:http')
      export default http
      export const { ${names.join(', ')} } = http`
  },
}

/**
 * The network library's ciphers of groups, whose origin has another licence. `src/network/group-ciphers.ts` replaces every function
 * that uses them, so the bundle has a stub instead. It fails at the first use, and the build fails if a name is missing.
 */
export const LEFT_OUT = /\/baileys\/lib\/Signal\/Group\//
const GROUP_CIPHERS = [
  'GroupCipher',
  'GroupSessionBuilder',
  'SenderKeyDistributionMessage',
  'SenderKeyName',
  'SenderKeyRecord',
]
const withoutGroupCiphers: Plugin = {
  name: 'without the group ciphers of the network library',
  resolveId: (id, importer) =>
    importer !== undefined && LEFT_OUT.test(resolve(dirname(importer), id)) ? '\0no-group-ciphers' : null,
  load(id) {
    if (id !== '\0no-group-ciphers') return null
    return `class LeftOut { constructor() { throw new Error('The group ciphers of the network library are not in this bundle') } }
      export { ${GROUP_CIPHERS.map((name) => `LeftOut as ${name}`).join(', ')} }`
  },
}

/**
 * The package that serves the dashboard's files can also make a route for each file that it finds. The server does not use that (`serve:
 * false`), and loading the search for files would take 20 ms of every start.
 */
const withoutFileSearch: Plugin = {
  name: 'without the search for files of @fastify/static',
  resolveId: (id, importer) =>
    id === 'glob' && importer?.includes('/@fastify/static/') ? '\0no-file-search' : null,
  load: (id) =>
    id === '\0no-file-search'
      ? `export const glob = () => { throw new Error('The search for files is not in this bundle') }`
      : null,
}

/** A day: a server that runs an earlier bundle may still load a part of it. */
const KEPT_MS = 24 * 60 * 60_000

export const buildServer = (): Promise<string[]> => buildBundle(SERVER)
export const buildTestPrograms = (): Promise<string[]> => buildBundle(TEST_PROGRAMS)
export const buildPackagePrograms = (): Promise<string[]> => buildBundle(PACKAGE)

/**
 * The names of parts contain a digest of their content. They are put in place before the entries that refer to them. The result
 * lists the source files that are in the bundle.
 */
async function buildBundle({ directory, entries }: Bundle): Promise<string[]> {
  const { build } = await import('rolldown')
  const target = join(root, directory)
  const made = `${target}-${process.pid}`
  try {
    const { output } = await build({
      input: entries,
      cwd: root,
      platform: 'node',
      external: EXTERNAL,
      plugins: [withoutGetters, withoutGroupCiphers, withoutFileSearch],
      logLevel: 'warn',
      output: {
        dir: made,
        format: 'esm',
        chunkFileNames: '[name]-[hash].js',
        // Without comments and spaces, but with all names: an error still shows where it happened.
        minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
      },
    })
    await mkdir(target, { recursive: true })
    const isEntry = (file: string) => Object.hasOwn(entries, file.replace(/\.js$/, ''))
    const files = globSync('**/*.js', { cwd: made }).toSorted(
      (a, b) => Number(isEntry(a)) - Number(isEntry(b)),
    )
    for (const file of files) {
      await escapeText(join(made, file))
      await rename(join(made, file), join(target, file))
    }
    await removeOld(target, new Set(files))
    return output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

/** V8 holds a source with a single character beyond Latin-1 at two bytes per character. Such characters are only in literals. */
async function escapeText(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  const escaped = text.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  if (escaped !== text) await writeFile(path, escaped)
}

async function removeOld(directory: string, current: ReadonlySet<string>): Promise<void> {
  const before = Date.now() - KEPT_MS
  for (const file of globSync('*.js', { cwd: directory })) {
    const path = join(directory, file)
    if (!current.has(file) && statSync(path).mtimeMs < before) await rm(path)
  }
}

/** Where no bundle can be built, the entry that `npm start` runs loads the sources. */
export async function writeFallback(): Promise<void> {
  await mkdir(join(root, SERVER.directory), { recursive: true })
  await writeFile(join(root, serverFiles.built), "import '../../src/main.ts'\n")
}
