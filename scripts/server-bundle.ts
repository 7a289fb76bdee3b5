// Bundles the server with the packages that it needs: it starts in a third of the time of its sources, and takes less memory.
import { globSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const DIRECTORY = join(root, 'dist', 'server')

/** The first file of each process and thread. `programEntry` finds them by these names. */
const ENTRIES = {
  main: 'src/main.ts',
  'sqlite-worker': 'src/store/engines/sqlite/worker.ts',
  'reference-thread': 'src/http/reference-thread.ts',
  sandbox: 'src/network/sandbox/main.ts',
}

/** Packages that other packages use where they are installed, and one that is loaded in a thread of its own. */
const EXTERNAL = [
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
  sources: ['src/**/*.ts', 'packages/**/*.ts', 'package-lock.json'],
}

/** A day: a server that runs an earlier bundle may still load a part of it. */
const KEPT_MS = 24 * 60 * 60_000

/** The names of parts contain a digest of their content. They are put in place before the entries that refer to them. */
export async function buildServer(): Promise<void> {
  const { build } = await import('rolldown')
  const made = join(root, 'dist', `server-${process.pid}`)
  try {
    await build({
      input: ENTRIES,
      cwd: root,
      platform: 'node',
      external: EXTERNAL,
      logLevel: 'warn',
      output: {
        dir: made,
        format: 'esm',
        chunkFileNames: '[name]-[hash].js',
        // Without comments and spaces, but with all names: an error still shows where it happened.
        minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
      },
    })
    await mkdir(DIRECTORY, { recursive: true })
    const isEntry = (file: string) => Object.hasOwn(ENTRIES, file.replace(/\.js$/, ''))
    const files = globSync('**/*.js', { cwd: made }).toSorted(
      (a, b) => Number(isEntry(a)) - Number(isEntry(b)),
    )
    for (const file of files) {
      await escapeText(join(made, file))
      await rename(join(made, file), join(DIRECTORY, file))
    }
    await removeOld(new Set(files))
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

async function removeOld(current: ReadonlySet<string>): Promise<void> {
  const before = Date.now() - KEPT_MS
  for (const file of globSync('*.js', { cwd: DIRECTORY })) {
    const path = join(DIRECTORY, file)
    if (!current.has(file) && statSync(path).mtimeMs < before) await rm(path)
  }
}

/** Where no bundle can be built, the entry that `npm start` runs loads the sources. */
export async function writeFallback(): Promise<void> {
  await mkdir(DIRECTORY, { recursive: true })
  await writeFile(join(DIRECTORY, 'main.js'), "import '../../src/main.ts'\n")
}
