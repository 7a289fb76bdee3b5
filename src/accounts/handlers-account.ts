// The account's limits, API keys and audit list.

import type { Deps } from '../context.ts'
import { pagedAnswer } from '../kernel/http/paged-answer.ts'
import type { Handlers } from '../request-handler.ts'
import { readAccountLimits } from './account-limits.ts'
import { grantAgent, reviewAgent } from './agent-sign-in.ts'
import * as keys from './api-keys.ts'
import { listAudit } from './audit.ts'

export interface AuditDeps {
  auditLog: { flush(): Promise<void> }
}

export const accountHandlers = (
  deps: AuditDeps & Pick<Deps, 'store' | 'clock' | 'readClientDocument'>,
): Handlers<
  | 'accountLimits'
  | 'listApiKeys'
  | 'currentApiKey'
  | 'createApiKey'
  | 'revokeApiKey'
  | 'rotateApiKey'
  | 'reviewAgentSignIn'
  | 'grantAgentSignIn'
  | 'listAudit'
> => ({
  async listAudit({ caller }, { query }) {
    // The calls before this one are in the list.
    await deps.auditLog.flush()
    return pagedAnswer('entries', query, await listAudit(deps, caller, query))
  },
  reviewAgentSignIn: async (context, { body }) =>
    reviewAgent(deps, { ...context.caller, origin: context.checkedOrigin }, body),
  async grantAgentSignIn(context, { body }) {
    const { caller, checkedOrigin: origin, setHeader } = context
    setHeader('Cache-Control', 'no-store')
    return { redirectUrl: await grantAgent(deps, { ...caller, origin }, body) }
  },
  accountLimits: ({ caller }) => readAccountLimits(deps, caller),

  async listApiKeys({ caller }) {
    const apiKeys = await keys.listApiKeys(deps, caller.account.id)
    return { count: apiKeys.length, apiKeys }
  },
  currentApiKey: ({ caller }) => keys.currentApiKey(deps, caller),
  createApiKey: ({ caller }, { body }) => keys.createApiKey(deps, caller.account.id, body, caller),
  async revokeApiKey({ caller }, { params }) {
    return { apiKey: await keys.revokeApiKey(deps, caller.account.id, params.id, caller) }
  },
  rotateApiKey: ({ caller }, { params, body }) =>
    keys.rotateApiKey(deps, caller.account.id, params.id, body.overlapHours, caller),
})
