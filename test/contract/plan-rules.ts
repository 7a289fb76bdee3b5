// Invalid plans, for create and update.
import { UNLIMITED_PLAN } from './fixture.ts'

const FEATURES = { ai: true, flowBuilder: true, campaigns: true, templates: true, voiceCalls: true }

export const WHOLE_PLAN = {
  name: 'Starter',
  interval: 'year',
  currency: 'eur',
  amount: 2900,
  limits: { users: 3, contacts: 0, instances: 'Unlimited', messages: null },
  features: FEATURES,
  requestsPerSecond: 25,
}

export const WRONG_PLANS: readonly (readonly [fields: Record<string, unknown>, path: string])[] = [
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(65) }, 'name'],
  [{ name: 'a\nb' }, 'name'],
  [{ interval: 'fortnight' }, 'interval'],
  [{ currency: 'USD' }, 'currency'],
  [{ currency: 'us' }, 'currency'],
  [{ currency: 'usd\n' }, 'currency'],
  [{ amount: -1 }, 'amount'],
  [{ amount: 1.5 }, 'amount'],
  [{ amount: '5' }, 'amount'],
  [{ amount: 9_007_199_254_740_992 }, 'amount'],
  [{ limits: { ...UNLIMITED_PLAN, users: -1 } }, 'limits.users'],
  [{ limits: { ...UNLIMITED_PLAN, contacts: 'unlimited' } }, 'limits.contacts'],
  [{ limits: { ...UNLIMITED_PLAN, instances: null } }, 'limits.instances'],
  [{ limits: { ...UNLIMITED_PLAN, messages: 1.5 } }, 'limits.messages'],
  [{ limits: { ...UNLIMITED_PLAN, webhooks: 5 } }, 'limits.webhooks'],
  [{ limits: null }, 'limits'],
  [{ features: { ...FEATURES, ai: 'yes' } }, 'features.ai'],
  [{ features: { ...FEATURES, teleport: true } }, 'features.teleport'],
  [{ requestsPerSecond: 0 }, 'requestsPerSecond'],
  [{ requestsPerSecond: 0.5 }, 'requestsPerSecond'],
  [{ id: 1 }, 'id'],
]
