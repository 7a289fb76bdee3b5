// The layers of the sandbox: a file imports from its own layer and from the layers below it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, test } from 'node:test'
import { importsOf, type Source } from './support/imports.ts'

const SANDBOX = 'sandbox/'

/** From the bottom to the top. The files beside the folders, main.ts among them, are the top layer. */
const LAYERS: readonly string[] = [
  // Types, addresses and small mechanisms without input or output.
  'model',
  // Bytes of the protocol: frames, handshake, stanzas, signatures.
  'wire',
  // The database and the media files.
  'store',
  // Routing and delivery between devices, groups, pairing, faults.
  'network',
  // Simulated phones.
  'phones',
  // Answers to the queries of clients.
  'queries',
  // Sockets and the media host.
  'server',
  // The HTTP API that controls the sandbox.
  'api',
  'top',
]

const root = join(import.meta.dirname, '..')
const sandbox: Source[] = globSync(`${SANDBOX}**/*.ts`, { cwd: root })
  .map((file) => ({ path: file.split(sep).join('/'), text: readFileSync(join(root, file), 'utf8') }))
  .filter(({ path }) => !path.endsWith('.test.ts'))

function layerOf(path: string): string {
  const [first = '', ...rest] = path.slice(SANDBOX.length).split('/')
  return rest.length === 0 ? 'top' : first
}

function upwardImports(files: readonly Source[]): string[] {
  return files
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith(SANDBOX))
    .flatMap(({ from, to }) => {
      const own = LAYERS.indexOf(layerOf(from))
      const target = LAYERS.indexOf(layerOf(to))
      if (own === -1 || target === -1) return [`${from} imports ${to}: a folder that is not a layer`]
      return target > own ? [`${from} imports ${to}: a layer above its own`] : []
    })
}

describe('the layers of the sandbox', () => {
  test('every file imports from its own layer and from the layers below it', () => {
    assert.ok(sandbox.length > 50, 'the sources were found')
    assert.deepEqual(upwardImports(sandbox), [])
  })

  test('every layer has files', () => {
    const empty = LAYERS.filter((layer) => !sandbox.some(({ path }) => layerOf(path) === layer))
    assert.deepEqual(empty, [])
  })

  const planted: [text: string, path: string][] = [
    ["import { send } from '../phones/send.ts'", 'network/planted.ts'],
    ["import type { Phone } from '../phones/phone.ts'", 'store/planted.ts'],
    ["export * from '../api/view.ts'", 'queries/planted.ts'],
    ["import { startSandbox } from '../sandbox.ts'", 'api/planted.ts'],
    ["import { stanza } from '../wire/stanza.ts'", 'new-folder/planted.ts'],
  ]
  for (const [text, file] of planted) {
    test(`the check finds: ${text} in ${file}`, () => {
      assert.equal(upwardImports([{ path: `${SANDBOX}${file}`, text }]).length, 1)
    })
  }

  test('the check lets imports of lower layers and of the same layer through', () => {
    const text = "import { stanza } from '../wire/stanza.ts'\nimport { deliver } from './delivery.ts'"
    assert.deepEqual(upwardImports([{ path: `${SANDBOX}network/planted.ts`, text }]), [])
  })
})
