// Endpoints without a key: liveness, readiness and metrics.
import { z } from 'zod'
import { endpoint } from './route.ts'

/** Why a gateway is held: its database was restored, or `SESSIONS=off` is set (decision 0076). */
export const HELD_BY = ['restored', 'sessions_off'] as const
export type HeldBy = (typeof HELD_BY)[number]

/** What happens to a clock that was set while the gateway runs (decision 0115). */
export const CLOCK_STATES = ['steady', 'stepped', 'following'] as const

const held = z.enum(HELD_BY).nullable().meta({
  description:
    'Why the gateway is held, that is, runs without sessions, sending and webhooks; null if it is not held',
})

const clock = z
  .object({
    state: z.enum(CLOCK_STATES).meta({
      description:
        'steady: the clocks agree. stepped: a clock was set, and the gateway keeps its time until that has lasted for ten minutes. following: the gateway follows the new time',
    }),
    differenceMs: z.number().meta({
      description:
        'How far the clock of the database, or of the machine, is ahead of the time of the gateway',
    }),
  })
  .meta({ description: 'The time of the gateway' })

const common = { tag: 'System' } as const

export const healthz = endpoint({
  ...common,
  summary: 'Check that the process is alive',
  answer: z.object({
    status: z.literal('ok'),
    version: z.string().meta({ description: 'The version of the program' }),
    held,
  }),
  reasons: [],
})

export const readyz = endpoint({
  ...common,
  summary: 'Check that the process can work: store and workers respond',
  answer: z.object({
    status: z.literal('ready'),
    checks: z.record(z.string(), z.literal('ok')),
    held,
    clock,
  }),
  reasons: ['unavailable'],
})

export const metrics = endpoint({
  ...common,
  summary: 'Get metrics for Prometheus',
  answer: { file: true, contentTypes: ['text/plain'], description: 'Prometheus text format' },
  reasons: [],
})
