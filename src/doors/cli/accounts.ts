// `accounts`: the accounts of this server and their subscriptions. Needs the operator key.
import type { z } from 'zod'
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../../contract/account.ts'
import type { Account } from '../../contract/admin.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { command, type Output, parseWholeNumber, SERVER_OPTIONS } from './command.ts'
import { nextPageHint, record, table } from './print.ts'
import { UsageError } from './usage-error.ts'

type AccountAnswer = z.output<typeof Account>

const paging = {
  page: { type: 'string', value: 'N', help: 'Page number, starting at 1' },
  limit: { type: 'string', value: 'N', help: 'Items per page, 1 to 100' },
} as const

const subscriptionOptions = {
  status: { type: 'string', value: 'STATUS', help: `One of ${SUBSCRIPTION_STATUSES.join(', ')}` },
  'period-start': {
    type: 'string',
    value: 'TIME',
    help: 'Start of the current period, such as 2026-01-31T12:00:00Z',
  },
  'period-end': { type: 'string', value: 'TIME', help: 'End of the current period, or none' },
  'trial-ends': { type: 'string', value: 'TIME', help: 'End of the trial, or none' },
  expires: { type: 'string', value: 'TIME', help: 'End of the subscription, or none' },
} as const

type SubscriptionValues = { [K in keyof typeof subscriptionOptions]?: string | undefined }

const subscriptionOf = (values: SubscriptionValues) =>
  omitUndefined({
    status: values.status === undefined ? undefined : requireStatus(values.status),
    currentPeriodStart: values['period-start'],
    currentPeriodEnd: timeOrNone(values['period-end']),
    trialEndsAt: timeOrNone(values['trial-ends']),
    expiresAt: timeOrNone(values.expires),
  })

const timeOrNone = (text: string | undefined): string | null | undefined => (text === 'none' ? null : text)

function requireStatus(text: string): SubscriptionStatus {
  const status = SUBSCRIPTION_STATUSES.find((known) => known === text)
  if (status === undefined)
    throw new UsageError(`--status: expected one of ${SUBSCRIPTION_STATUSES.join(', ')}`)
  return status
}

const fieldsOf = ({ id, name, plan, subscription, createdAt }: AccountAnswer) => ({
  id,
  name,
  plan: `${plan.name} (${plan.id})`,
  status: subscription.status,
  access: subscription.hasAccess,
  'ends at': subscription.effectiveExpiry,
  created: createdAt,
})

const one = (answer: { account: AccountAnswer }): Output => ({
  json: answer,
  text: record(fieldsOf(answer.account)),
})

export const accountCommands = [
  command({
    name: 'accounts list',
    summary: 'List accounts',
    parameters: [],
    options: { ...SERVER_OPTIONS, ...paging },
    async run(context, { page, limit }) {
      const answer = await (await context.operator()).adminListAccounts({
        query: omitUndefined({ page, limit }),
      })
      const columns = ['id', 'name', 'plan', 'status', 'access', 'ends at', 'created']
      const rows = answer.accounts.map((account) => Object.values(fieldsOf(account)))
      return { json: answer, text: table(columns, rows) + nextPageHint(answer) }
    },
  }),
  command({
    name: 'accounts create',
    summary: 'Create an account and show its first API key (only once)',
    parameters: ['NAME'],
    options: {
      ...SERVER_OPTIONS,
      plan: { type: 'string', value: 'ID', required: true, help: 'Plan of the account; see plans list' },
      ...subscriptionOptions,
    },
    async run(context, values, [name]) {
      const body = { name, planId: parseWholeNumber('plan', values.plan), ...subscriptionOf(values) }
      const answer = await (await context.operator()).adminCreateAccount({ body })
      const text = `${record(fieldsOf(answer.account))}\n\nThe API key of the account. It is shown only once:\n\n  ${answer.key}`
      return { json: answer, text }
    },
  }),
  command({
    name: 'accounts show',
    summary: 'Show an account and its subscription',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    run: async (context, _values, [id]) =>
      one(await (await context.operator()).adminGetAccount({ params: { id } })),
  }),
  command({
    name: 'accounts rename',
    summary: 'Rename an account',
    parameters: ['ID', 'NAME'],
    options: SERVER_OPTIONS,
    run: async (context, _values, [id, name]) =>
      one(await (await context.operator()).adminUpdateAccount({ params: { id }, body: { name } })),
  }),
  command({
    name: 'accounts subscription',
    summary: 'Change the plan, status or dates of a subscription; omitted options stay unchanged',
    parameters: ['ID'],
    options: {
      ...SERVER_OPTIONS,
      plan: { type: 'string', value: 'ID', help: 'New plan' },
      ...subscriptionOptions,
    },
    async run(context, values, [id]) {
      const planId = values.plan === undefined ? undefined : parseWholeNumber('plan', values.plan)
      const body = { ...omitUndefined({ planId }), ...subscriptionOf(values) }
      if (Object.keys(body).length === 0) throw new UsageError('nothing to change: give at least one option')
      return one(await (await context.operator()).adminUpdateSubscription({ params: { id }, body }))
    },
  }),
  command({
    name: 'accounts delete',
    summary: 'Delete an account that has no instances',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    async run(context, _values, [id]) {
      const answer = await (await context.operator()).adminDeleteAccount({ params: { id } })
      return { json: answer, text: `Account ${answer.id} deleted.` }
    },
  }),
]
