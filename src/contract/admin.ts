// The operator API: plans, accounts, subscriptions, users and keys of any account (decisions 2, 4).
import { z } from 'zod'
import {
  ApiKeyCreated,
  ApiKeyList,
  ApiKeyRevoked,
  Features,
  INTERVALS,
  NewApiKeyBody,
  RotateApiKeyBody,
  SUBSCRIPTION_STATUSES,
  Subscription,
  UNLIMITED,
} from './account.ts'
import { limit, page, pathId, plainText, success, timestamp } from './fields.ts'
import { CONNECTION_STATES, Instance } from './instances.ts'
import { route } from './route.ts'

const quota = z.union([z.int().min(0), z.literal(UNLIMITED)])
export const PlanLimits = z
  .strictObject({
    users: quota,
    contacts: quota,
    instances: quota,
    messages: quota.nullable().meta({ description: 'Per period; null: not metered' }),
  })
  .meta({ id: 'PlanLimits' })

const planFields = {
  name: plainText(1, 64),
  interval: z.enum(INTERVALS),
  currency: z.string().regex(/^[a-z]{3}$/, { error: 'expected a lower-case currency code' }),
  amount: z.int().min(0),
  limits: PlanLimits,
  features: z.strictObject(Features.shape),
  requestsPerSecond: z
    .int()
    .positive()
    .nullable()
    .meta({ description: 'Less than the server allows; null: that' }),
}

export const Plan = z
  .object({ id: z.int(), ...planFields, createdAt: timestamp, updatedAt: timestamp })
  .meta({ id: 'Plan' })

const PlanBody = z
  .strictObject({
    ...planFields,
    interval: planFields.interval.default('month'),
    currency: planFields.currency.default('usd'),
    amount: planFields.amount.default(0),
    limits: PlanLimits.default({
      users: UNLIMITED,
      contacts: UNLIMITED,
      instances: UNLIMITED,
      messages: UNLIMITED,
    }),
    features: planFields.features.default({
      ai: false,
      flowBuilder: false,
      campaigns: false,
      templates: false,
      voiceCalls: false,
    }),
    requestsPerSecond: planFields.requestsPerSecond.default(null),
  })
  .meta({
    id: 'CreatePlan',
    examples: [
      { name: 'Starter', amount: 2900, limits: { users: 3, contacts: 1000, instances: 1, messages: 10_000 } },
    ],
  })

