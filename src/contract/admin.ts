// The operator API: plans, accounts, subscriptions, users and keys of all accounts.
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
import { endpoint } from './route.ts'

const quota = z.union([z.int().min(0), z.literal(UNLIMITED)])
export const PlanLimits = z
  .strictObject({
    users: quota,
    contacts: quota,
    instances: quota,
    messages: quota.nullable().meta({ description: 'Per period; null if messages are not metered' }),
  })
  .meta({ id: 'PlanLimits' })

const planFields = {
  name: plainText(1, 64),
  interval: z.enum(INTERVALS),
  currency: z.string().regex(/^[a-z]{3}$/, { error: 'expected a currency code of 3 lower-case letters' }),
  amount: z.int().min(0),
  limits: PlanLimits,
  features: z.strictObject(Features.shape),
  requestsPerSecond: z
    .int()
    .positive()
    .nullable()
    .meta({ description: 'Per key. Applies if it is below `RATE_LIMIT`; null for no limit of the plan' }),
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

const byId = z.strictObject({ id: pathId })
const byAccountAndUser = z.strictObject({ id: pathId, userId: pathId })
const byAccountAndKey = z.strictObject({ id: pathId, keyId: pathId })
const listQuery = z.strictObject({ page, limit })
const paging = { count: z.int(), page: z.int(), limit: z.int(), hasMore: z.boolean() }
const OnePlan = z.object({ success, plan: Plan })
const OneAccount = z.object({ success, account: Account })
const OneUser = z.object({ success, user: User })
const Deleted = z.object({ success, id: z.int() })

export const adminResume = endpoint({
  tag: 'Operator: gateway',
  summary: 'Resume a held gateway: start sessions, sending and webhooks',
  description:
    'A restored database is held. Stop the original gateway first: this one takes over its sessions, sends the queued messages and ' +
    'delivers the pending events. Does nothing if the gateway is not held.',
  answer: z.object({
    success,
    resumed: z.boolean().meta({ description: 'False if the gateway was not held' }),
  }),
  reasons: ['held_by_setting'],
})

const plans = { tag: 'Operator: plans' } as const
export const adminListPlans = endpoint({
  ...plans,
  summary: 'List plans',
  query: listQuery,
  answer: z.object({ success, ...paging, plans: z.array(Plan) }),
  reasons: [],
})
export const adminCreatePlan = endpoint({
  ...plans,
  summary: 'Create a plan',
  body: PlanBody,
  answer: OnePlan,
  reasons: [],
})
export const adminGetPlan = endpoint({
  ...plans,
  summary: 'Get a plan',
  params: byId,
  answer: OnePlan,
  reasons: ['plan_not_found'],
})
export const adminUpdatePlan = endpoint({
  ...plans,
  summary: 'Update a plan; omitted fields stay unchanged',
  params: byId,
  body: z
    .strictObject(planFields)
    .partial()
    .meta({ id: 'UpdatePlan', examples: [{ amount: 3900 }] }),
  answer: OnePlan,
  reasons: ['plan_not_found'],
})
export const adminDeletePlan = endpoint({
  ...plans,
  summary: 'Delete a plan that no account uses',
  params: byId,
  answer: Deleted,
  reasons: ['plan_not_found', 'plan_in_use'],
})

const accounts = { tag: 'Operator: accounts' } as const
export const adminListAccounts = endpoint({
  ...accounts,
  summary: 'List accounts',
  query: listQuery,
  answer: z.object({ success, ...paging, accounts: z.array(Account) }),
  reasons: [],
})
export const adminCreateAccount = endpoint({
  ...accounts,
  summary: 'Create an account and its first API key',
  body: z
    .strictObject({ name: plainText(1, 128), planId: z.int().positive(), ...omitPlan(subscriptionFields) })
    .meta({ id: 'CreateAccount', examples: [{ name: 'Acme', planId: 1 }] }),
  answer: z.object({
    ...OneAccount.shape,
    key: z.string().meta({ description: 'The first API key of the account. It is shown only once' }),
  }),
  reasons: ['plan_not_found'],
})
export const adminGetAccount = endpoint({
  ...accounts,
  summary: 'Get an account',
  params: byId,
  answer: OneAccount,
  reasons: ['account_not_found'],
})
export const adminUpdateAccount = endpoint({
  ...accounts,
  summary: 'Rename an account',
  params: byId,
  body: z
    .strictObject({ name: plainText(1, 128) })
    .meta({ id: 'UpdateAccount', examples: [{ name: 'Acme Ltd' }] }),
  answer: OneAccount,
  reasons: ['account_not_found'],
})
export const adminDeleteAccount = endpoint({
  ...accounts,
  summary: 'Delete an account that has no instances',
  params: byId,
  answer: Deleted,
  reasons: ['account_not_found', 'account_has_instances'],
})
export const adminUpdateSubscription = endpoint({
  ...accounts,
  summary: 'Change the plan, status or dates of a subscription',
  params: byId,
  body: z
    .strictObject(subscriptionFields)
    .meta({ id: 'UpdateSubscription', examples: [{ status: 'past_due' }] }),
  answer: OneAccount,
  reasons: ['account_not_found', 'plan_not_found'],
})

export const adminListInstances = endpoint({
  tag: 'Operator: accounts',
  summary: 'List the instances of all accounts, newest first',
  query: z.strictObject({
    ...listQuery.shape,
    accountId: pathId.optional().meta({ description: 'Only instances of this account' }),
    state: z.enum(CONNECTION_STATES).optional(),
    search: z.string().max(100).optional().meta({
      description: 'Case-insensitive text in the display name, API name, number or account name',
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
          queued: z.int().meta({ description: 'Number of messages in the queue' }),
        })
        .meta({ id: 'OperatorInstance' }),
    ),
  }),
  reasons: ['account_not_found'],
})

