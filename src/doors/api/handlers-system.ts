// Liveness, readiness and metrics.
import type { HeldBy } from '../../contract/system.ts'
import { PRODUCT_VERSION } from '../../contract/version.ts'
import { GatewayError } from '../../errors.ts'
import type { Handlers } from '../../request-handler.ts'

/** In words of the API: what happens to a clock that was set (decision 0115). */
const CLOCK_STATES = { settled: 'steady', doubted: 'stepped', followed: 'following' } as const

export interface SystemDeps {
  /** Each check resolves when its part can work. */
  checks: Record<string, () => Promise<void>>
  heldBy: () => HeldBy | null
  /** How the clock of the database, or of this machine, agrees with the time of the gateway. */
  clockStatus: () => { differenceMs: number; phase: keyof typeof CLOCK_STATES }
  readMetrics: () => Promise<{ text: string; contentType: string }>
}

export const systemHandlers = ({ checks, heldBy, clockStatus, readMetrics }: SystemDeps) =>
  ({
    healthz: async () => ({ status: 'ok', version: PRODUCT_VERSION, held: heldBy() }),

    async readyz() {
      const names = Object.keys(checks)
      const results = await Promise.allSettled(Object.values(checks).map((check) => check()))
      const failed = names.filter((_name, index) => results[index]?.status === 'rejected')
      if (failed.length > 0) {
        const cause = results.find((result) => result.status === 'rejected')?.reason as unknown
        throw new GatewayError('unavailable', { failed }, { retryAfterSeconds: 1, cause })
      }
      const passed = Object.fromEntries(names.map((name) => [name, 'ok' as const]))
      const { phase, differenceMs } = clockStatus()
      const clock = { state: CLOCK_STATES[phase], differenceMs }
      return { status: 'ready', checks: passed, held: heldBy(), clock }
    },

    async metrics() {
      const { text, contentType } = await readMetrics()
      return { bytes: Buffer.from(text), contentType }
    },
  }) satisfies Partial<Handlers>