export const Account = z
  .object({
    id: z.int(),
    name: z.string(),
    plan: z.object({ id: z.int(), name: z.string() }),
    subscription: Subscription,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Account' })

const subscriptionFields = {
  planId: z.int().positive().optional(),
  status: z.enum(SUBSCRIPTION_STATUSES).optional(),
  currentPeriodStart: timestamp.optional(),
  currentPeriodEnd: timestamp.nullable().optional(),
  trialEndsAt: timestamp.nullable().optional(),
  expiresAt: timestamp.nullable().optional(),
}

export const User = z
  .object({
    id: z.int(),
    accountId: z.int(),
    name: z.string(),
    email: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'User' })
const userFields = { name: plainText(1, 128), email: z.email().max(254) }

const common = { area: 'admin' } as const
const byId = z.strictObject({ id: pathId })
const byAccountAndUser = z.strictObject({ id: pathId, userId: pathId })
const byAccountAndKey = z.strictObject({ id: pathId, keyId: pathId })
const listQuery = z.strictObject({ page, limit })
const paging = { count: z.int(), page: z.int(), limit: z.int(), hasMore: z.boolean() }
const OnePlan = z.object({ success, plan: Plan })
const OneAccount = z.object({ success, account: Account })
const OneUser = z.object({ success, user: User })
const Gone = z.object({ success, id: z.int() })

const plans = { ...common, tag: 'Operator: plans' } as const
export const adminListPlans = route({
  ...plans,
  id: 'adminListPlans',
  method: 'GET',
  path: '/plans',
  summary: 'List plans',
  query: listQuery,
  answer: z.object({ success, ...paging, plans: z.array(Plan) }),
  reasons: [],
})
export const adminCreatePlan = route({
  ...plans,
  id: 'adminCreatePlan',
  method: 'POST',
  path: '/plans',
  summary: 'Make a plan',
  body: PlanBody,
  answer: OnePlan,
  reasons: [],
})
export const adminGetPlan = route({
  ...plans,
  id: 'adminGetPlan',
  method: 'GET',
  path: '/plans/{id}',
  summary: 'Read a plan',
  params: byId,
  answer: OnePlan,
  reasons: ['plan_not_found'],
})
export const adminUpdatePlan = route({
  ...plans,
  id: 'adminUpdatePlan',
  method: 'PATCH',
  path: '/plans/{id}',
  summary: 'Change a plan; what is omitted stays',
  params: byId,
  body: z
    .strictObject(planFields)
    .partial()
    .meta({ id: 'UpdatePlan', examples: [{ amount: 3900 }] }),
  answer: OnePlan,
  reasons: ['plan_not_found'],
})
export const adminDeletePlan = route({
  ...plans,
  id: 'adminDeletePlan',
  method: 'DELETE',
  path: '/plans/{id}',
  summary: 'Delete a plan that no account uses',
  params: byId,
  answer: Gone,
  reasons: ['plan_not_found', 'plan_in_use'],
})

const accounts = { ...common, tag: 'Operator: accounts' } as const
export const adminListAccounts = route({
  ...accounts,
  id: 'adminListAccounts',
  method: 'GET',
  path: '/accounts',
  summary: 'List accounts',
  query: listQuery,
  answer: z.object({ success, ...paging, accounts: z.array(Account) }),
  reasons: [],
})
export const adminCreateAccount = route({
  ...accounts,
  id: 'adminCreateAccount',
  method: 'POST',
  path: '/accounts',
  summary: 'Make an account with its first key',
  body: z
    .strictObject({ name: plainText(1, 128), planId: z.int().positive(), ...omitPlan(subscriptionFields) })
    .meta({ id: 'CreateAccount', examples: [{ name: 'Acme', planId: 1 }] }),
  answer: z.object({
    ...OneAccount.shape,
    key: z.string().meta({ description: 'The first key of the account, shown this once' }),
  }),
  reasons: ['plan_not_found'],
})
export const adminGetAccount = route({
  ...accounts,
  id: 'adminGetAccount',
  method: 'GET',
  path: '/accounts/{id}',
  summary: 'Read an account',
  params: byId,
  answer: OneAccount,
  reasons: ['account_not_found'],
})
export const adminUpdateAccount = route({
  ...accounts,
  id: 'adminUpdateAccount',
  method: 'PATCH',
  path: '/accounts/{id}',
  summary: 'Rename an account',
  params: byId,
  body: z
    .strictObject({ name: plainText(1, 128) })
    .meta({ id: 'UpdateAccount', examples: [{ name: 'Acme Ltd' }] }),
  answer: OneAccount,
  reasons: ['account_not_found'],
})
export const adminDeleteAccount = route({
  ...accounts,
  id: 'adminDeleteAccount',
  method: 'DELETE',
  path: '/accounts/{id}',
  summary: 'Delete an account that has no instances',
  params: byId,
  answer: Gone,
  reasons: ['account_not_found', 'account_has_instances'],
})
export const adminUpdateSubscription = route({
  ...accounts,
  id: 'adminUpdateSubscription',
  method: 'PATCH',
  path: '/accounts/{id}/subscription',
  summary: 'Change plan, status or dates of a subscription',
  params: byId,
  body: z
    .strictObject(subscriptionFields)
    .meta({ id: 'UpdateSubscription', examples: [{ status: 'past_due' }] }),
  answer: OneAccount,
  reasons: ['account_not_found', 'plan_not_found'],
})

export const adminListInstances = route({
  ...common,
  tag: 'Operator: accounts',
  id: 'adminListInstances',
  method: 'GET',
  path: '/instances',
  summary: 'List the instances of all accounts, newest first',
  query: z.strictObject({
    ...listQuery.shape,
    accountId: pathId.optional().meta({ description: 'Only those of this account' }),
    state: z.enum(CONNECTION_STATES).optional(),
    search: z.string().max(100).optional().meta({
      description: 'Literally, in the display name, the API name, the number or the account; any case',
    }),
  }),
  answer: z.object({
    success,
    ...paging,
    instances: z.array(
      z
        .object({
          ...Instance.shape,
          account: z.object({ id: z.int(), name: z.string() }),
          queued: z.int().meta({ description: 'Messages that wait to be sent' }),
        })
        .meta({ id: 'OperatorInstance' }),
    ),
  }),
  reasons: ['account_not_found'],
})

const users = { ...common, tag: 'Operator: users' } as const
export const adminListUsers = route({
  ...users,
  id: 'adminListUsers',
  method: 'GET',
  path: '/accounts/{id}/users',
  summary: 'List the users of an account',
  params: byId,
  query: listQuery,
  answer: z.object({ success, ...paging, users: z.array(User) }),
  reasons: ['account_not_found'],
})
export const adminCreateUser = route({
  ...users,
  id: 'adminCreateUser',
  method: 'POST',
  path: '/accounts/{id}/users',
  summary: 'Add a user to an account',
  params: byId,
  body: z
    .strictObject(userFields)
    .meta({ id: 'CreateUser', examples: [{ name: 'Ana Souza', email: 'ana@example.com' }] }),
  answer: OneUser,
  reasons: ['account_not_found', 'user_exists', 'limit_reached'],
})
export const adminUpdateUser = route({
  ...users,
  id: 'adminUpdateUser',
  method: 'PATCH',
  path: '/accounts/{id}/users/{userId}',
  summary: 'Change a user; what is omitted stays',
  params: byAccountAndUser,
  body: z
    .strictObject(userFields)
    .partial()
    .meta({ id: 'UpdateUser', examples: [{ name: 'Ana Lima' }] }),
  answer: OneUser,
  reasons: ['user_not_found', 'user_exists'],
})
export const adminDeleteUser = route({
  ...users,
  id: 'adminDeleteUser',
  method: 'DELETE',
  path: '/accounts/{id}/users/{userId}',
  summary: 'Remove a user',
  params: byAccountAndUser,
  answer: Gone,
  reasons: ['user_not_found'],
})

const keys = { ...common, tag: 'Operator: keys' } as const
export const adminListKeys = route({
  ...keys,
  id: 'adminListKeys',
  method: 'GET',
  path: '/accounts/{id}/api-keys',
  summary: 'List the keys of an account',
  params: byId,
  answer: ApiKeyList,
  reasons: ['account_not_found'],
})
export const adminCreateKey = route({
  ...keys,
  id: 'adminCreateKey',
  method: 'POST',
  path: '/accounts/{id}/api-keys',
  summary: 'Make a key for an account',
  params: byId,
  body: NewApiKeyBody,
  answer: ApiKeyCreated,
  reasons: ['account_not_found'],
})
export const adminRevokeKey = route({
  ...keys,
  id: 'adminRevokeKey',
  method: 'DELETE',
  path: '/accounts/{id}/api-keys/{keyId}',
  summary: 'Revoke a key of an account',
  params: byAccountAndKey,
  answer: ApiKeyRevoked,
  reasons: ['api_key_not_found'],
})
export const adminRotateKey = route({
  ...keys,
  id: 'adminRotateKey',
  method: 'POST',
  path: '/accounts/{id}/api-keys/{keyId}/rotate',
  summary: 'Replace a key of an account',
  params: byAccountAndKey,
  body: RotateApiKeyBody,
  answer: ApiKeyCreated,
  reasons: ['api_key_not_found'],
})

/** A new account names its plan once, beside its name. */
function omitPlan({ planId: _planId, ...rest }: typeof subscriptionFields) {
  return rest
}
