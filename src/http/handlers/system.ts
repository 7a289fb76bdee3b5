// Liveness, readiness and metrics.
import type { HeldBy } from '../../contract/system.ts'
import { API_VERSION } from '../../contract/version.ts'
import { GatewayError } from '../../errors.ts'
import type { Handlers } from '../handler.ts'

export interface SystemDeps {
  /** Each check resolves when its part can work. */
  checks: Record<string, () => Promise<void>>
  heldBy: () => HeldBy | null
  readMetrics: () => Promise<{ text: string; contentType: string }>
}

export const systemHandlers = ({
  checks,
  heldBy,
  readMetrics,
}: SystemDeps): Handlers<'healthz' | 'readyz' | 'metrics'> => ({
  healthz: async () => ({ status: 'ok', version: API_VERSION, held: heldBy() }),

  async readyz() {
    const names = Object.keys(checks)
    const results = await Promise.allSettled(Object.values(checks).map((check) => check()))
    const failed = names.filter((_name, index) => results[index]?.status === 'rejected')
    if (failed.length > 0) {
      const cause = results.find((result) => result.status === 'rejected')?.reason as unknown
      throw new GatewayError('unavailable', { failed }, { retryAfterSeconds: 1, cause })
    }
    const passed = Object.fromEntries(names.map((name) => [name, 'ok' as const]))
    return { status: 'ready', checks: passed, held: heldBy() }
  },

  async metrics() {
    const { text, contentType } = await readMetrics()
    return { bytes: Buffer.from(text), contentType }
  },
})
