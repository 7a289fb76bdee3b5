// A client of the OpenTelemetry collector that the operator has configured: OTLP over HTTP, as JSON. It follows no redirect and
// limits time and bytes.

import { PRODUCT } from '../../contract/version.ts'
import { ignoreErrors } from '../async/ignore-errors.ts'
import type { EnvironmentProxies } from './environment-proxies.ts'
import { failureOf, startDeadline } from './failure.ts'
import { openOperatorPool } from './operator-pool.ts'

export interface CollectorClientOptions {
  /** Where spans are posted. */
  url: string
  headers: Readonly<Record<string, string>>
  /** PEM certificates of additional certificate authorities. */
  extraCa: readonly string[]
  /** The proxies of the server; undefined: there are none. */
  proxies?: EnvironmentProxies | undefined
}

/** The text of a failure has no address and no header. */
export type CollectorAnswer = { status: number; retryAfter: string | undefined } | { failure: string }

export interface CollectorClient {
  /** Never rejects. */
  post(body: string, signal: AbortSignal): Promise<CollectorAnswer>
  close(): Promise<void>
}

const CONNECT_MS = 3000
const EXCHANGE_MS = 10_000
/** The exporter sends one batch at a time. */
const CONNECTIONS = 1
/** The rest of a longer answer is not read. */
const ANSWER_BYTES = 64 * 1024

export function createCollectorClient(options: CollectorClientOptions): CollectorClient {
  const { url, headers, extraCa, proxies } = options
  const { origin, pathname } = new URL(url)
  const limits = {
    connections: CONNECTIONS,
    connectMs: CONNECT_MS,
    answerBytes: 2 * ANSWER_BYTES,
    answerMs: EXCHANGE_MS,
  }
  const pool = openOperatorPool({ endpoint: origin, extraCa, proxies, ...limits })
  return {
    async post(body, signal) {
      const deadline = startDeadline(EXCHANGE_MS, signal)
      try {
        const response = await pool.request({
          method: 'POST',
          path: pathname,
          headers: { 'user-agent': PRODUCT, ...headers, 'content-type': 'application/json' },
          body,
          signal: deadline.signal,
        })
        await ignoreErrors(response.body).dump({ limit: ANSWER_BYTES, signal: deadline.signal })
        return { status: response.statusCode, retryAfter: [response.headers['retry-after']].flat()[0] }
      } catch (error) {
        return { failure: failureOf(error, deadline.signal).message }
      } finally {
        deadline.clear()
      }
    },
    close: () => pool.destroy(),
  }
}
