// How an endpoint is declared. Validation, types, the OpenAPI document, the reference and the typed client all derive from the
// declaration.
import { z } from 'zod'
import type { DeclaredReason } from './reasons.ts'
import type { Scope } from './scopes.ts'

/**
 * How the walls of a key apply to a route:
 * `open`: not at all; `list`: the answer contains only what is inside; `chat`: the request names an instance and a chat of it;
 * `chatChange`: as `chat`, and it acts at once, without a message that could wait for approval; `message` and `contact`: what the id names has to be inside; `forward`: both the message and the chat; `instance`: the request
 * names an instance, and says or changes more than one chat; `counts`: says how many,
 * of the instances that are inside; `change`: as `instance`, and it acts in public without a message that
 * could wait for approval; `account`: concerns all instances; `refused`: could widen the walls, so that no key with walls has it.
 */
export const WALL_KINDS = [
  'open',
  'list',
  'chat',
  'chatChange',
  'message',
  'contact',
  'forward',
  'instance',
  'counts',
  'change',
  'account',
  'refused',
] as const
export type Wall = (typeof WALL_KINDS)[number]

/** Routes of these kinds say nothing about what is outside, and refuse nothing. */
const SILENT_WALLS: ReadonlySet<Wall> = new Set(['open', 'list', 'message', 'contact'])

/**
 * Decides which key a request needs: `api` an account key, `admin` the operator key, `sandbox` either of them, `system` none.
 * In `session` a key is exchanged for a cookie.
 */
export type Area = 'api' | 'admin' | 'sandbox' | 'session' | 'system'
export const BASE_PATHS: Record<Area, string> = {
  api: '/api/v1',
  admin: '/admin/v1',
  sandbox: '/sandbox/v1',
  session: '/session',
  system: '',
}

/** A response that is a file, not JSON. */
export interface FileAnswer {
  file: true
  contentTypes: readonly string[]
  description: string
}

/** A response that continues until the caller disconnects. */
export interface StreamAnswer {
  stream: true
  contentTypes: readonly string[]
  description: string
}

/** A request body that is a file of any media type, read as a stream. */
export interface Upload {
  maxBytes: number
  description: string
}

/** JSON bodies of sandbox calls may contain a small file in base64. */
export const SANDBOX_JSON_BYTES = 1024 * 1024

export interface Route {
  /** The OpenAPI operation id and the method's name in the typed client. */
  id: string
  area: Area
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Relative to the area's base path, with parameters as `{name}`. */
  path: string
  tag: string
  summary: string
  description?: string
  /** The key needs one of these scopes. A key without scopes may call everything. */
  scopes?: readonly Scope[]
  /** How the walls of a key apply; on every route of the `api` area. */
  wall?: Wall
  /** Also allowed without an active subscription (decision 0020). */
  openWithoutSubscription?: boolean
  /** The key may also be sent in the query as `apiKey`, for image tags. */
  keyInQuery?: boolean
  /** Accepts an `Idempotency-Key` header (decision 0011). */
  idempotent?: boolean
  /** Accepts a `Prefer: wait=N` header: the response waits for the outcome (decision 0032). */
  waits?: boolean
  /** Uses the network or sends something out. Refused while the gateway is held (decision 0076). */
  live?: boolean
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Instead of `body`. */
  upload?: Upload
  answer: z.ZodType | FileAnswer | StreamAnswer
  /** Error reasons in addition to those of every route in the area. */
  reasons: readonly DeclaredReason[]
}

export const route = <const R extends Route>(declared: R): R => declared

/** A route without its address, which `routes.ts` adds. */
export type Endpoint = Omit<Route, 'id' | 'area' | 'method' | 'path' | 'scopes' | 'wall'>

export const endpoint = <const E extends Endpoint>(declared: E): E => declared

/** An endpoint for keys of accounts: what its key needs, and how the walls of the key apply. `any`: every key. */
type KeyRow = readonly [Route['method'], path: string, scopes: readonly Scope[] | 'any', Wall, Endpoint]
type OtherRow = readonly [Route['method'], path: string, Endpoint]
type RowOf<A extends Area> = A extends 'api' ? KeyRow : OtherRow

type RouteOf<Id, A extends Area, R> = R extends readonly [infer M, infer P, infer S, Wall, infer E]
  ? E & { id: Id; area: A; method: M; path: P } & (S extends 'any' ? unknown : { scopes: S })
  : R extends readonly [infer M, infer P, infer E]
    ? E & { id: Id; area: A; method: M; path: P }
    : never

