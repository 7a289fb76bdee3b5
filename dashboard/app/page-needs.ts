// The calls that each page cannot do without. Which permission of a key they need is in the table of routes; further calls of a page are
// asked about with `useCan` where they are made, and `test/dashboard-permissions.test.ts` finds those that are not.
import { type CallId, type Can, type Lack, lackOf, type SignedInKey } from '../gateway/permission.ts'
import type { shell } from './texts/en.ts'

export type PageName = keyof (typeof shell)['pages']

const INBOX = ['listInstances', 'listChats', 'listMessages'] as const

/** `anyOf`: the page has parts that can be used without the others. */
export type Needs = readonly CallId[] | { anyOf: readonly CallId[] }

export const PAGE_NEEDS: Record<PageName, Needs> = {
  start: ['createInstance', 'connectInstance', 'listInstances', 'listMessages', 'sendText', 'listEvents'],
  overview: ['getStatistics'],
  instances: ['listInstances'],
  instance: ['listInstances'],
  conversations: INBOX,
  scheduled: INBOX,
  approvals: ['listMessages', 'approveMessage', 'rejectMessage'],
  group: ['listInstances', 'getGroup'],
  contacts: ['listInstances', 'listContacts'],
  webhooks: ['listWebhooks'],
  webhook: ['listWebhooks'],
  destinations: ['listDestinations'],
  destination: ['listDestinations'],
  events: ['listEvents'],
  phone: ['sandboxListPhones'],
  account: { anyOf: ['accountLimits', 'listApiKeys'] },
  authorize: ['reviewAgentSignIn', 'grantAgentSignIn'],
  operator: [],
  operatorAccount: [],
}

export const mayOpen = (can: Can, name: PageName): boolean => {
  const needs = PAGE_NEEDS[name]
  return 'anyOf' in needs ? needs.anyOf.some((id) => can(id)) : can(...needs)
}

/** What the key lacks for the page. */
export const lackFor = (key: SignedInKey, name: PageName): Lack => {
  const needs = PAGE_NEEDS[name]
  return 'anyOf' in needs ? { ...lackOf(key, needs.anyOf), isOneEnough: true } : lackOf(key, needs)
}
