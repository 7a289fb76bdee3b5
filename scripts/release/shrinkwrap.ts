// The versions that npm installs beside the bundle (decision 0126): package.json of the npm package names each of them exactly, and a
// lock file adds their hashes. Both come from package-lock.json.
import type { Fault } from './fault.ts'
import { type Component, componentsOf, type Lock, type LockedPackage } from './shipped.ts'

/** Not in the root of the package: npm would then install the packages of all platforms, five copies of Node among them. */
export const SHRINKWRAP = 'lock/npm-shrinkwrap.json'

/** What package.json of the npm package says about itself, with the packages that its programs import. */
export interface PackedDescription {
  name: string
  version: string
  license: string
  engines: Record<string, string>
  bin: Record<string, string>
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

export interface Shrinkwrap {
  name: string
  version: string
  lockfileVersion: 3
  requires: true
  packages: Record<string, LockedPackage>
}

type Dependencies = Pick<PackedDescription, 'dependencies' | 'optionalDependencies'>

/** Everything that npm installs, each in its exact version: npm has no other choice, whichever way it gets the package. */
export function pinnedDependencies(lock: Lock, direct: Dependencies): Dependencies {
  const installed = installedComponents(lock, direct)
  const versionsOf = (isOptional: boolean) =>
    Object.fromEntries(
      installed
        .filter(({ component }) => component.isOptional === isOptional)
        .map(({ component: { name, version } }) => [name, version]),
    )
  return { dependencies: versionsOf(false), optionalDependencies: versionsOf(true) }
}

interface Installed {
  component: Component
  locked: LockedPackage
}

/** In the order of their names. Each has one version, also where this project has another one for its own use. */
function installedComponents(lock: Lock, { dependencies, optionalDependencies }: Dependencies): Installed[] {
  const components = componentsOf(lock, {
    bundled: [],
    dependencies: Object.keys(dependencies),
    optionalDependencies: Object.keys(optionalDependencies),
  })
  const byName = new Map<string, Installed>()
  for (const [path, component] of components) {
    const { name, version } = component
    const known = byName.get(name)?.component
    if (known && known.version !== version)
      throw new Error(
        `package-lock.json: has ${name} ${known.version} and ${version}; package.json can name one`,
      )
    const isOptional = component.isOptional && (known?.isOptional ?? true)
    byName.set(name, { component: { ...component, isOptional }, locked: lock.packages[path] ?? {} })
  }
  return [...byName.values()].toSorted((a, b) => (a.component.name < b.component.name ? -1 : 1))
}

export function shrinkwrapOf(lock: Lock, direct: PackedDescription): Shrinkwrap {
  const { name, version, license, engines, bin } = direct
  const installed = installedComponents(lock, direct).map(({ component, locked }) => [
    `node_modules/${component.name}`,
    entryOf(locked, component.isOptional),
  ])
  const own = { name, version, license, ...pinnedDependencies(lock, direct), bin, engines }
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': own, ...(Object.fromEntries(installed) as Record<string, LockedPackage>) },
  }
}

/** Which packages are needed for development, and which are optional, differs between this project and the package. */
function entryOf(locked: LockedPackage, isOptional: boolean): LockedPackage {
  const { dev: _dev, devOptional: _devOptional, peer: _peer, optional: _optional, ...entry } = locked
  return isOptional ? { ...entry, optional: true } : entry
}

/** Every package has a hash, and none needs a script at install: installations with `--ignore-scripts` are complete. */
export function shrinkwrapFaults({ packages }: Shrinkwrap): Fault[] {
  return Object.entries(packages).flatMap(([path, { integrity, hasInstallScript }]) => {
    if (path === '') return []
    const texts = [
      ...(integrity === undefined ? ['has no hash: run npm install'] : []),
      ...(hasInstallScript ? ['has an install script: replace it, or put it into the bundle'] : []),
    ]
    return texts.map((text) => ({ file: SHRINKWRAP, text: `${path} ${text}` }))
  })
}