/** Makes routes from the rows of one area in `routes.ts`. */
export function routesOf<const A extends Area, const Rows extends Record<string, RowOf<A>>>(
  area: A,
  rows: Rows,
) {
  const made = Object.entries<KeyRow | OtherRow>(rows).map(([id, row]) => {
    const [method, path] = row
    const address = { id, area, method, path }
    if (row.length === 3) return [id, { ...address, ...row[2] }]
    const [, , scopes, wall, declared] = row
    return [id, { ...address, wall, ...(scopes === 'any' ? {} : { scopes }), ...declared }]
  })
  return Object.fromEntries(made) as { [Id in keyof Rows & string]: RouteOf<Id, A, Rows[Id]> }
}

type PartOf<R, K extends 'params' | 'query' | 'body', Side extends 'input' | 'output'> = R extends {
  [P in K]: infer S extends z.ZodType
}
  ? { [P in K]: Side extends 'input' ? z.input<S> : z.output<S> }
  : unknown

/** Input of a handler: parsed, with defaults. */
export type ParsedInput<R extends Route> = PartOf<R, 'params', 'output'> &
  PartOf<R, 'query', 'output'> &
  PartOf<R, 'body', 'output'> &
  (R extends { upload: Upload } ? { file: ArrivingFile } : unknown)

/** The file of an upload while it arrives. It can be read once. */
export interface ArrivingFile {
  bytes: AsyncIterable<Uint8Array>
  contentType: string | undefined
  /** As announced; undefined: the caller does not say. */
  sizeBytes: number | undefined
}

/** Input of the typed client. */
export type CallerInput<R extends Route> = PartOf<R, 'params', 'input'> &
  PartOf<R, 'query', 'input'> &
  PartOf<R, 'body', 'input'> &
  (R extends { upload: Upload } ? { file: UploadedFile } : unknown)

/** The file of an upload. A `Blob` is streamed, and its own type is used if `contentType` is absent. */
export interface UploadedFile {
  bytes: Blob | Uint8Array<ArrayBuffer>
  contentType?: string
}

export interface FileContent {
  bytes: Uint8Array
  contentType: string
}

/** A file that is read while it is sent. */
export interface StreamedFile {
  chunks: AsyncIterable<Uint8Array>
  sizeBytes: number
  contentType: string
}

export interface StreamContent {
  chunks: AsyncIterable<string | Uint8Array>
  contentType: string
}

export type AnswerOf<R extends Route> = R['answer'] extends z.ZodType
  ? z.output<R['answer']>
  : R['answer'] extends StreamAnswer
    ? StreamContent
    : FileContent

export const isFileAnswer = (answer: Route['answer']): answer is FileAnswer => 'file' in answer
export const isStreamAnswer = (answer: Route['answer']): answer is StreamAnswer => 'stream' in answer

/** The path of a request, including the area's base path. */
export const fullPath = (route: Pick<Route, 'area' | 'path'>): string => BASE_PATHS[route.area] + route.path

/** All error reasons of a route: those of its area and its own. */
export function reasonsOf(route: Route): DeclaredReason[] {
  if (route.area === 'system') return [...route.reasons]
  // Every route refuses unknown query fields.
  const reasons: DeclaredReason[] = ['invalid_request']
  if (route.area !== 'session') reasons.push('unauthorized', 'rate_limited', 'internal', 'unavailable')
  const isForAccounts = route.area === 'api' || route.area === 'sandbox'
  if (isForAccounts && route.scopes) reasons.push('scope_missing')
  if (route.area === 'sandbox' || (route.wall && !SILENT_WALLS.has(route.wall))) reasons.push('outside_walls')
  if (isForAccounts && !route.openWithoutSubscription) reasons.push('subscription_inactive')
  const takesBody = route.method !== 'GET'
  if (takesBody) reasons.push('body_too_large')
  if (takesBody && !route.upload) reasons.push('unsupported_media_type')
  if (takesBody && route.area === 'sandbox') reasons.push('storage_full')
  // A request with a cookie may change something only with a CSRF token (decision 0040).
  if (takesBody && route.area !== 'session') reasons.push('csrf_failed')
  if (route.live) reasons.push('gateway_held')
  if (route.idempotent) reasons.push('idempotency_key_reused', 'idempotency_in_flight')
  return [...new Set([...reasons, ...route.reasons])]
}

export const ErrorBody = z
  .looseObject({
    success: z.literal(false),
    error: z.string().meta({ description: 'A sentence for people' }),
    reason: z.string().meta({ description: 'A code for programs; it never changes' }),
    requestId: z.string(),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'With `invalid_request`: every invalid field' }),
  })
  .meta({
    id: 'Error',
    description: 'Every error response has this form.',
    examples: [
      {
        success: false,
        error: 'The request is not valid: number: expected 7 to 15 digits',
        reason: 'invalid_request',
        requestId: 'req-4fzyo82mvyr',
        details: [{ path: 'number', message: 'expected 7 to 15 digits' }],
      },
    ],
  })
