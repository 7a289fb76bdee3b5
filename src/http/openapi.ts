// The OpenAPI document, made from the table of routes. By hand, because the table already holds every status and the
// webhook payloads, which a document derived from a running server would have to be told again.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { DELIVERY_HEADERS, EVENT_NAMES, eventBody } from '../contract/events.ts'
import { type DeclaredReason, sentenceOf, statusOf } from '../contract/reasons.ts'
import {
  ErrorBody,
  fullPath,
  isFileAnswer,
  isStreamAnswer,
  type Route,
  reasonsOf,
} from '../contract/route.ts'
import { API_VERSION, PRODUCT } from '../contract/version.ts'

type Json = Record<string, unknown>
type Side = 'input' | 'output'
type Write = (schema: z.ZodType, side: Side) => Json

const TAGS: Record<string, string> = {
  Sending:
    'Every kind of message. An answer of 200 means that the message is on disk and will be sent or reported failed.',
  Messages: 'What became of messages.',
  Instances: 'Sessions of the messaging network: make them, connect them, watch them, remove them.',
  Images: 'Images for a page: the login code and the profile picture. Here the key may stand in the address.',
  Contacts: 'Saved contacts, chats, groups and number checks, each of one instance.',
  Account: 'Plan, subscription, usage and limits of the account.',
  'API keys': 'The keys of the account, with scopes, expiry and rotation.',
  Webhooks: 'Where events are delivered.',
  Events: 'What has happened, in order: to be read from any point, or followed as it happens.',
  'Operator: plans': 'What accounts are allowed.',
  'Operator: accounts': 'Accounts and their subscriptions.',
  'Operator: users': 'The people of an account.',
  'Operator: keys': 'The keys of any account.',
  'Signing in': 'How the dashboard signs in: a key is exchanged for a cookie that no script can read.',
  'Sandbox: phones':
    'People of the simulated world: what their phones show, and what they do. Only with `NETWORK=sandbox`.',
  'Sandbox: groups': 'Groups of the simulated world, and what their members do.',
  'Sandbox: network': 'The simulated network itself: faults, addressing, and what went over the wire.',
  System: 'For probes and scrapers. No key is needed.',
}

const header = (description: string): Json => ({ description, schema: { type: 'string' } })
const HEADERS: Record<string, Json> = {
  'X-Request-Id': header('Names the request; the log has it too'),
  'RateLimit-Policy': header('Requests in a burst (`q`) and the seconds it takes to regain them (`w`)'),
  RateLimit: header('Requests left (`r`) and the seconds until all are regained (`t`)'),
  'Idempotency-Replayed': header('`true` when this is the answer to an earlier request with the same key'),
  'Preference-Applied': header('`wait=N` when the answer waited for the outcome, up to N seconds'),
  'Retry-After': header('Seconds after which to try again'),
  'WWW-Authenticate': header('`Bearer`'),
}
const headers = (...names: (keyof typeof HEADERS)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Schemas with a name go to `components`; all others stand where they are used. */
function createSchemaWriter(): { write: Write; components: Json } {
  const components: Json = {}
  function define(name: string, definition: unknown): void {
    const body = toReferences(definition)
    if (name in components && !isDeepStrictEqual(components[name], body)) {
      throw new Error(`two different schemas are named ${name}`)
    }
    components[name] = body
  }
  return {
    components,
    write(schema, side) {
      const {
        $schema: _dialect,
        $defs,
        ...body
      } = z.toJSONSchema(schema, { io: side, unrepresentable: 'any', override: keepExamples })
      for (const [name, definition] of Object.entries($defs ?? {})) define(name, definition)
      const { id } = schema.meta() ?? {}
      if (id === undefined) return toReferences(body)
      // A schema that refers to itself is among its own definitions, and only a reference remains here.
      if (!('$ref' in body)) define(id, body)
      return { $ref: `#/components/schemas/${id}` }
    },
  }
}

/** The library drops the examples of whatever contains a transformation; ours are written as callers write them. */
function keepExamples({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes
  jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  const examples = z.globalRegistry.get(zodSchema)?.examples
  if (Array.isArray(examples) && jsonSchema.$ref === undefined) jsonSchema.examples = examples
}

const toReferences = (definition: unknown): Json =>
  JSON.parse(JSON.stringify(definition).replaceAll('#/$defs/', '#/components/schemas/')) as Json

export function buildOpenApi(routes: readonly Route[], serverUrl = '/'): Json {
  const schemas = createSchemaWriter()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = (paths[fullPath(route)] ??= {})
    path[route.method.toLowerCase()] = operation(route, schemas.write)
  }
  const webhooks = Object.fromEntries(EVENT_NAMES.map((event) => [event, webhook(event, schemas.write)]))
  schemas.write(ErrorBody, 'output')
  return {
    openapi: '3.1.0',
    info: {
      title: PRODUCT,
      version: API_VERSION,
      description:
        'A self-hosted messaging gateway: send every kind of message over one API, get signed webhooks.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    webhooks,
    components: {
      schemas: sortedByName(schemas.components),
      headers: HEADERS,
      securitySchemes: {
        accountKey: { type: 'http', scheme: 'bearer', description: "An account's API key" },
        accountKeyInQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'apiKey',
          description: 'For image tags only',
        },
        operatorKey: { type: 'http', scheme: 'bearer', description: "The operator's key" },
      },
    },
  }
}

const sortedByName = (named: Json): Json =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => a.localeCompare(b, 'en')))

