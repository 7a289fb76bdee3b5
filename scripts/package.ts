// Assembles the npm package in dist/package, and packs it. It contains the bundle of the programs, the built dashboard and the
// migrations, and depends only on the packages that cannot be part of a bundle.
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buildDashboard } from './dashboard.ts'
import { licencesOf } from './licences.ts'
import type { Lock } from './release/shipped.ts'
import { pinnedDependencies, SHRINKWRAP, shrinkwrapOf } from './release/shrinkwrap.ts'
import { buildPackagePrograms, EXTERNAL } from './server-bundle.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'dist/package')

export const BINS = ['switchboard', 'switchboard-gateway', 'switchboard-sandbox']
/** Copied as they are. */
const COPIED = ['bin', 'migrations', 'README.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE']

const LICENCES = 'THIRD-PARTY-LICENCES.txt'

export interface Description {
  name: string
  version: string
  description: string
  license: string
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

/** What npm reads of the installed package: no development packages, and no scripts that run at install. */
export const describe = (own: Description) => ({
  name: own.name,
  version: own.version,
  description: own.description,
  license: own.license,
  type: 'module',
  // The launcher runs under this version, and starts the programs under the version of the optional dependency.
  engines: { node: '>=20' },
  bin: Object.fromEntries(BINS.map((name) => [name, `bin/${name}.js`])),
  files: [...COPIED, 'dashboard/dist', 'dist/server', LICENCES, SHRINKWRAP],
  dependencies: Object.fromEntries(
    Object.entries(own.dependencies).filter(([name]) => EXTERNAL.includes(name)),
  ),
  optionalDependencies: own.optionalDependencies,
})

export interface BuiltPackage {
  /** The path of the file. */
  tarball: string
  /** The files whose code is in the bundle. */
  sources: string[]
}

export async function buildPackage(): Promise<BuiltPackage> {
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  const sources = [
    ...(await buildDashboard(join(target, 'dashboard/dist'))),
    ...(await buildPackagePrograms()),
  ]
  for (const path of COPIED) await cp(join(root, path), join(target, path), { recursive: true })
  for (const name of BINS) chmodSync(join(target, 'bin', `${name}.js`), 0o755)
  const lock = (await readJson('package-lock.json')) as Lock
  const description = describe((await readJson('package.json')) as Description)
  await writeJson('package.json', { ...description, ...pinnedDependencies(lock, description) })
  await mkdir(dirname(join(target, SHRINKWRAP)))
  await writeJson(SHRINKWRAP, shrinkwrapOf(lock, description))
  await writeFile(join(target, LICENCES), await licencesOf(root, sources))
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', join(root, 'dist')], {
    cwd: target,
    encoding: 'utf8',
  })
  const [packed] = JSON.parse(output) as { filename: string }[]
  return { tarball: join(root, 'dist', packed?.filename ?? ''), sources }
}

const readJson = async (path: string): Promise<unknown> =>
  JSON.parse(await readFile(join(root, path), 'utf8'))

const writeJson = (path: string, content: unknown): Promise<void> =>
  writeFile(join(target, path), `${JSON.stringify(content, null, 2)}\n`)

if (import.meta.main) process.stdout.write(`${(await buildPackage()).tarball}\n`)
