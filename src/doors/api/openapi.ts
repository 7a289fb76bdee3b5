// Builds the OpenAPI document from the route table, which already has every status and the webhook payloads (decision 0021).
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { BATCH_EVENT, EventBatch } from '../../contract/event-batch.ts'
import { DELIVERY_HEADERS, EVENT_NAMES, eventBody } from '../../contract/events.ts'
import { type DeclaredReason, sentenceOf, statusOf } from '../../contract/reasons.ts'
import {
  ErrorBody,
  fullPath,
  isFileAnswer,
  isStreamAnswer,
  type Route,
  reasonsOf,
  type Upload,
} from '../../contract/route.ts'
import { API_VERSION, PRODUCT } from '../../contract/version.ts'

type Json = Record<string, unknown>
type Side = 'input' | 'output'
type Write = (schema: z.ZodType, side: Side) => Json

const TAGS: Record<string, string> = {
  Sending:
    'Send every type of message. Status 200 means that the message is on disk: it will be sent, or reported as failed.',
  Messages: 'Read messages and their status, download files, cancel queued messages.',
  Instances: 'Sessions on the messaging network: create, connect, monitor, configure and delete them.',
  Images: 'Images for web pages: the login code and profile pictures. The key may be sent in the query.',
  Contacts: 'Saved contacts, chats, groups and number checks of an instance.',
  Chats: 'Presence, settings and older messages of chats.',
  Labels: 'Labels of a business account, and the chats that have them.',
  Team: 'Users of the account, the chats that are assigned to them, and quick replies.',
  Groups: 'Create and change groups: settings, picture, members, invite links and requests to join.',
  Calls: 'Reject incoming calls.',
  People: 'What people show of themselves, the block list, and presence.',
  Profile: 'Your profile: name, about text, picture and privacy settings.',
  Account: 'Plan, subscription, usage and limits of the account.',
  'API keys': 'API keys of the account, with scopes, expiry and rotation.',
  Webhooks: 'Receivers of events, and their deliveries.',
  Destinations: 'Queues and streams of brokers that receive events, and their deliveries.',
  Chatwoot: 'Connections of instances with inboxes of the help desk Chatwoot.',
  Events: 'The event log: read it from any position, or follow it as a stream.',
  'Operator: gateway': 'Resume a held gateway.',
  'Operator: nodes': 'The processes on one database: list, drain and resume them.',
  'Operator: plans': 'Plans: limits, features, price and request rate.',
  'Operator: accounts': 'Accounts and their subscriptions.',
  'Operator: users': 'Users of an account.',
  'Operator: keys': 'API keys of any account.',
  'Signing in': 'Sign in to the dashboard: a key is exchanged for a cookie that scripts cannot read.',
  'Sandbox: phones':
    'Simulated people: what their phones show, and what they do. Only with `NETWORK=sandbox`.',
  'Sandbox: groups': 'Simulated groups, and what their members do.',
  'Sandbox: network': 'The simulated network: faults, addressing, and recorded traffic.',
  System: 'Health checks and metrics. No key is needed.',
}

const header = (description: string): Json => ({ description, schema: { type: 'string' } })
const HEADERS: Record<string, Json> = {
  'X-Request-Id': header('Id of the request, also written to the log'),
  'RateLimit-Policy': header('Size of a burst (`q`) and the seconds until it is fully available again (`w`)'),
  RateLimit: header('Remaining requests (`r`) and the seconds until the full burst is available again (`t`)'),
  'Idempotency-Replayed': header('`true` if this is the response to an earlier request with the same key'),
  'Preference-Applied': header('`wait=N` if the response waited for the outcome, up to N seconds'),
  'Retry-After': header('Seconds to wait before a retry'),
  'WWW-Authenticate': header('`Bearer`'),
}
const headers = (...names: (keyof typeof HEADERS)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Named schemas go to `components`; others are written inline. */
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
      // A recursive schema is already among its own definitions.
      if (!('$ref' in body)) define(id, body)
      return { $ref: `#/components/schemas/${id}` }
    },
  }
}

/** Zod drops the examples of schemas with a transformation. */
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
  const webhooks = { ...eventDeliveries(schemas.write), [BATCH_EVENT]: batchDelivery(schemas.write) }
  schemas.write(ErrorBody, 'output')
  return {
    openapi: '3.1.0',
    info: {
      title: PRODUCT,
      version: API_VERSION,
      description:
        'A self-hosted messaging gateway: send every type of message through one API, receive signed webhooks.',
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
        accountKey: { type: 'http', scheme: 'bearer', description: 'API key of an account' },
        accountKeyInQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'apiKey',
          description: 'API key in the query, for image tags only',
        },
        operatorKey: { type: 'http', scheme: 'bearer', description: 'Operator key' },
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
    ...describe(route),
    security: security(route),
    parameters: parameters(route, write),
    ...(route.body ? { requestBody: requestBody(route.body, write) } : {}),
    ...(route.upload ? { requestBody: fileBody(route.upload) } : {}),
    responses: responses(route, write),
  }
}

