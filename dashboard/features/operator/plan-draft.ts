// The fields of the form for a plan: what they show at first, whether they can be sent, and what is sent.
import type { z } from 'zod'
import type { Interval, Resource } from '../../../src/contract/account.ts'
import type { Plan as PlanSchema } from '../../../src/contract/admin.ts'

export type Plan = z.output<typeof PlanSchema>
export type Feature = keyof Plan['features']

export const RESOURCES: readonly Resource[] = ['users', 'contacts', 'instances', 'messages']
export const FEATURES: readonly Feature[] = ['ai', 'flowBuilder', 'campaigns', 'templates', 'voiceCalls']

/** The values of the fields as text. */
export interface PlanDraft extends Record<Resource, string> {
  name: string
  amount: string
  currency: string
  interval: Interval
  /** Whether messages are metered, with or without a limit. */
  metered: boolean
  requestsPerSecond: string
  features: Feature[]
}

export const NEW_PLAN: PlanDraft = {
  name: '',
  amount: '0',
  currency: 'usd',
  interval: 'month',
  users: '',
  contacts: '',
  instances: '',
  messages: '',
  metered: true,
  requestsPerSecond: '',
  features: [],
}

export function draftOf({ limits, features, requestsPerSecond, ...plan }: Plan): PlanDraft {
  const text = (limit: number | 'Unlimited' | null) => (typeof limit === 'number' ? String(limit) : '')
  return {
    name: plan.name,
    amount: String(plan.amount),
    currency: plan.currency,
    interval: plan.interval,
    users: text(limits.users),
    contacts: text(limits.contacts),
    instances: text(limits.instances),
    messages: text(limits.messages),
    metered: limits.messages !== null,
    requestsPerSecond: text(requestsPerSecond),
    features: FEATURES.filter((name) => features[name]),
  }
}

export const isLimit = (text: string): boolean => /^\d{0,9}$/.test(text.trim())
const toLimit = (text: string) => (text.trim() === '' ? ('Unlimited' as const) : Number(text))
export const isAmount = (text: string): boolean => /^\d{1,12}$/.test(text.trim())

export const bodyOf = (draft: PlanDraft) => ({
  name: draft.name,
  amount: Number(draft.amount),
  currency: draft.currency.toLowerCase(),
  interval: draft.interval,
  limits: {
    users: toLimit(draft.users),
    contacts: toLimit(draft.contacts),
    instances: toLimit(draft.instances),
    messages: draft.metered ? toLimit(draft.messages) : null,
  },
  features: {
    ai: draft.features.includes('ai'),
    flowBuilder: draft.features.includes('flowBuilder'),
    campaigns: draft.features.includes('campaigns'),
    templates: draft.features.includes('templates'),
    voiceCalls: draft.features.includes('voiceCalls'),
  },
  requestsPerSecond: draft.requestsPerSecond.trim() === '' ? null : Number(draft.requestsPerSecond),
})

/** Whether every number is one. The API checks the rest. */
export const isWhole = (draft: PlanDraft): boolean =>
  isAmount(draft.amount) && [...RESOURCES, 'requestsPerSecond' as const].every((name) => isLimit(draft[name]))
