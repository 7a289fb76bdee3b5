// One call of the API: its request, its attempts, its answer.
import { refusalOf, SwitchboardError, unreachable, unreadable } from './error.ts'
import { pauseBeforeRetry, sleep } from './retry.ts'
import type { ClientSettings, FileContent, OperationRow, SendOptions } from './settings.ts'

export type Input = Readonly<Record<string, unknown>>

export async function call(
  settings: ClientSettings,
  row: OperationRow,
  input: Input,
  options: SendOptions,
): Promise<unknown> {
  const address = settings.url.replace(/\/+$/, '') + pathOf(row, input)
  const request = requestOf(settings, row, input, options)
  const isRepeatable = row.method === 'GET' || row.isIdempotent === true
  const { retries = 4, maxPauseSeconds = 60 } = settings
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await makeAttempt(settings, row, address, request, options)
    } catch (error) {
      if (!(error instanceof SwitchboardError) || attempt >= retries) throw error
      const pause = pauseBeforeRetry(error, attempt, isRepeatable, maxPauseSeconds)
      if (pause === undefined) throw error
      await (settings.sleep ?? sleep)(pause, options.signal)
    }
  }
}

function pathOf({ path, query = [] }: OperationRow, input: Input): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, input[name]))
  const fields = new URLSearchParams()
  for (const name of query) {
    const value = input[name] as string | number | boolean | null | undefined
    if (value !== undefined && value !== null) fields.set(name, String(value))
  }
  const text = fields.toString()
  return text === '' ? filled : `${filled}?${text}`
}

/** An empty segment, `.` or `..` would change the path. */
function segment(name: string, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && !/^\.{0,2}$/.test(text)) return encodeURIComponent(text)
  const details = [{ path: name, message: 'required' }]
  throw new SwitchboardError(`${name} is required`, { status: 0, reason: 'invalid_request', details })
}

function requestOf(
  { key }: ClientSettings,
  row: OperationRow,
  input: Input,
  { idempotencyKey, waitSeconds }: SendOptions,
): RequestInit {
  const headers = new Headers()
  if (key !== undefined && row.needsKey) headers.set('authorization', `Bearer ${key}`)
  if (row.isIdempotent) headers.set('idempotency-key', idempotencyKey ?? randomKey())
  if (waitSeconds !== undefined) headers.set('prefer', `wait=${waitSeconds}`)
  // The API never redirects, and the key must not be sent to another server.
  const request: RequestInit = { method: row.method, headers, redirect: 'manual' }
  if (row.body === 'json') {
    headers.set('content-type', 'application/json')
    request.body = JSON.stringify(bodyOf(row, input))
  }
  if (row.body === 'file') {
    const file = input.file as Blob | Uint8Array<ArrayBuffer>
    const ownType = file instanceof Blob && file.type !== '' ? file.type : 'application/octet-stream'
    headers.set('content-type', (input.contentType as string | undefined) ?? ownType)
    request.body = file
  }
  return request
}

/** All fields that are not in the path and not in the query. */
function bodyOf({ path, query = [] }: OperationRow, input: Input): Record<string, unknown> {
  const isElsewhere = (name: string) => query.includes(name) || path.includes(`{${name}}`)
  return Object.fromEntries(Object.entries(input).filter(([name]) => !isElsewhere(name)))
}

/** Pages without TLS have no `crypto.randomUUID`. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** The time limit covers the whole answer; for a stream, it covers the time until the stream begins. */
async function makeAttempt(
  settings: ClientSettings,
  row: OperationRow,
  address: string,
  request: RequestInit,
  { signal, waitSeconds = 0 }: SendOptions,
): Promise<unknown> {
  signal?.throwIfAborted()
  const limit = new AbortController()
  const seconds = (settings.timeoutSeconds ?? 30) + waitSeconds
  const timer = setTimeout(() => limit.abort(new Error(`no answer within ${seconds} s`)), seconds * 1000)
  const either = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal])
  try {
    const response = await (settings.fetch ?? globalThis.fetch)(address, { ...request, signal: either })
    if (response.status !== 200) throw await refusalOf(response)
    return await readAnswer(row, response)
  } catch (error) {
    if (error instanceof SwitchboardError || signal?.aborted) throw error
    throw unreachable(error)
  } finally {
    clearTimeout(timer)
  }
}

async function readAnswer(row: OperationRow, response: Response): Promise<unknown> {
  if (row.answer === 'stream') return response.body
  const bytes = new Uint8Array(await response.arrayBuffer())
  const contentType = response.headers.get('content-type') ?? ''
  if (row.answer === 'file') return { bytes, contentType } satisfies FileContent
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch (cause) {
    throw unreadable(response.status, undefined, cause)
  }
}
