// One endpoint declared once: validation, types, OpenAPI document, reference and client are read from it.
import { z } from 'zod'
import type { DeclaredReason } from './reasons.ts'

export const SCOPES = ['send', 'instances', 'contacts', 'webhooks', 'account', 'keys', 'images'] as const
export type Scope = (typeof SCOPES)[number]

/**
 * Which key opens a path: an account's, the operator's, none, or one that is exchanged for a cookie there. The sandbox network
 * is open to every account.
 */
export type Area = 'api' | 'admin' | 'sandbox' | 'session' | 'system'
export const BASE_PATHS: Record<Area, string> = {
  api: '/api/v1',
  admin: '/admin/v1',
  sandbox: '/sandbox/v1',
  session: '/session',
  system: '',
}

/** An answer that is not JSON. */
export interface FileAnswer {
  file: true
  contentTypes: readonly string[]
  description: string
}

/** An answer that goes on for as long as the caller listens. */
export interface StreamAnswer {
  stream: true
  contentTypes: readonly string[]
  description: string
}

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
  /** A key with any of these may call; keys without scopes may call everything. */
  scopes?: readonly Scope[]
  /** Answered even when the subscription has run out (decisions 4). */
  openWithoutSubscription?: boolean
  /** The key may stand in the query as `apiKey`, for image tags (spec 5.2). */
  keyInQuery?: boolean
  /** Takes an `Idempotency-Key` header (decisions 6). */
  idempotent?: boolean
  /** Takes a `Prefer: wait=N` header, to answer with the outcome (decision 0032). */
  waits?: boolean
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  answer: z.ZodType | FileAnswer | StreamAnswer
  /** Refusals beyond those that every route of its area can give. */
  reasons: readonly DeclaredReason[]
}

export const route = <const R extends Route>(declared: R): R => declared

type PartOf<R, K extends 'params' | 'query' | 'body', Side extends 'input' | 'output'> = R extends {
  [P in K]: infer S extends z.ZodType
}
  ? { [P in K]: Side extends 'input' ? z.input<S> : z.output<S> }
  : unknown

/** What a handler gets: parsed, defaults filled in. */
export type ParsedInput<R extends Route> = PartOf<R, 'params', 'output'> &
  PartOf<R, 'query', 'output'> &
  PartOf<R, 'body', 'output'>

/** What a caller gives. */
export type CallerInput<R extends Route> = PartOf<R, 'params', 'input'> &
  PartOf<R, 'query', 'input'> &
  PartOf<R, 'body', 'input'>

export interface FileContent {
  bytes: Uint8Array
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

/** The address as a caller writes it, below the server's origin. */
export const fullPath = (route: Pick<Route, 'area' | 'path'>): string => BASE_PATHS[route.area] + route.path

/** Refusals that any route of an area can give, whatever it does. */
export function reasonsOf(route: Route): DeclaredReason[] {
  if (route.area === 'system') return [...route.reasons]
  // Any route refuses a field of the query that it does not know.
  const reasons: DeclaredReason[] = ['invalid_request']
  if (route.area !== 'session') reasons.push('unauthorized', 'rate_limited', 'internal', 'unavailable')
  if (route.area === 'api' && route.scopes) reasons.push('scope_missing')
  if (route.area === 'api' && !route.openWithoutSubscription) reasons.push('subscription_inactive')
  const takesBody = route.method !== 'GET'
  if (takesBody) reasons.push('body_too_large', 'unsupported_media_type')
  // Whoever is authenticated by a cookie changes something only with the token beside it (decision 0040).
  if (takesBody && route.area !== 'session') reasons.push('csrf_failed')
  if (route.idempotent) reasons.push('idempotency_key_reused', 'idempotency_in_flight')
  return [...new Set([...reasons, ...route.reasons])]
}

export const ErrorBody = z
  .looseObject({
    success: z.literal(false),
    error: z.string().meta({ description: 'A sentence for people' }),
    reason: z.string().meta({ description: 'A code for programs' }),
    requestId: z.string(),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'With `invalid_request`: each field that is wrong' }),
  })
  .meta({
    id: 'Error',
    description: 'Every refusal, on every path, has this form.',
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
