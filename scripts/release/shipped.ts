// The packages that a user of the npm package gets: those whose code is in the bundle, and those that npm installs beside it.
import { dirname } from 'node:path/posix'
import type { Fault } from './fault.ts'

/** A package of package-lock.json. */
export interface LockedPackage {
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  peer?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

export interface Lock {
  version: string
  packages: Record<string, LockedPackage>
}

export interface Component {
  name: string
  version: string
  /** As package-lock.json has it; empty where none is named. */
  licence: string
  /** As package-lock.json has it. */
  integrity: string | undefined
  form: 'bundled' | 'installed'
  /** npm installs it only where it fits the platform. */
  isOptional: boolean
  /** Keys of other components. */
  needs: string[]
}

/** By their path in package-lock.json, such as `node_modules/sharp`. */
export type Components = Map<string, Component>

export interface Shipped {
  /** Paths of the packages in the bundle. */
  bundled: readonly string[]
  /** Names in the package.json of the npm package. */
  dependencies: readonly string[]
  optionalDependencies: readonly string[]
}

export function componentsOf(
  lock: Lock,
  { bundled, dependencies, optionalDependencies }: Shipped,
): Components {
  const found: Components = new Map()
  for (const path of bundled) found.set(path, componentAt(lock, path, 'bundled', false))
  const install = (path: string | undefined, isOptional: boolean): void => {
    if (path === undefined) return
    const known = found.get(path)
    // What one package needs always, and another where it fits, is installed always.
    if (known && (known.form === 'bundled' || !known.isOptional || isOptional)) return
    found.set(path, componentAt(lock, path, 'installed', isOptional))
    const { dependencies: always = {}, optionalDependencies: perhaps = {} } = lock.packages[path] ?? {}
    for (const name of Object.keys(always)) install(resolve(lock, path, name), isOptional || name in perhaps)
    for (const name of Object.keys(perhaps)) install(resolve(lock, path, name), true)
  }
  for (const name of dependencies) install(mustResolve(lock, name), false)
  for (const name of optionalDependencies) install(mustResolve(lock, name), true)
  for (const [path, component] of found)
    component.needs = needsOf(lock, path).filter((other) => found.has(other))
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function componentAt(lock: Lock, path: string, form: Component['form'], isOptional: boolean): Component {
  const { version, license = '', integrity } = lock.packages[path] ?? {}
  if (version === undefined) throw new Error(`package-lock.json: has no ${path}; run npm install`)
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return { name, version, licence: license, integrity, form, isOptional, needs: [] }
}

const needsOf = (lock: Lock, path: string): string[] => {
  const { dependencies = {}, optionalDependencies = {} } = lock.packages[path] ?? {}
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap(
    (name) => resolve(lock, path, name) ?? [],
  )
}

/** As Node does: in the package's own folder, then in each one above it. Undefined: not installed, or a part of this project. */
function resolve(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = `${folder === '.' ? '' : `${folder}/`}node_modules/${name}`
    const found = folder.endsWith('node_modules') ? undefined : lock.packages[path]
    if (found) return found.link ? undefined : path
    if (folder === '.') return undefined
  }
}

function mustResolve(lock: Lock, name: string): string {
  const path = resolve(lock, '.', name)
  if (path === undefined) throw new Error(`package-lock.json: has no ${name}; run npm install`)
  return path
}

/** `sources` are the files whose code is in the bundle. */
export const leftOutFaults = (sources: readonly string[], leftOut: RegExp): Fault[] =>
  sources
    .filter((source) => leftOut.test(source))
    .map((source) => ({
      file: 'scripts/server-bundle.ts',
      text: `the bundle contains ${source}, which must be left out: correct the plugin`,
    }))
