// One delivery to a webhook receiver: a POST that is never redirected, over in a fixed time, with little of the answer read.
import type { Agent, Dispatcher } from 'undici'
import { PRODUCT } from '../contract/version.ts'
import { startDeadline } from './deadline.ts'
import { type Failure, failureOf } from './failure.ts'
import { type TargetCheck, TargetRefused } from './target.ts'

export interface PostRequest {
  url: string
  headers: Record<string, string>
  body: string | Uint8Array
  /** Ends the exchange early, as when the server drains. */
  signal?: AbortSignal
}

/** Whatever status a receiver gives is an outcome, not an error. */
export interface PostAnswer {
  status: number
  /** Names in lower case, repeated ones joined by commas. */
  headers: Record<string, string>
  bodyStart: Buffer
  /** There was more of the body than is ever read; the connection was closed on it. */
  truncated: boolean
  durationMs: number
}

export type PostOutcome = PostAnswer | (Failure & { durationMs: number })

export interface PostLimits {
  /** From the first packet to the last byte of the answer. */
  exchangeMs: number
  answerBytes: number
}

export interface PostParts {
  agent: Agent
  check: TargetCheck
  limits: PostLimits
}

export async function post({ agent, check, limits }: PostParts, request: PostRequest): Promise<PostOutcome> {
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  const deadline = startDeadline(limits.exchangeMs, request.signal)
  try {
    const target = check(request.url, 'webhook')
    if (target instanceof TargetRefused) throw target
    const { url } = target
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
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
  // Leaving the loop early destroys the body, and with it the connection.
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
