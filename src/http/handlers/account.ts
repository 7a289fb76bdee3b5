// The account's limits and API keys.
import { readAccountLimits } from '../../domain/account-limits.ts'
import * as keys from '../../domain/api-keys.ts'
import type { Deps } from '../../domain/deps.ts'
import type { Handlers } from '../handler.ts'

export const accountHandlers = (
  deps: Pick<Deps, 'store' | 'clock'>,
): Handlers<'accountLimits' | 'listApiKeys' | 'createApiKey' | 'revokeApiKey' | 'rotateApiKey'> => ({
  accountLimits: ({ caller }) => readAccountLimits(deps, caller),

  async listApiKeys({ caller }) {
    const apiKeys = await keys.listApiKeys(deps, caller.account.id)
    return { count: apiKeys.length, apiKeys }
  },
  createApiKey: ({ caller }, { body }) => keys.createApiKey(deps, caller.account.id, body, caller),
  async revokeApiKey({ caller }, { params }) {
    return { apiKey: await keys.revokeApiKey(deps, caller.account.id, params.id, caller) }
  },
  rotateApiKey: ({ caller }, { params, body }) =>
    keys.rotateApiKey(deps, caller.account.id, params.id, body.overlapHours, caller),
})
