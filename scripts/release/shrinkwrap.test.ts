// The lock file of the npm package: exactly what npm installs beside the bundle, with hashes and without install scripts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultLine } from './fault.ts'
import { type Lock, leftOutFaults } from './shipped.ts'
import { pinnedDependencies, shrinkwrapFaults, shrinkwrapOf } from './shrinkwrap.ts'

const integrity = `sha512-${Buffer.alloc(64, 7).toString('base64')}`
const locked = { version: '1.0.0', license: 'MIT', integrity }
const direct = { dependencies: { native: '^1.0.0' }, optionalDependencies: { runtime: '26.0.0' } }
const packed = {
  name: 'gateway',
  version: '1.2.0',
  license: 'Apache-2.0',
  engines: { node: '>=20' },
  bin: { gateway: 'bin/gateway.js' },
  dependencies: { native: '1.0.0', shared: '1.0.0' },
  optionalDependencies: { runtime: '26.0.0' },
}
const described = { ...packed, ...direct }
const lock: Lock = {
  version: '1.2.0',
  packages: {
    '': { version: '1.2.0' },
    'node_modules/bundled': locked,
    'node_modules/native': { ...locked, dependencies: { shared: '^1.0.0' } },
    'node_modules/shared': { ...locked, devOptional: true },
    'node_modules/runtime': { ...locked, version: '26.0.0', optional: true },
    'node_modules/for-development': { ...locked, dev: true, hasInstallScript: true },
  },
}

describe('the versions beside the bundle', () => {
  test('package.json names every installed package in its exact version', () => {
    const { dependencies, optionalDependencies } = packed
    assert.deepEqual(pinnedDependencies(lock, direct), { dependencies, optionalDependencies })
  })

  test('a package that is nested because this project has another version is named as well', () => {
    const nested = { 'node_modules/shared': { ...locked, version: '2.0.0' } }
    const below = { 'node_modules/native/node_modules/shared': locked }
    const packages = { ...lock.packages, ...nested, ...below }
    assert.equal(pinnedDependencies({ ...lock, packages }, direct).dependencies['shared'], '1.0.0')
  })

  test('two versions of one package cannot be named, and are refused', () => {
    const below = { 'node_modules/native/node_modules/shared': { ...locked, version: '2.0.0' } }
    const runtime = { ...locked, version: '26.0.0', dependencies: { shared: '1' } }
    const packages = { ...lock.packages, ...below, 'node_modules/runtime': runtime }
    assert.throws(() => pinnedDependencies({ ...lock, packages }, direct), /has shared 2.0.0 and 1.0.0/)
  })
})

describe('the lock file of the npm package', () => {
  test('it has what the package depends on, as package-lock.json has it, and nothing else', () => {
    const { packages } = shrinkwrapOf(lock, described)
    assert.deepEqual(packages, {
      '': packed,
      'node_modules/native': { ...locked, dependencies: { shared: '^1.0.0' } },
      'node_modules/runtime': { ...locked, version: '26.0.0', optional: true },
      'node_modules/shared': locked,
    })
  })

  test('a package without a hash, or with an install script, is a fault', () => {
    assert.deepEqual(shrinkwrapFaults(shrinkwrapOf(lock, described)), [])
    const { integrity: _integrity, ...unhashed } = locked
    const packages = { ...lock.packages, 'node_modules/native': { ...unhashed, hasInstallScript: true } }
    assert.deepEqual(shrinkwrapFaults(shrinkwrapOf({ ...lock, packages }, described)).map(faultLine), [
      'lock/npm-shrinkwrap.json: node_modules/native has no hash: run npm install',
      'lock/npm-shrinkwrap.json: node_modules/native has an install script: replace it, or put it into the bundle',
    ])
  })
})

describe('the content of the bundle', () => {
  test('a file that must be left out is named', () => {
    const sources = ['/x/node_modules/library/kept.js', '/x/node_modules/library/old/cipher.js']
    assert.deepEqual(leftOutFaults(sources, /\/library\/new\//), [])
    assert.deepEqual(leftOutFaults(sources, /\/library\/old\//).map(faultLine), [
      'scripts/server-bundle.ts: the bundle contains /x/node_modules/library/old/cipher.js, which must be left out: correct the plugin',
    ])
  })
})
