// The operator's endpoints: plans, accounts, users and keys of all accounts.

import type { Deps } from '../context.ts'
import { listAllInstances } from '../instances/all-instances.ts'
import { pagedAnswer } from '../kernel/http/paged-answer.ts'
import type { Handlers } from '../request-handler.ts'
import * as accounts from './accounts.ts'
import * as keys from './api-keys.ts'
import * as plans from './plans.ts'
import * as users from './users.ts'

export const gatewayHandlers = ({
  store,
  hold,
}: Pick<Deps, 'store' | 'hold'>): Handlers<'adminResume' | 'adminListInstances'> => ({
  adminResume: async () => ({ resumed: await hold.resume() }),

  async adminListInstances({ origin }, { query }) {
    return pagedAnswer('instances', query, await listAllInstances({ store }, query, origin))
  },
})

export const planHandlers = (
  deps: Pick<Deps, 'store' | 'clock'>,
): Handlers<
  'adminListPlans' | 'adminCreatePlan' | 'adminGetPlan' | 'adminUpdatePlan' | 'adminDeletePlan'
> => ({
  async adminListPlans(_context, { query }) {
    return pagedAnswer('plans', query, await plans.listPlans(deps, query))
  },
  async adminCreatePlan(_context, { body }) {
    return { plan: await plans.createPlan(deps, body) }
  },
  async adminGetPlan(_context, { params }) {
    return { plan: await plans.getPlan(deps, params.id) }
  },
  async adminUpdatePlan(_context, { params, body }) {
    return { plan: await plans.updatePlan(deps, params.id, body) }
  },
  async adminDeletePlan(_context, { params }) {
    await plans.deletePlan(deps, params.id)
    return { id: params.id }
  },
})

export const accountAdminHandlers = (
  deps: Pick<Deps, 'store' | 'clock' | 'vault' | 'files'>,
): Handlers<
  | 'adminListAccounts'
  | 'adminCreateAccount'
  | 'adminGetAccount'
  | 'adminUpdateAccount'
  | 'adminDeleteAccount'
  | 'adminUpdateSubscription'
> => ({
  async adminListAccounts(_context, { query }) {
    return pagedAnswer('accounts', query, await accounts.listAccounts(deps, query))
  },
  adminCreateAccount: (_context, { body: { name, ...subscription } }) =>
    accounts.createAccount(deps, name, subscription),
  async adminGetAccount(_context, { params }) {
    return { account: await accounts.getAccount(deps, params.id) }
  },
  async adminUpdateAccount(_context, { params, body }) {
    return { account: await accounts.renameAccount(deps, params.id, body.name) }
  },
  async adminDeleteAccount(_context, { params }) {
    await accounts.deleteAccount(deps, params.id)
    return { id: params.id }
  },
  async adminUpdateSubscription(_context, { params, body }) {
    return { account: await accounts.updateSubscription(deps, params.id, body) }
  },
})

export const userHandlers = (
  deps: Pick<Deps, 'store' | 'clock'>,
): Handlers<'adminListUsers' | 'adminCreateUser' | 'adminUpdateUser' | 'adminDeleteUser'> => ({
  async adminListUsers(_context, { params, query }) {
    return pagedAnswer('users', query, await users.listUsers(deps, params.id, query))
  },
  async adminCreateUser(_context, { params, body }) {
    return { user: await users.createUser(deps, params.id, body) }
  },
  async adminUpdateUser(_context, { params, body }) {
    return { user: await users.updateUser(deps, params.id, params.userId, body) }
  },
  async adminDeleteUser(_context, { params }) {
    await users.deleteUser(deps, params.id, params.userId)
    return { id: params.userId }
  },
})

export const keyAdminHandlers = (
  deps: Pick<Deps, 'store' | 'clock'>,
): Handlers<'adminListKeys' | 'adminCreateKey' | 'adminRevokeKey' | 'adminRotateKey'> => ({
  async adminListKeys(_context, { params }) {
    await accounts.requireAccount(deps.store.db, params.id)
    const apiKeys = await keys.listApiKeys(deps, params.id)
    return { count: apiKeys.length, apiKeys }
  },
  async adminCreateKey(_context, { params, body }) {
    await accounts.requireAccount(deps.store.db, params.id)
    return keys.createApiKey(deps, params.id, body)
  },
  async adminRevokeKey(_context, { params }) {
    return { apiKey: await keys.revokeApiKey(deps, params.id, params.keyId) }
  },
  adminRotateKey: (_context, { params, body }) =>
    keys.rotateApiKey(deps, params.id, params.keyId, body.overlapHours),
})
