// The OpenAPI document is consistent: its references resolve, its examples match, and the server serves it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { routes } from '../src/contract/routes.ts'
import { buildOpenApi } from '../src/doors/api/openapi.ts'
import { listed } from './contract/sample-calls.ts'
import { engines } from './support/engines.ts'
import { startGateway } from './support/gateway.ts'

type Json = Record<string, unknown>
interface Operation {
  operationId: string
  parameters?: { name: string; in: string; schema: Json }[]
  responses: Record<string, unknown>
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

const document = buildOpenApi(Object.values(routes)) as unknown as Document
const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((path) =>
  Object.values(path),
)

/** Every object in a value, with the path to it. */
function* objects(value: unknown, path = '#'): Generator<[path: string, object: Json]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Json]
  for (const [key, child] of Object.entries(value)) yield* objects(child, `${path}/${key}`)
}

/** Resolves a reference within the document. */
function resolve($ref: string): unknown {
  const [start, ...keys] = $ref.split('/')
  let found: unknown = start === '#' ? document : undefined
  for (const key of keys)
    found = (found as Json | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')]
  return found
}

/** A validator built from a schema of the document. */
function validator(schema: Json): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas })
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
}

describe('the OpenAPI document is consistent', () => {
  test('operation ids are unique', () => {
    const ids = operations.map((operation) => operation.operationId)
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    )
    assert.ok(ids.length > listed.length, 'webhooks have operations too')
  })

  test('every $ref resolves', () => {
    const references = [...objects(document)].flatMap(([path, { $ref }]) =>
      typeof $ref === 'string' ? [{ path, $ref }] : [],
    )
    assert.ok(references.length > 100)
    assert.deepEqual(
      references.filter(({ $ref }) => resolve($ref) === undefined),
      [],
    )
  })

  test('every named schema is used', () => {
    const text = JSON.stringify(document)
    const unused = Object.keys(document.components.schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    )
    assert.deepEqual(unused, [])
  })

  test('every example matches its schema', () => {
    let examples = 0
    for (const [path, schema] of objects(document)) {
      if (!Array.isArray(schema.examples)) continue
      const check = validator(schema)
      for (const example of schema.examples) {
        examples += 1
        const result = check.safeParse(example)
        assert.ok(
          result.success,
          `${path}: ${JSON.stringify(example)}: ${JSON.stringify(result.error?.issues)}`,
        )
      }
    }
    assert.ok(examples > 50, `only ${examples} examples found`)
  })

  test('the declared path parameters are exactly those in the path', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      for (const { operationId, parameters = [] } of Object.values(methods)) {
        const declaredNames = parameters
          .filter((parameter) => parameter.in === 'path')
          .map((parameter) => parameter.name)
        assert.deepEqual(declaredNames.sort(), inPath.toSorted(), operationId)
      }
    }
  })

  test('the server serves this document', async () => {
    const [engine] = engines
    assert.ok(engine)
    const gateway = await startGateway(engine)
    try {
      const answer = await fetch(new URL('/openapi.json', gateway.url))
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
      assert.deepEqual(await answer.json(), JSON.parse(JSON.stringify(document)))
      assert.match(document.openapi, /^3\.1\./)
    } finally {
      await gateway.stop()
    }
  })
})
