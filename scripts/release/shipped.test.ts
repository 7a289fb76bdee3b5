// The rules for the shipped packages: which they are, their licences, and the bill of materials.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultLine } from './fault.ts'
import { licenceFaults } from './licence-rules.ts'
import { type Sbom, sbomFaults, sbomOf } from './sbom.ts'
import { type Component, componentsOf, type Lock } from './shipped.ts'

const integrity = `sha512-${Buffer.alloc(64, 7).toString('base64')}`
const locked = { version: '1.0.0', license: 'MIT', integrity }
const lock: Lock = {
  version: '1.2.0',
  packages: {
    '': { version: '1.2.0' },
    'node_modules/bundled': locked,
    'node_modules/native': {
      ...locked,
      dependencies: { shared: '^2.0.0', own: '*' },
      optionalDependencies: { '@native/linux': '1.0.0' },
    },
    'node_modules/native/node_modules/shared': { ...locked, version: '2.0.0' },
    'node_modules/shared': locked,
    'node_modules/@native/linux': { ...locked, dependencies: { shared: '^1.0.0' } },
    'node_modules/own': { link: true },
    'node_modules/for-development': { ...locked, license: 'GPL-3.0' },
  },
}
const shipped = { bundled: ['node_modules/bundled'], dependencies: ['native'], optionalDependencies: [] }
const product = {
  name: 'gateway',
  version: '1.2.0',
  license: 'Apache-2.0',
  sha256: 'ab'.repeat(32),
  dependencies: ['native'],
}

describe('the shipped packages', () => {
  test('they are the bundled ones and what npm installs, each in the version that it resolves to', () => {
    const components = componentsOf(lock, shipped)
    assert.deepEqual(
      [...components].map(([path, { form, version, isOptional }]) => [path, form, version, isOptional]),
      [
        ['node_modules/@native/linux', 'installed', '1.0.0', true],
        ['node_modules/bundled', 'bundled', '1.0.0', false],
        ['node_modules/native', 'installed', '1.0.0', false],
        ['node_modules/native/node_modules/shared', 'installed', '2.0.0', false],
        ['node_modules/shared', 'installed', '1.0.0', true],
      ],
    )
    assert.deepEqual(components.get('node_modules/native')?.needs, [
      'node_modules/native/node_modules/shared',
      'node_modules/@native/linux',
    ])
  })

  test('a package that is not locked is named', () => {
    assert.throws(
      () => componentsOf(lock, { ...shipped, dependencies: ['gone'] }),
      /has no gone; run npm install/,
    )
  })
})

describe('licences', () => {
  const faultsOf = (change: Partial<Component>, notice = 'libvips') => {
    const component = {
      name: 'some',
      version: '1.0.0',
      licence: 'MIT',
      integrity,
      isOptional: false,
      needs: [],
    }
    return licenceFaults(new Map([['x', { ...component, form: 'installed', ...change }]]), notice).map(
      faultLine,
    )
  }

  test('those of the list are accepted, alone, together, and as one choice of several', () => {
    for (const licence of ['MIT', 'Apache-2.0 AND MIT', '(MIT OR GPL-3.0)'])
      assert.deepEqual(faultsOf({ licence }), [])
  })

  test('others, and none at all, are refused with the package and the remedy', () => {
    for (const licence of [
      'GPL-3.0',
      'MIT AND GPL-3.0',
      'GPL-3.0 OR AGPL-3.0',
      'MIT AND (ISC OR GPL-3.0)',
      'UNLICENSED',
    ])
      assert.match(
        faultsOf({ licence })[0] ?? '',
        /^package-lock\.json: some 1\.0\.0 \(installed\) is under .*: replace it/,
      )
    assert.match(faultsOf({ licence: '' })[0] ?? '', /names no licence/)
  })

  test('an exception holds for its package, outside of the bundle, if NOTICE names it', () => {
    const libvips = { name: '@img/sharp-libvips-linux-x64', licence: 'LGPL-3.0-or-later' }
    assert.deepEqual(faultsOf(libvips), [])
    assert.equal(faultsOf({ ...libvips, name: 'another' }).length, 1)
    assert.equal(faultsOf({ ...libvips, form: 'bundled' }).length, 1)
    assert.equal(faultsOf({ ...libvips, licence: 'GPL-3.0' }).length, 1)
    assert.match(faultsOf(libvips, '')[0] ?? '', /^NOTICE: does not name libvips/)
  })
})

describe('the bill of materials', () => {
  const made = (): Sbom => sbomOf(product, componentsOf(lock, shipped))

  test('it is complete, and the same for the same tarball', () => {
    assert.deepEqual(sbomFaults('x', made()), [])
    assert.deepEqual(made(), made())
    assert.notEqual(
      sbomOf({ ...product, sha256: 'cd'.repeat(32) }, new Map()).serialNumber,
      made().serialNumber,
    )
  })

  test('it has name, hash, licence and dependencies in the form of CycloneDX', () => {
    const { components, dependencies, metadata } = made()
    assert.equal(metadata.component.purl, 'pkg:npm/gateway@1.2.0')
    assert.deepEqual(components[0], {
      type: 'library',
      'bom-ref': 'pkg:npm/%40native/linux@1.0.0',
      group: '@native',
      name: 'linux',
      version: '1.0.0',
      scope: 'optional',
      hashes: [{ alg: 'SHA-512', content: '07'.repeat(64) }],
      licenses: [{ license: { id: 'MIT' } }],
      purl: 'pkg:npm/%40native/linux@1.0.0',
      properties: [{ name: 'switchboard:form', value: 'installed' }],
    })
    assert.deepEqual(dependencies[0]?.dependsOn, ['pkg:npm/bundled@1.0.0', 'pkg:npm/native@1.0.0'])
  })

  test('a missing hash, a repeated reference and an unknown one are found', () => {
    const faultsOf = (change: (sbom: Sbom) => void): string => {
      const sbom = made()
      change(sbom)
      return sbomFaults('x', sbom).map(faultLine).join('\n')
    }
    assert.match(
      faultsOf(({ components }) => delete components[1]?.hashes),
      /^x: pkg:npm\/bundled@1\.0\.0 has no hashes/,
    )
    assert.match(
      faultsOf(({ components }) => components.push(components[0]!)),
      /1 references are used twice/,
    )
    assert.match(
      faultsOf(({ components }) => components.pop()),
      /is a dependency and no component/,
    )
    assert.match(
      faultsOf((sbom) => Object.assign(sbom, { serialNumber: 'x' })),
      /is not a UUID/,
    )
  })
})
