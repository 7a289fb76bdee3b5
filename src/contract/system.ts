// Paths that need no key: whether the process lives, whether it can work, and what it measures.
import { z } from 'zod'
import { route } from './route.ts'

const common = { area: 'system', tag: 'System', method: 'GET' } as const

export const healthz = route({
  ...common,
  id: 'healthz',
  path: '/healthz',
  summary: 'The process is alive',
  answer: z.object({ status: z.literal('ok'), version: z.string() }),
  reasons: [],
})

export const readyz = route({
  ...common,
  id: 'readyz',
  path: '/readyz',
  summary: 'The process can do its work: store and workers answer',
  answer: z.object({ status: z.literal('ready'), checks: z.record(z.string(), z.literal('ok')) }),
  reasons: ['unavailable'],
})

export const metrics = route({
  ...common,
  id: 'metrics',
  path: '/metrics',
  summary: 'Measurements for Prometheus',
  answer: { file: true, contentTypes: ['text/plain'], description: 'Prometheus text format' },
  reasons: [],
})
