// Whether the process lives, whether it can work, and what it measures.
import { API_VERSION } from '../../contract/version.ts'
import { GatewayError } from '../../errors.ts'
import type { Handlers } from '../handler.ts'

export interface SystemDeps {
  /** Each check resolves when its part can work. */
  checks: Record<string, () => Promise<void>>
  readMetrics: () => Promise<{ text: string; contentType: string }>
}

export const systemHandlers = ({
  checks,
  readMetrics,
}: SystemDeps): Handlers<'healthz' | 'readyz' | 'metrics'> => ({
  healthz: async () => ({ status: 'ok', version: API_VERSION }),

  async readyz() {
    const names = Object.keys(checks)
    const results = await Promise.allSettled(Object.values(checks).map((check) => check()))
    const failed = names.filter((_name, index) => results[index]?.status === 'rejected')
    if (failed.length > 0) {
      const cause = results.find((result) => result.status === 'rejected')?.reason as unknown
      throw new GatewayError('unavailable', { failed }, { retryAfterSeconds: 1, cause })
    }
    return { status: 'ready', checks: Object.fromEntries(names.map((name) => [name, 'ok' as const])) }
  },

  async metrics() {
    const { text, contentType } = await readMetrics()
    return { bytes: Buffer.from(text), contentType }
  },
})
