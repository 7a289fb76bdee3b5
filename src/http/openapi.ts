// The OpenAPI document, made from the table of routes. By hand, because the table already holds every status and the
// webhook payloads, which a document derived from a running server would have to be told again.
import { z } from 'zod'
import { DELIVERY_HEADERS, EVENT_NAMES, eventBody } from '../contract/events.ts'
import { type Reason, sentenceOf, statusOf } from '../contract/reasons.ts'
import { ErrorBody, fullPath, isFileAnswer, type Route, reasonsOf } from '../contract/route.ts'
import { API_VERSION, PRODUCT } from '../contract/version.ts'

type Json = Record<string, unknown>
type Side = 'input' | 'output'

/** Schemas with a name go to `components`; all others stand where they are used. */
function createSchemaWriter(): { write(schema: z.ZodType, side: Side): Json; components: Json } {
  const components: Json = {}
  return {
    components,
    write(schema, side) {
      const {
        $schema: _dialect,
        $defs,
        ...body
      } = z.toJSONSchema(schema, { io: side, unrepresentable: 'any' })
      for (const [name, definition] of Object.entries($defs ?? {}))
        components[name] = toReferences(definition)
      const { id, ...rest } = body as Json
      if (typeof id !== 'string') return toReferences(rest)
      components[id] = toReferences(rest)
      return { $ref: `#/components/schemas/${id}` }
    },
  }
}

function toReferences(definition: unknown): Json {
  const text = JSON.stringify(definition, (key, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  )
  return JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/')) as Json
}

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
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      schemas: sortedByName(schemas.components),
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

type Write = (schema: z.ZodType, side: Side) => Json

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
  if (route.area === 'system') return []
  if (route.area === 'admin') return [{ operatorKey: [] }]
  return route.keyInQuery ? [{ accountKey: [] }, { accountKeyInQuery: [] }] : [{ accountKey: [] }]
}

function parameters(route: Route, write: Write): Json[] {
  const from = (schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] =>
    Object.entries(schema?.shape ?? {})
      // The key in the query is a security scheme, not a parameter.
      .filter(([name]) => name !== 'apiKey')
      .map(([name, field]) => parameter(name, place, field as z.ZodType, write))
  const headers = route.idempotent
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
  return [...from(route.params, 'path'), ...from(route.query, 'query'), ...headers]
}

function parameter(name: string, place: 'path' | 'query', field: z.ZodType, write: Write): Json {
  const { description, ...schema } = write(field, 'input')
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

function responses(route: Route, write: Write): Json {
  const { answer } = route
  const content = isFileAnswer(answer)
    ? Object.fromEntries(
        answer.contentTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
      )
    : { 'application/json': { schema: write(answer, 'output') } }
  const description = isFileAnswer(answer) ? answer.description : 'Done'
  const byStatus = Map.groupBy(reasonsOf(route), statusOf)
  const refusals = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, reasons]) => [String(status), refusal(reasons)])
  return { 200: { description, content }, ...(Object.fromEntries(refusals) as Json) }
}

const refusal = (reasons: Reason[]): Json => ({
  description: reasons.map((reason) => `\`${reason}\`: ${sentenceOf(reason)}`).join('\n\n'),
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
