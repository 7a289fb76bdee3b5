// The clients have every call of the contract, and their generated files are current.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { endpoint, routesOf } from '../../src/contract/route.ts'
import { generatedFiles } from '../clients.ts'
import { clientRoutes, readDocument, snake } from './document.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

describe('generated files of the clients', () => {
  for (const [path, text] of Object.entries(generatedFiles()))
    test(`${path} is current (npm run docs:clients)`, () => {
      assert.ok(existsSync(join(root, path)))
      assert.ok(read(path) === text, 'it differs from what the contract gives')
    })

  test('a route that is new in the contract changes the files of every client', () => {
    const before = generatedFiles()
    const added = routesOf('api', {
      plantedCall: [
        'POST',
        '/planted/{id}',
        ['send'],
        'chat',
        endpoint({ ...PLANTED, params: z.object({ id: z.string() }) }),
      ],
    })
    const after = generatedFiles(readDocument([...clientRoutes(), added.plantedCall]))
    const changed = Object.keys(after).filter((path) => after[path] !== before[path])
    for (const [client, name] of Object.entries(METHOD))
      assert.ok(
        changed.some((path) => path.startsWith(client) && after[path]?.includes(name('plantedCall'))),
        client,
      )
  })

  test('a name that is both in the path and in the body is refused', () => {
    const body = z.strictObject({ id: z.string() })
    const added = routesOf('api', {
      plantedCall: [
        'POST',
        '/planted/{id}',
        ['send'],
        'chat',
        endpoint({ ...PLANTED, body, params: z.object({ id: z.string() }) }),
      ],
    })
    assert.throws(
      () => readDocument([...clientRoutes(), added.plantedCall]),
      /plantedCall: path and body both have id/,
    )
  })
})

const PLANTED = {
  tag: 'Sending',
  summary: 'Planted',
  answer: z.object({ done: z.boolean() }),
  reasons: [],
} as const

/** How each client writes the method of a route. */
const METHOD: Record<string, (id: string) => string> = {
  'clients/typescript': (id) => ` ${id}(`,
  'clients/python': (id) => `"${snake(id)}"`,
  'clients/php': (id) => `'${id}' =>`,
}

describe('calls of the contract', () => {
  const files = Object.keys(generatedFiles())
  for (const [client, method] of Object.entries(METHOD))
    test(`${client} has every one`, () => {
      const text = files
        .filter((path) => path.startsWith(client))
        .map(read)
        .join('\n')
      assert.ok(clientRoutes().length > 150)
      assert.deepEqual(
        clientRoutes()
          .map(({ id }) => id)
          .filter((id) => !text.includes(method(id))),
        [],
      )
    })
})
