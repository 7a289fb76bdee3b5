// `plans`: the plans of this server. Needs the operator key.
import type { z } from 'zod'
import { INTERVALS, type Interval, UNLIMITED } from '../../contract/account.ts'
import type { Plan } from '../../contract/admin.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { command, type Output, parseWholeNumber, SERVER_OPTIONS } from './command.ts'
import { nextPageHint, record, table } from './print.ts'
import { UsageError } from './usage-error.ts'

type PlanAnswer = z.output<typeof Plan>

const fieldsOf = ({ id, name, interval, currency, amount, limits, requestsPerSecond }: PlanAnswer) => ({
  id,
  name,
  price: `${amount} ${currency}/${interval}`,
  users: limits.users,
  contacts: limits.contacts,
  instances: limits.instances,
  messages: limits.messages ?? 'not metered',
  'requests/s': requestsPerSecond,
})

const one = (answer: { plan: PlanAnswer }): Output => ({ json: answer, text: record(fieldsOf(answer.plan)) })

const limitOption = (what: string) =>
  ({ type: 'string', value: 'N', help: `${what}; default: unlimited` }) as const

const quota = (name: string, text: string | undefined): number | typeof UNLIMITED =>
  text === undefined || text === 'unlimited' ? UNLIMITED : parseWholeNumber(name, text)

function requireInterval(text: string): Interval {
  const interval = INTERVALS.find((known) => known === text)
  if (interval === undefined) throw new UsageError(`--interval: expected one of ${INTERVALS.join(', ')}`)
  return interval
}

export const planCommands = [
  command({
    name: 'plans list',
    summary: 'List plans',
    parameters: [],
    options: {
      ...SERVER_OPTIONS,
      page: { type: 'string', value: 'N', help: 'Page number, starting at 1' },
      limit: { type: 'string', value: 'N', help: 'Items per page, 1 to 100' },
    },
    async run(context, { page, limit }) {
      const answer = await (await context.operator()).adminListPlans({
        query: omitUndefined({ page, limit }),
      })
      const columns = ['id', 'name', 'price', 'users', 'contacts', 'instances', 'messages', 'requests/s']
      const rows = answer.plans.map((plan) => Object.values(fieldsOf(plan)))
      return { json: answer, text: table(columns, rows) + nextPageHint(answer) }
    },
  }),
  command({
    name: 'plans create',
    summary: 'Create a plan',
    parameters: ['NAME'],
    options: {
      ...SERVER_OPTIONS,
      interval: { type: 'string', value: 'INTERVAL', help: `One of ${INTERVALS.join(', ')}; default: month` },
      currency: { type: 'string', value: 'CODE', help: 'Lower-case currency code; default: usd' },
      amount: { type: 'string', value: 'N', help: 'Price in the smallest unit of the currency; default: 0' },
      users: limitOption('Users'),
      contacts: limitOption('Contacts'),
      instances: limitOption('Instances'),
      messages: {
        type: 'string',
        value: 'N',
        help: 'Messages per period, or none if not metered; default: unlimited',
      },
      'requests-per-second': {
        type: 'string',
        value: 'N',
        help: 'Requests per second per key; applies if it is below RATE_LIMIT',
      },
    },
    async run(context, values, [name]) {
      const { interval, amount, currency, messages } = values
      const rate = values['requests-per-second']
      const limits = {
        users: quota('users', values.users),
        contacts: quota('contacts', values.contacts),
        instances: quota('instances', values.instances),
        messages: messages === 'none' ? null : quota('messages', messages),
      }
      const optional = omitUndefined({
        interval: interval === undefined ? undefined : requireInterval(interval),
        currency,
        amount: amount === undefined ? undefined : parseWholeNumber('amount', amount),
        requestsPerSecond: rate === undefined ? undefined : parseWholeNumber('requests-per-second', rate),
      })
      return one(await (await context.operator()).adminCreatePlan({ body: { name, limits, ...optional } }))
    },
  }),
  command({
    name: 'plans show',
    summary: 'Show a plan',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    run: async (context, _values, [id]) =>
      one(await (await context.operator()).adminGetPlan({ params: { id } })),
  }),
  command({
    name: 'plans update',
    summary: 'Update a plan from a JSON object; omitted fields stay unchanged',
    parameters: ['ID'],
    options: {
      ...SERVER_OPTIONS,
      body: {
        type: 'string',
        value: 'FILE',
        required: true,
        help: 'JSON file with the fields to change; - reads standard input',
      },
    },
    run: async (context, values, [id]) =>
      one(
        await (await context.operator()).adminUpdatePlan({
          params: { id },
          body: await context.readJson(values.body),
        }),
      ),
  }),
  command({
    name: 'plans delete',
    summary: 'Delete a plan that no account uses',
    parameters: ['ID'],
    options: SERVER_OPTIONS,
    async run(context, _values, [id]) {
      const answer = await (await context.operator()).adminDeletePlan({ params: { id } })
      return { json: answer, text: `Plan ${answer.id} deleted.` }
    },
  }),
]