function describe({ description, scopes }: Route): Json {
  const needed = scopes && `Scope of the key: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`
  const texts = [description, needed].filter((text) => text !== undefined)
  return texts.length > 0 ? { description: texts.join('\n\n') } : {}
}

/** One alternative for each scope that is enough, as the role that the key needs. */
function security(route: Route): Json[] {
  if (route.area === 'system' || route.area === 'session') return []
  if (route.area === 'admin') return [{ operatorKey: [] }]
  const schemes = route.keyInQuery ? ['accountKey', 'accountKeyInQuery'] : ['accountKey']
  const roles = route.scopes?.map((scope) => [scope]) ?? [[]]
  const account = schemes.flatMap((scheme) => roles.map((role) => ({ [scheme]: role })))
  return route.area === 'sandbox' ? [...account, { operatorKey: [] }] : account
}

function parameters(route: Route, write: Write): Json[] {
  const from = (schema: z.ZodObject | undefined, location: 'path' | 'query'): Json[] =>
    Object.entries(schema?.shape ?? {})
      // The key in the query is documented as a security scheme.
      .filter(([name]) => name !== 'apiKey')
      .map(([name, field]) => parameter(name, location, field as z.ZodType, write))
  const headers: Json[] = route.idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'Makes a retry safe: within 24 hours, the same request with the same key is accepted only once',
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
    '`wait=N`, 1 to 60 seconds: the response waits for the status `sent` or `failed`; it is `queued` if the time runs out',
  schema: { type: 'string', examples: ['wait=10'] },
}

const READ_FROM_TEXT = new Set<unknown>(['integer', 'number', 'boolean'])

function parameter(name: string, location: 'path' | 'query', field: z.ZodType, write: Write): Json {
  // Query and path values are text. The document shows the type that the text is parsed to.
  const read = write(field, 'output')
  const { description, ...schema } = READ_FROM_TEXT.has(read.type) ? read : write(field, 'input')
  return {
    name,
    in: location,
    required: location === 'path' || !field.safeParse(undefined).success,
    ...(description ? { description } : {}),
    schema,
  }
}

const requestBody = (body: z.ZodType, write: Write): Json => ({
  required: !body.safeParse(undefined).success,
  content: { 'application/json': { schema: write(body, 'input') } },
})

const BYTES = { type: 'string', format: 'binary' }
const fileBody = ({ description }: Upload): Json => ({
  required: true,
  description,
  content: { '*/*': { schema: BYTES } },
})
const TEXT = { type: 'string' }

function responses(route: Route, write: Write): Json {
  const { answer } = route
  const isJson = !isFileAnswer(answer) && !isStreamAnswer(answer)
  const content = !isJson
    ? Object.fromEntries(
        answer.contentTypes.map((type) => [type, { schema: isFileAnswer(answer) ? BYTES : TEXT }]),
      )
    : { 'application/json': { schema: write(answer, 'output') } }
  const description = isJson ? 'Success' : answer.description
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

const eventDeliveries = (write: Write): Json =>
  Object.fromEntries(
    EVENT_NAMES.map((event) => [
      event,
      webhook(event, {
        summary: `Delivery of ${event}`,
        description:
          'Sent at least once to every webhook that subscribes to the event. The request is signed.',
        schema: write(eventBody(event), 'output'),
      }),
    ]),
  )

const batchDelivery = (write: Write): Json =>
  webhook(BATCH_EVENT, {
    summary: 'Delivery of several events',
    description:
      'Sent to webhooks with `batch`, each event at least once. The request is signed as a whole. Its status applies to all of its events.',
    schema: write(EventBatch, 'output'),
  })

function webhook(
  name: string,
  { summary, description, schema }: Record<'summary' | 'description', string> & { schema: Json },
): Json {
  return {
    post: {
      operationId: `on.${name}`,
      summary,
      description,
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
        content: { 'application/json': { schema } },
      },
      responses: {
        '2XX': { description: 'Accepted' },
        '4XX': { description: 'Refused: the delivery is retried later. 410 disables the webhook' },
      },
    },
  }
}
