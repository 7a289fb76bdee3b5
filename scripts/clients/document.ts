// What the generators of the clients read from the OpenAPI document: named schemas, and one flat input per operation.
import type { Route } from '../../src/contract/route.ts'
import { routes } from '../../src/contract/routes.ts'
import { sandboxRoutes } from '../../src/contract/sandbox.ts'
import { buildOpenApi } from '../../src/doors/api/openapi.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  format?: string
  description?: string
}

export interface Operation {
  id: string
  method: string
  /** Its parameters are fields of the input, by the same name. */
  path: string
  /** Fields of the input that go into the query. */
  query: string[]
  /** All other fields; `file` is a field of this name. */
  body: 'none' | 'json' | 'file'
  needsKey: boolean
  isIdempotent: boolean
  waits: boolean
  /** Path, query and body in one object; a reference if the body is all there is. Undefined: the call takes nothing. */
  input: Schema | undefined
  answer: Schema | 'file' | 'stream'
  /** The list in an answer that has pages. */
  pageOf: string | undefined
  summary: string
  /** The chapter of the reference. */
  tag: string
}

export interface ClientDocument {
  version: string
  schemas: Record<string, Schema>
  operations: Operation[]
  eventNames: string[]
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}
type Content = Record<string, { schema: Schema }>
interface DocumentedOperation {
  operationId: string
  tags: string[]
  summary: string
  security: object[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content: Content }>
}
interface OpenApi {
  info: { version: string }
  paths: Record<string, Record<string, DocumentedOperation>>
  webhooks: Record<string, unknown>
  components: { schemas: Record<string, Schema> }
}

/** Parameters of a path whose name is also a field of the body, with their name in the clients. */
const RENAMED: Record<string, Record<string, string>> = {
  sandboxSaveContact: { number: 'owner' },
  sandboxBlock: { number: 'owner' },
}

/** A key is exchanged for a cookie there, for pages in a browser; a client has the key. */
const isForClients = ({ area }: Route): boolean => area !== 'session'

export const clientRoutes = (): Route[] =>
  [...Object.values<Route>(routes), ...Object.values<Route>(sandboxRoutes)].filter(isForClients)

export function readDocument(table: readonly Route[] = clientRoutes()): ClientDocument {
  const document = buildOpenApi(table) as unknown as OpenApi
  const { schemas } = document.components
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(path, method, operation, schemas)),
  )
  return {
    version: document.info.version,
    schemas,
    operations,
    eventNames: Object.keys(document.webhooks),
  }
}

export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

function readOperation(
  path: string,
  method: string,
  operation: DocumentedOperation,
  schemas: Record<string, Schema>,
): Operation {
  const { operationId: id, requestBody } = operation
  const renamed = RENAMED[id] ?? {}
  const parameters = operation.parameters.filter((parameter) => parameter.in !== 'header')
  for (const each of parameters) if (each.in === 'path') each.name = renamed[each.name] ?? each.name
  const headers = new Set(operation.parameters.map(({ name }) => name))
  const json = requestBody?.content['application/json']?.schema
  const answer = answerOf(operation)
  const answerBody = typeof answer === 'string' ? {} : resolved(answer, schemas)
  const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name)
  return {
    id,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${renamed[name] ?? name}}`),
    query,
    body: requestBody === undefined ? 'none' : json === undefined ? 'file' : 'json',
    needsKey: operation.security.length > 0,
    isIdempotent: headers.has('Idempotency-Key'),
    waits: headers.has('Prefer'),
    input: inputOf(id, parameters, requestBody, schemas),
    answer,
    pageOf: query.includes('page') ? listIn(answerBody) : undefined,
    summary: operation.summary,
    tag: operation.tags[0] ?? '',
  }
}

function answerOf({ responses }: DocumentedOperation): Operation['answer'] {
  const content = responses['200']?.content ?? {}
  if ('text/event-stream' in content) return 'stream'
  return content['application/json']?.schema ?? 'file'
}

const listIn = ({ properties = {} }: Schema): string | undefined =>
  Object.keys(properties).find((name) => properties[name]?.type === 'array')

export const resolved = (schema: Schema, schemas: Record<string, Schema>): Schema =>
  schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? {})

/** Fields that every upload takes. */
const FILE_FIELDS: Record<string, Schema> = {
  file: { type: 'file', description: 'The bytes of the file' },
  contentType: { type: 'string', description: 'Media type of the file' },
}

function inputOf(
  id: string,
  parameters: Parameter[],
  requestBody: DocumentedOperation['requestBody'],
  schemas: Record<string, Schema>,
): Schema | undefined {
  const json = requestBody?.content['application/json']?.schema
  if (json !== undefined && parameters.length === 0 && requestBody?.required) return json
  if (parameters.length === 0 && requestBody === undefined) return undefined
  const body: Schema =
    requestBody === undefined
      ? {}
      : json === undefined
        ? { properties: FILE_FIELDS, required: ['file'] }
        : resolved(json, schemas)
  if (requestBody !== undefined && body.properties === undefined)
    throw new Error(`${id}: a body without fields cannot be joined with parameters`)
  const taken = parameters.filter(({ name }) => body.properties?.[name] !== undefined)
  if (taken.length > 0)
    throw new Error(`${id}: path and body both have ${taken[0]?.name}; name one in RENAMED`)
  const fields = parameters.map(({ name, schema, description }) => [
    name,
    description === undefined ? schema : { ...schema, description },
  ])
  const required = parameters.filter((each) => each.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: { ...(Object.fromEntries(fields) as Record<string, Schema>), ...body.properties },
    required: requestBody?.required ? [...required, ...(body.required ?? [])] : required,
    additionalProperties: false,
  }
}

export const pascal = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1)
export const snake = (id: string): string => id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `listMessages` → `iterateMessages`, `adminListPlans` → `adminIteratePlans`. */
export const iteratorName = (id: string, verb = 'iterate'): string =>
  id.replace(/list|List/, (found) => (found === 'list' ? verb : pascal(verb)))

export const isNullable = ({ type, anyOf = [] }: Schema): boolean =>
  [type].flat().includes('null') || anyOf.some(isNullable)
