// The bill of materials of the npm package, in the form of CycloneDX 1.6. It has no time and no random number, so that two builds
// of the same sources have the same one.
import { createHash } from 'node:crypto'
import type { Fault } from './fault.ts'
import type { Component, Components } from './shipped.ts'

type Licences = [{ license: { id: string } }] | [{ expression: string }]

interface SbomComponent {
  type: 'application' | 'library'
  'bom-ref': string
  group?: string
  name: string
  version: string
  scope?: 'required' | 'optional'
  hashes?: { alg: string; content: string }[]
  licenses: Licences
  purl: string
  properties?: { name: string; value: string }[]
}

export interface Sbom {
  bomFormat: 'CycloneDX'
  specVersion: '1.6'
  serialNumber: string
  version: 1
  metadata: { component: SbomComponent }
  components: SbomComponent[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

export interface Product {
  name: string
  version: string
  license: string
  /** The SHA-256 hash of the tarball, in hexadecimal digits. */
  sha256: string
  /** Names of the packages that npm installs for it. */
  dependencies: readonly string[]
}

export function sbomOf(product: Product, components: Components): Sbom {
  const own = purlOf(product.name, product.version)
  const refs = new Map([...components].map(([path, { name, version }]) => [path, refOf(path, name, version)]))
  const refsOf = (paths: readonly string[]) => paths.map((path) => refs.get(path) ?? path).toSorted()
  const direct = [...components].filter(
    ([path, { form }]) =>
      form === 'bundled' || product.dependencies.some((name) => path === `node_modules/${name}`),
  )
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialOf(product.sha256),
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        name: product.name,
        version: product.version,
        hashes: [{ alg: 'SHA-256', content: product.sha256 }],
        licenses: licencesOf(product.license),
        purl: own,
      },
    },
    components: [...components].map(([path, component]) => libraryOf(component, refs.get(path) ?? path)),
    dependencies: [
      { ref: own, dependsOn: refsOf(direct.map(([path]) => path)) },
      ...[...components].map(([path, { needs }]) => ({
        ref: refs.get(path) ?? path,
        dependsOn: refsOf(needs),
      })),
    ],
  }
}

function libraryOf(
  { name, version, licence, integrity, form, isOptional }: Component,
  ref: string,
): SbomComponent {
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return {
    type: 'library',
    'bom-ref': ref,
    ...(group === undefined ? {} : { group }),
    name: short ?? name,
    version,
    scope: isOptional ? 'optional' : 'required',
    ...(integrity?.startsWith('sha512-')
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }] }
      : {}),
    licenses: licencesOf(licence),
    purl: purlOf(name, version),
    properties: [{ name: 'switchboard:form', value: form }],
  }
}

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** A package that is installed twice with the same version is told apart by its folder. */
const refOf = (path: string, name: string, version: string): string =>
  path === `node_modules/${name}` ? purlOf(name, version) : `${purlOf(name, version)}#${path}`

const licencesOf = (licence: string): Licences =>
  licence.includes(' ') ? [{ expression: licence }] : [{ license: { id: licence } }]

/** A UUID of version 8, made of the hash. */
function serialOf(sha256: string): string {
  const digits = createHash('sha256').update(`cyclonedx ${sha256}`).digest('hex')
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
  ]
  return `urn:uuid:${[...parts, digits.slice(20, 32)].join('-')}`
}

const NEEDED = ['type', 'bom-ref', 'name', 'version', 'licenses', 'purl', 'hashes'] as const

/** What readers of such a file rely on: every component is complete and named once, and every reference leads to one. */
export function sbomFaults(
  file: string,
  { serialNumber, metadata, components, dependencies }: Sbom,
): Fault[] {
  const texts: string[] = []
  if (!/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(serialNumber))
    texts.push(`the serial number ${serialNumber} is not a UUID`)
  const all = [metadata.component, ...components]
  const refs = new Set(all.map((component) => component['bom-ref']))
  if (refs.size < all.length) texts.push(`${all.length - refs.size} references are used twice`)
  for (const component of all) {
    const missing = NEEDED.filter((name) => !component[name] || component[name].length === 0)
    if (missing.length > 0) texts.push(`${component['bom-ref']} has no ${missing.join(', ')}`)
  }
  for (const ref of dependencies.flatMap((each) => [each.ref, ...each.dependsOn]))
    if (!refs.has(ref)) texts.push(`${ref} is a dependency and no component`)
  return texts.map((text) => ({
    file,
    text: `${text}: correct scripts/release/sbom.ts or package-lock.json`,
  }))
}
