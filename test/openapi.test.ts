// The OpenAPI document: it is valid, says nothing that the schemas do not hold, and its examples can be copied.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { BATCH_EVENT } from '../src/contract/event-batch.ts'
import { EVENT_NAMES } from '../src/contract/events.ts'
import type { Route } from '../src/contract/route.ts'
import { routes } from '../src/contract/routes.ts'
import { sandboxRoutes } from '../src/contract/sandbox.ts'
import { buildOpenApi } from '../src/doors/api/openapi.ts'
import { temporaryDirectory } from './support/engines.ts'

const root = join(import.meta.dirname, '..')
const table: Route[] = [...Object.values(routes), ...Object.values<Route>(sandboxRoutes)]

/** The parts of the document that are checked here. */
interface Schema {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  examples?: unknown[]
  [keyword: string]: unknown
}
interface Operation {
  operationId: string
  parameters: { name: string; required: boolean; schema: Schema }[]
  security: Record<string, string[]>[]
  description?: string
  requestBody?: { content: { 'application/json'?: { schema: Schema }; '*/*'?: { schema: Schema } } }
}
type Methods = Record<string, Operation>
interface Document {
  paths: Record<string, Methods>
  webhooks: Record<string, Methods>
  components: { schemas: Record<string, Schema> }
}
const document = () => structuredClone(buildOpenApi(table)) as unknown as Document
const bodyOf = (operation: Operation | undefined): Schema | undefined =>
  operation?.requestBody?.content['application/json']?.schema

/** What the linter says of a document, under the rules of redocly.yaml; empty when it finds nothing. */
async function lint(text: string): Promise<string> {
  const directory = await temporaryDirectory()
  const file = join(directory, 'openapi.json')
  await writeFile(file, text)
  const linter = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  try {
    await promisify(execFile)(
      process.execPath,
      [linter, 'lint', file, '--config', join(root, 'redocly.yaml'), '--format=json'],
      // The settings say so too; a linter has no business on the net.
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    )
    return ''
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return stdout || stderr
  } finally {
    await rm(directory, { recursive: true })
  }
}

test('the linter finds nothing wrong with the document', async () => {
  assert.equal(await lint(JSON.stringify(document())), '')
})

test('the linter would find an example that does not fit its schema', async () => {
  const wrong = document()
  wrong.components.schemas.SendText = { ...wrong.components.schemas.SendText, examples: [{ number: 1 }] }
  assert.match(await lint(JSON.stringify(wrong)), /no-invalid-schema-examples/)
})

test('every body has an example, and the gateway takes it', () => {
  for (const route of table) {
    if (!route.body) continue
    const examples = route.body.meta()?.examples as unknown[] | undefined
    assert.ok(examples?.length, `${route.id} has no example`)
    for (const example of examples) {
      const parsed = route.body.safeParse(example)
      assert.ok(parsed.success, `${route.id}: ${parsed.error?.message}`)
    }
  }
})

test('every example of a body reaches the document', () => {
  const { paths, components } = document()
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const schema = bodyOf(operation)
    if (!schema) continue
    const named = components.schemas[schema.$ref?.split('/').at(-1) ?? '']
    assert.ok((named ?? schema).examples?.length, `${operation.operationId} shows no example`)
  }
})

test('a call whose body is a file says so', () => {
  const { requestBody } = document().paths['/sandbox/v1/phones/{number}/media']?.post ?? {}
  assert.deepEqual(requestBody?.content, { '*/*': { schema: { type: 'string', format: 'binary' } } })
})

test('numbers in addresses are documented as numbers, with their bounds', () => {
  const parameters = document().paths['/api/v1/contacts']?.get?.parameters
  const limit = parameters?.find((parameter) => parameter.name === 'limit')
  assert.deepEqual(
    { required: limit?.required, ...limit?.schema },
    { required: false, type: 'integer', minimum: 1, maximum: 100, default: 50, examples: [50] },
  )
})

test('a typing time may be empty, and a webhook without an instance, in the document too', () => {
  const { schemas } = document().components
  const choices = (schema: string, field: string) => schemas[schema]?.properties?.[field]?.anyOf as unknown[]
  for (const kind of ['SendText', 'SendMedia', 'SendButton', 'SendPoll', 'SendGroup'])
    assert.deepEqual(choices(kind, 'delay').slice(1), [{ type: 'null' }, { type: 'string', const: '' }])
  assert.deepEqual(choices('SaveWebhook', 'instanceName')[1], { type: 'null' })
})

test('each event that a webhook can get has its payload in the document', () => {
  const { webhooks } = document()
  assert.deepEqual(Object.keys(webhooks), [...EVENT_NAMES, BATCH_EVENT])
  const { [BATCH_EVENT]: batch, ...events } = webhooks
  for (const [name, { post }] of Object.entries(events)) {
    assert.ok(bodyOf(post)?.properties?.data?.$ref, `${name} has no schema of its data`)
  }
  assert.equal(bodyOf(batch?.post)?.$ref, '#/components/schemas/EventBatch')
})

test('every operation for keys of accounts names the scopes that are enough', () => {
  const operations = Object.values(document().paths).flatMap((methods) => Object.values(methods))
  for (const route of table.filter(({ area }) => area === 'api' || area === 'sandbox')) {
    const operation = operations.find(({ operationId }) => operationId === route.id)
    const named = operation?.security.flatMap(({ accountKey = [] }) => accountKey)
    assert.deepEqual(named, route.scopes ?? [], route.id)
    for (const scope of route.scopes ?? [])
      assert.match(operation?.description ?? '', new RegExp(`\`${scope}\``))
  }
})