const users = { tag: 'Operator: users' } as const
export const adminListUsers = endpoint({
  ...users,
  summary: 'List the users of an account',
  params: byId,
  query: listQuery,
  answer: z.object({ success, ...paging, users: z.array(User) }),
  reasons: ['account_not_found'],
})
export const adminCreateUser = endpoint({
  ...users,
  summary: 'Add a user to an account',
  params: byId,
  body: z
    .strictObject(userFields)
    .meta({ id: 'CreateUser', examples: [{ name: 'Ana Souza', email: 'ana@example.com' }] }),
  answer: OneUser,
  reasons: ['account_not_found', 'user_exists', 'limit_reached'],
})
export const adminUpdateUser = endpoint({
  ...users,
  summary: 'Update a user; omitted fields stay unchanged',
  params: byAccountAndUser,
  body: z
    .strictObject(userFields)
    .partial()
    .meta({ id: 'UpdateUser', examples: [{ name: 'Ana Lima' }] }),
  answer: OneUser,
  reasons: ['user_not_found', 'user_exists'],
})
export const adminDeleteUser = endpoint({
  ...users,
  summary: 'Remove a user',
  params: byAccountAndUser,
  answer: Deleted,
  reasons: ['user_not_found'],
})

const keys = { tag: 'Operator: keys' } as const
export const adminListKeys = endpoint({
  ...keys,
  summary: 'List the API keys of an account',
  params: byId,
  answer: ApiKeyList,
  reasons: ['account_not_found'],
})
export const adminCreateKey = endpoint({
  ...keys,
  summary: 'Create an API key for an account',
  params: byId,
  body: NewApiKeyBody,
  answer: ApiKeyCreated,
  reasons: ['account_not_found'],
})
export const adminRevokeKey = endpoint({
  ...keys,
  summary: 'Revoke an API key of an account',
  params: byAccountAndKey,
  answer: ApiKeyRevoked,
  reasons: ['api_key_not_found'],
})
export const adminRotateKey = endpoint({
  ...keys,
  summary: 'Replace an API key of an account',
  params: byAccountAndKey,
  body: RotateApiKeyBody,
  answer: ApiKeyCreated,
  reasons: ['api_key_not_found', 'rotated_meanwhile'],
})

function omitPlan({ planId: _planId, ...rest }: typeof subscriptionFields) {
  return rest
}
