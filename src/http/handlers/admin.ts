// The operator's endpoints (decisions 4).
import type { RouteId } from '../../contract/routes.ts'
import * as keys from '../../domain/api-keys.ts'
import type { Deps } from '../../domain/deps.ts'
import * as operator from '../../domain/operator.ts'
import type { Handlers } from '../handler.ts'

export const adminHandlers = (deps: Deps): Handlers<Extract<RouteId, `admin${string}`>> => ({
  ...planHandlers(deps),
  ...accountHandlers(deps),
  ...userHandlers(deps),
  ...keyHandlers(deps),
})

const planHandlers = (
  deps: Deps,
): Handlers<
  'adminListPlans' | 'adminCreatePlan' | 'adminGetPlan' | 'adminUpdatePlan' | 'adminDeletePlan'
> => ({
  async adminListPlans(_context, { query }) {
    const { plans, hasMore } = await operator.listPlans(deps, query)
    return { success: true, count: plans.length, page: query.page, limit: query.limit, hasMore, plans }
  },
  async adminCreatePlan(_context, { body }) {
    return { success: true, plan: await operator.createPlan(deps, body) }
  },
  async adminGetPlan(_context, { params }) {
    return { success: true, plan: await operator.getPlan(deps, params.id) }
  },
  async adminUpdatePlan(_context, { params, body }) {
    return { success: true, plan: await operator.updatePlan(deps, params.id, body) }
  },
  async adminDeletePlan(_context, { params }) {
    await operator.deletePlan(deps, params.id)
    return { success: true, id: params.id }
  },
})

const accountHandlers = (
  deps: Deps,
): Handlers<
  | 'adminListInstances'
  | 'adminListAccounts'
  | 'adminCreateAccount'
  | 'adminGetAccount'
  | 'adminUpdateAccount'
  | 'adminDeleteAccount'
  | 'adminUpdateSubscription'
> => ({
  async adminListInstances(_context, { query }) {
    const { instances, hasMore } = await operator.listAllInstances(deps, query)
    return {
      success: true,
      count: instances.length,
      page: query.page,
      limit: query.limit,
      hasMore,
      instances,
    }
  },
  async adminListAccounts(_context, { query }) {
    const { accounts, hasMore } = await operator.listAccounts(deps, query)
    return { success: true, count: accounts.length, page: query.page, limit: query.limit, hasMore, accounts }
  },
  async adminCreateAccount(_context, { body: { name, ...subscription } }) {
    return { success: true, ...(await operator.createAccount(deps, name, subscription)) }
  },
  async adminGetAccount(_context, { params }) {
    return { success: true, account: await operator.getAccount(deps, params.id) }
  },
  async adminUpdateAccount(_context, { params, body }) {
    return { success: true, account: await operator.renameAccount(deps, params.id, body.name) }
  },
  async adminDeleteAccount(_context, { params }) {
    await operator.deleteAccount(deps, params.id)
    return { success: true, id: params.id }
  },
  async adminUpdateSubscription(_context, { params, body }) {
    return { success: true, account: await operator.updateSubscription(deps, params.id, body) }
  },
})

const userHandlers = (
  deps: Deps,
): Handlers<'adminListUsers' | 'adminCreateUser' | 'adminUpdateUser' | 'adminDeleteUser'> => ({
  async adminListUsers(_context, { params, query }) {
    const { users, hasMore } = await operator.listUsers(deps, params.id, query)
    return { success: true, count: users.length, page: query.page, limit: query.limit, hasMore, users }
  },
  async adminCreateUser(_context, { params, body }) {
    return { success: true, user: await operator.createUser(deps, params.id, body) }
  },
  async adminUpdateUser(_context, { params, body }) {
    return { success: true, user: await operator.updateUser(deps, params.id, params.userId, body) }
  },
  async adminDeleteUser(_context, { params }) {
    await operator.deleteUser(deps, params.id, params.userId)
    return { success: true, id: params.userId }
  },
})

const keyHandlers = (
  deps: Deps,
): Handlers<'adminListKeys' | 'adminCreateKey' | 'adminRevokeKey' | 'adminRotateKey'> => ({
  async adminListKeys(_context, { params }) {
    await operator.requireAccount(deps.store.db, params.id)
    const apiKeys = await keys.listApiKeys(deps, params.id)
    return { success: true, count: apiKeys.length, apiKeys }
  },
  async adminCreateKey(_context, { params, body }) {
    await operator.requireAccount(deps.store.db, params.id)
    return { success: true, ...(await keys.createApiKey(deps, params.id, body)) }
  },
  async adminRevokeKey(_context, { params }) {
    return { success: true, apiKey: await keys.revokeApiKey(deps, params.id, params.keyId) }
  },
  async adminRotateKey(_context, { params, body }) {
    return { success: true, ...(await keys.rotateApiKey(deps, params.id, params.keyId, body.overlapHours)) }
  },
})
