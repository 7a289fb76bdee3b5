// The typed client, built from the route table: one method per route. Used by the dashboard, the command line and tests.
import {
  type AnswerOf,
  type CallerInput,
  ErrorBody,
  type FileContent,
  fullPath,
  isFileAnswer,
  isStreamAnswer,
  type Route,
  type StreamContent,
  type UploadedFile,
} from './route.ts'
import { type Routes, routes } from './routes.ts'
import { type SandboxRoutes, sandboxRoutes } from './sandbox.ts'

export interface ClientSettings {
  /** URL of the server, without `/api/v1`. Empty in a page that the server itself serves. */
  baseUrl: string
  /** An account key or the operator key. Not sent to paths that need none. */
  key?: string | undefined
  fetch?: typeof globalThis.fetch
}

export interface CallOptions {
  signal?: AbortSignal
  /** Makes a send safe to retry. */
  idempotencyKey?: string
  /** Maximum wait for the outcome of a send, 1 to 60 seconds. */
  waitSeconds?: number
}

/** Parts of the input without any required field. */
type Omittable<T> = {
  [K in keyof T]: Partial<T[K]> extends T[K] ? K : undefined extends T[K] ? K : never
}[keyof T]
type Loose<T> = Omit<T, Omittable<T>> & { [K in Omittable<T>]?: T[K] | undefined }
type Arguments<R extends Route> =
  unknown extends CallerInput<R>
    ? [input?: undefined, options?: CallOptions]
    : Partial<Loose<CallerInput<R>>> extends Loose<CallerInput<R>>
      ? [input?: Loose<CallerInput<R>>, options?: CallOptions]
      : [input: Loose<CallerInput<R>>, options?: CallOptions]

type Callable = Routes & SandboxRoutes
export type Client = {
  readonly [Id in keyof Callable]: (...args: Arguments<Callable[Id]>) => Promise<AnswerOf<Callable[Id]>>
}

/** The server did not answer. */
export const UNREACHABLE = 'unreachable'
/** The answer is not from this API, but from a proxy or another server. */
const UNREADABLE = 'unreadable_answer'

export interface Refusal {
  /** The HTTP status; 0 if there was no answer. */
  status: number
  /** A reason of the catalogue, `unreachable` or `unreadable_answer`. */
  reason: string
  details?: { path: string; message: string }[] | undefined
  requestId?: string | undefined
  /** Seconds to wait before a retry. */
  retryAfter?: number | undefined
}

export class ClientError extends Error implements Refusal {
  readonly status: number
  readonly reason: string
  readonly details: { path: string; message: string }[]
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined

  constructor(message: string, refusal: Refusal, cause?: unknown) {
    super(message, { cause })
    this.name = 'ClientError'
    this.status = refusal.status
    this.reason = refusal.reason
    this.details = refusal.details ?? []
    this.requestId = refusal.requestId
    this.retryAfter = refusal.retryAfter
  }
}

interface Input {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
  file?: UploadedFile
}

export function createClient(settings: ClientSettings): Client {
  const methods = Object.values<Route>({ ...routes, ...sandboxRoutes }).map((route) => {
    const method = (input?: Input, options?: CallOptions) => call(settings, route, input ?? {}, options ?? {})
    return [route.id, method] as const
  })
  return Object.fromEntries(methods) as unknown as Client
}

async function call(
  settings: ClientSettings,
  route: Route,
  input: Input,
  options: CallOptions,
): Promise<unknown> {
  const address = settings.baseUrl.replace(/\/+$/, '') + pathOf(route, input)
  const send = settings.fetch ?? globalThis.fetch
  let response: Response
  let bytes: Uint8Array
  try {
    response = await send(address, requestOf(settings, route, input, options))
    if (isStreamAnswer(route.answer) && response.status === 200) return streamOf(response)
    bytes = new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    throw new ClientError(`No answer from ${originOf(address)}`, { status: 0, reason: UNREACHABLE }, cause)
  }
  if (response.status !== 200) throw refusalOf(response, bytes)
  if (isFileAnswer(route.answer)) {
    return { bytes, contentType: response.headers.get('content-type') ?? '' } satisfies FileContent
  }
  return readJson(response, bytes)
}

const streamOf = (response: Response): StreamContent => ({
  chunks: response.body ?? new ReadableStream<Uint8Array>(),
  contentType: response.headers.get('content-type') ?? '',
})

function pathOf(route: Route, input: Input): string {
  const path = fullPath(route).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    segment(name, input.params?.[name]),
  )
  const fields = Object.entries(input.query ?? {}).filter(
    (field): field is [string, string] => field[1] !== undefined,
  )
  return fields.length === 0 ? path : `${path}?${new URLSearchParams(fields).toString()}`
}

/** An empty segment, `.` or `..` would change the path. */
function segment(name: string, value: string | undefined): string {
  if (value === undefined || /^\.{0,2}$/.test(value)) {
    const details = [{ path: name, message: 'required' }]
    throw new ClientError(`The request is not valid: ${name}: required`, {
      status: 0,
      reason: 'invalid_request',
      details,
    })
  }
  return encodeURIComponent(value)
}

/** Areas that need the key in a header. `session` takes it in the body. */
const KEYED_AREAS: ReadonlySet<Route['area']> = new Set(['api', 'admin', 'sandbox'])

function requestOf(settings: ClientSettings, route: Route, input: Input, options: CallOptions): RequestInit {
  const headers: Record<string, string> = {}
  if (settings.key !== undefined && KEYED_AREAS.has(route.area))
    headers.authorization = `Bearer ${settings.key}`
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  if (input.file !== undefined) headers['content-type'] = typeOf(input.file)
  if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey
  if (options.waitSeconds !== undefined) headers.prefer = `wait=${options.waitSeconds}`
  return {
    method: route.method,
    headers,
    // The API never redirects, and the key must not be sent to another server.
    redirect: 'manual',
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    ...(input.file === undefined ? {} : { body: input.file.bytes }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }
}

const typeOf = ({ bytes, contentType }: UploadedFile): string =>
  contentType ?? ((bytes instanceof Blob && bytes.type) || 'application/octet-stream')

function readJson(response: Response, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch (cause) {
    throw unreadable(response, cause)
  }
}

function refusalOf(response: Response, bytes: Uint8Array): ClientError {
  const text = new TextDecoder().decode(bytes)
  const parsed = ErrorBody.safeParse(parseOrUndefined(text))
  if (!parsed.success) return unreadable(response)
  const { error, reason, requestId, details } = parsed.data
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ClientError(error, {
    status: response.status,
    reason,
    requestId,
    details,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const unreadable = (response: Response, cause?: unknown): ClientError =>
  new ClientError(
    `The answer (status ${response.status}) is not from this API. Check the URL of the server.`,
    { status: response.status, reason: UNREADABLE },
    cause,
  )

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : 'the server'
}