function operation(route: Route, write: Write): Json {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: security(route),
    parameters: parameters(route, write),
    ...(route.body ? { requestBody: requestBody(route.body, write) } : {}),
    responses: responses(route, write),
  }
}

function security(route: Route): Json[] {
  if (route.area === 'system' || route.area === 'session') return []
  if (route.area === 'admin') return [{ operatorKey: [] }]
  return route.keyInQuery ? [{ accountKey: [] }, { accountKeyInQuery: [] }] : [{ accountKey: [] }]
}

function parameters(route: Route, write: Write): Json[] {
  const from = (schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] =>
    Object.entries(schema?.shape ?? {})
      // The key in the query is a security scheme, not a parameter.
      .filter(([name]) => name !== 'apiKey')
      .map(([name, field]) => parameter(name, place, field as z.ZodType, write))
  const headers: Json[] = route.idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'Kept for 24 hours: the same request with the same key is accepted once',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
        },
      ]
    : []
  if (route.waits) headers.push(PREFER)
  return [...from(route.params, 'path'), ...from(route.query, 'query'), ...headers]
}

const PREFER: Json = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`wait=N`, 1 to 60 seconds: the answer waits for the outcome and says `sent` or `failed`; `queued` when time runs out',
  schema: { type: 'string', examples: ['wait=10'] },
}

const READ_FROM_TEXT = new Set<unknown>(['integer', 'number', 'boolean'])

function parameter(name: string, place: 'path' | 'query', field: z.ZodType, write: Write): Json {
  // Addresses carry text; what it must read as is what a caller wants to know.
  const read = write(field, 'output')
  const { description, ...schema } = READ_FROM_TEXT.has(read.type) ? read : write(field, 'input')
  return {
    name,
    in: place,
    required: place === 'path' || !field.safeParse(undefined).success,
    ...(description ? { description } : {}),
    schema,
  }
}

const requestBody = (body: z.ZodType, write: Write): Json => ({
  required: !body.safeParse(undefined).success,
  content: { 'application/json': { schema: write(body, 'input') } },
})

const BYTES = { type: 'string', format: 'binary' }
const TEXT = { type: 'string' }

function responses(route: Route, write: Write): Json {
  const { answer } = route
  const isJson = !isFileAnswer(answer) && !isStreamAnswer(answer)
  const content = !isJson
    ? Object.fromEntries(
        answer.contentTypes.map((type) => [type, { schema: isFileAnswer(answer) ? BYTES : TEXT }]),
      )
    : { 'application/json': { schema: write(answer, 'output') } }
  const description = isJson ? 'Done' : answer.description
  const byStatus = Map.groupBy(reasonsOf(route), statusOf)
  const refusals = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, reasons]) => [String(status), refusal(status, reasons)])
  const done = { description, headers: headers(...answerHeaders(route)), content }
  return { 200: done, ...(Object.fromEntries(refusals) as Json) }
}

function answerHeaders(route: Route): string[] {
  const limited = route.area === 'system' || route.area === 'session' ? [] : ['RateLimit-Policy', 'RateLimit']
  return [
    'X-Request-Id',
    ...limited,
    ...(route.idempotent ? ['Idempotency-Replayed'] : []),
    ...(route.waits ? ['Preference-Applied'] : []),
  ]
}

const REFUSAL_HEADERS: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  503: ['Retry-After'],
}

const refusal = (status: number, reasons: DeclaredReason[]): Json => ({
  description: reasons.map((reason) => `\`${reason}\`: ${sentenceOf(reason)}`).join('\n\n'),
  headers: headers('X-Request-Id', ...(REFUSAL_HEADERS[status] ?? [])),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

function webhook(event: (typeof EVENT_NAMES)[number], write: Write): Json {
  return {
    post: {
      operationId: `on.${event}`,
      summary: `Delivery of ${event}`,
      description: 'Delivered at least once, signed, to every webhook that asked for it.',
      security: [],
      parameters: Object.entries(DELIVERY_HEADERS).map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: write(eventBody(event), 'output') } },
      },
      responses: {
        '2XX': { description: 'Taken' },
        '4XX': { description: 'Refused: tried again later, but for 410, which disables the webhook' },
      },
    },
  }
}
