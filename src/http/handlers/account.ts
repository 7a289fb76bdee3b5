// The account's own view: limits, API keys (spec 4.4).
import { accountLimitsOf } from '../../domain/account.ts'
import * as keys from '../../domain/api-keys.ts'
import type { Deps } from '../../domain/deps.ts'
import type { Handlers } from '../handler.ts'

export function accountHandlers(
  deps: Deps,
): Handlers<'accountLimits' | 'listApiKeys' | 'createApiKey' | 'revokeApiKey' | 'rotateApiKey'> {
  return {
    accountLimits: ({ caller }) => accountLimitsOf(deps, caller),

    async listApiKeys({ caller }) {
      const apiKeys = await keys.listApiKeys(deps, caller.account.id)
      return { success: true, count: apiKeys.length, apiKeys }
    },
    async createApiKey({ caller }, { body }) {
      return { success: true, ...(await keys.createApiKey(deps, caller.account.id, body, caller)) }
    },
    async revokeApiKey({ caller }, { params }) {
      return { success: true, apiKey: await keys.revokeApiKey(deps, caller.account.id, params.id, caller) }
    },
    async rotateApiKey({ caller }, { params, body }) {
      const created = await keys.rotateApiKey(deps, caller.account.id, params.id, body.overlapHours, caller)
      return { success: true, ...created }
    },
  }
}
