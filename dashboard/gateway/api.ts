// The typed API client. It authenticates with the session cookie and sends the CSRF token.
import { routeTable as table } from 'virtual:route-table'
import type { Client } from '../../src/contract/client.ts'
import type { DeclaredReason } from '../../src/contract/reasons.ts'
import type { UploadedFile } from '../../src/contract/route.ts'
import { type CallId, can } from './permission.ts'

const routeTable = table as Record<CallId, (typeof table)[string]>

/** An error response. `reason` comes from the catalogue, or is `unreachable` or `unreadable_answer`. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: DeclaredReason | 'unreachable' | 'unreadable_answer'
  readonly requestId: string | undefined
  /** From the Retry-After header. */
  readonly retryAfterSeconds: number | undefined
  readonly details: readonly { path: string; message: string }[]
  /** Further fields of the response, such as `limit` and `used`. */
  readonly extra: Record<string, unknown>

  constructor(
    status: number,
    reason: ApiError['reason'],
    message: string,
    extra: Record<string, unknown> = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.reason = reason
    this.extra = extra
    this.requestId = typeof extra.requestId === 'string' ? extra.requestId : undefined
    this.retryAfterSeconds = typeof extra.retryAfterSeconds === 'number' ? extra.retryAfterSeconds : undefined
    this.details = Array.isArray(extra.details) ? (extra.details as { path: string; message: string }[]) : []
  }
}

/** Kept in memory only; a reloaded page requests the tokens again (`GET /session`). */
const csrfTokens: { account: string | undefined; operator: string | undefined } = {
  account: undefined,
  operator: undefined,
}
export function rememberCsrfToken(kind: 'account' | 'operator', token: string | undefined): void {
  csrfTokens[kind] = token
}

/** The header that every request with the session cookie needs, unless it only reads. */
export function csrfHeader(address: string): Record<string, string> {
  const isOperators = address.startsWith('/admin/') || address.startsWith('/session/operator')
  const token = isOperators ? csrfTokens.operator : csrfTokens.account
  return token === undefined ? {} : { 'x-csrf-token': token }
}

interface Input {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  file?: UploadedFile
}

/** The URL of a route, for images and streams that the browser loads. */
export function addressOf(id: CallId, { params = {}, query = {} }: Input = {}): string {
  const path = routeTable[id][1].replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

interface Options {
  signal?: AbortSignal
  idempotencyKey?: string
}

/** Sends one request to this server. */
async function send(
  method: string,
  address: string,
  { body, file }: Pick<Input, 'body' | 'file'>,
  { signal, idempotencyKey }: Options,
): Promise<Response> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(method === 'GET' ? {} : csrfHeader(address)),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (file?.contentType) headers['content-type'] = file.contentType
  let response: Response
  try {
    response = await fetch(address, {
      method,
      headers,
      credentials: 'same-origin',
      redirect: 'error',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file ? { body: file.bytes } : {}),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'unreachable', 'The gateway does not answer.')
  }
  if (!response.ok) throw await refusalOf(response)
  return response
}

/** The error that a response describes. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined
  if (typeof body?.reason !== 'string') {
    return new ApiError(
      response.status,
      'unreadable_answer',
      `The answer (status ${response.status}) is not one of this API.`,
    )
  }
  const { success: _success, error, reason, ...extra } = body
  const retryAfter = response.headers.get('retry-after')
  return new ApiError(response.status, reason as DeclaredReason, String(error), {
    ...extra,
    ...(retryAfter === null ? {} : { retryAfterSeconds: Number(retryAfter) }),
  })
}

/** Whether the gateway refuses the event stream to this key, which an `EventSource` does not tell. */
export async function isStreamForbidden(): Promise<boolean> {
  const ended = new AbortController()
  try {
    await send('GET', addressOf('streamEvents'), {}, { signal: ended.signal })
    return false
  } catch (error) {
    return error instanceof ApiError && error.status === 403
  } finally {
    ended.abort()
  }
}

async function call(id: CallId, input: Input = {}, options: Options = {}): Promise<unknown> {
  // The gateway would refuse it as well, and note it in the audit list of the account.
  if (!can(id)) throw new ApiError(403, 'scope_missing', 'The API key does not have this permission.')
  const [method, , isFile] = routeTable[id]
  const response = await send(method, addressOf(id, input), input, options)
  if (!isFile) return response.json()
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { bytes, contentType: response.headers.get('content-type') ?? '' }
}

/** One method per route, as in `src/contract/client.ts`. */
export const api = Object.fromEntries(
  (Object.keys(routeTable) as CallId[]).map((id) => [
    id,
    (input?: Input, options?: Options) => call(id, input, options),
  ]),
) as unknown as Client
