// One request to a receiver of events, mostly a POST: no redirects, a time limit on the whole exchange, and a limit on the bytes read.
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { PRODUCT } from '../../contract/version.ts'
import type { Timers } from '../async/timers.ts'
import { type Failure, failureOf, startDeadline } from './failure.ts'
import type { Pools } from './pools.ts'
import { type TargetCheck, TargetRefused } from './target.ts'

export interface PostRequest {
  url: string
  headers: Record<string, string>
  body: string | Uint8Array | Readable | null
  /** Default: POST. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In place of those of every post. */
  limits?: Partial<PostLimits>
  /** Aborts the request, for example when the server drains. */
  signal?: AbortSignal
}

/** Every HTTP status is an outcome, not an error. */
export interface PostAnswer {
  status: number
  /** Names in lower case; repeated headers are joined by commas. */
  headers: Record<string, string>
  bodyStart: Buffer
  /** The body was longer than the limit; the connection was closed. */
  truncated: boolean
  durationMs: number
}

export type PostOutcome = PostAnswer | (Failure & { durationMs: number })

export interface PostLimits {
  /** Time limit from the first packet to the last byte of the answer. */
  exchangeMs: number
  answerBytes: number
}

export interface PostParts {
  pools: Pools
  check: TargetCheck
  limits: PostLimits
  timers: Timers
}

export async function post(
  { pools, check, timers, ...parts }: PostParts,
  request: PostRequest,
): Promise<PostOutcome> {
  const limits = { ...parts.limits, ...request.limits }
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  const deadline = startDeadline(limits.exchangeMs, request.signal, timers)
  try {
    const target = check(request.url, 'webhook')
    if (target instanceof TargetRefused) throw target
    const { url } = target
    const response = await pools.request(url.origin, {
      path: url.pathname + url.search,
      method: request.method ?? 'POST',
      headers: { 'user-agent': PRODUCT, ...request.headers },
      body: request.body,
      signal: deadline.signal,
    })
    const start = await readStart(response.body, limits.answerBytes)
    return {
      status: response.statusCode,
      headers: plainHeaders(response.headers),
      ...start,
      durationMs: durationMs(),
    }
  } catch (error) {
    return { ...failureOf(error, deadline.signal), durationMs: durationMs() }
  } finally {
    deadline.clear()
  }
}

async function readStart(body: Dispatcher.ResponseData['body'], limitBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop early destroys the body and closes the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > limitBytes) break
  }
  return { bodyStart: Buffer.concat(chunks).subarray(0, limitBytes), truncated: size > limitBytes }
}

const plainHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
