// `plans`: what accounts may use, with the operator's key.
import type { z } from 'zod'
import { INTERVALS, type Interval, UNLIMITED } from '../contract/account.ts'
import type { Plan } from '../contract/admin.ts'
import { command, given, type Output, SERVER_OPTIONS, UsageError, wholeNumber } from './command.ts'
import { pageNote, record, table } from './print.ts'

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
  text === undefined || text === 'unlimited' ? UNLIMITED : wholeNumber(name, text)

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
      page: { type: 'string', value: 'N', help: 'Page, from 1' },
      limit: { type: 'string', value: 'N', help: 'Items per page, 1 to 100' },
    },
    async run(context, { page, limit }) {
      const answer = await (await context.operator()).adminListPlans({ query: given({ page, limit }) })
      const columns = ['id', 'name', 'price', 'users', 'contacts', 'instances', 'messages', 'requests/s']
      const rows = answer.plans.map((plan) => Object.values(fieldsOf(plan)))
      return { json: answer, text: table(columns, rows) + pageNote(answer) }
    },
  }),
  command({
    name: 'plans create',
    summary: 'Make a plan',
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
        help: 'Messages a period; none: not metered; default: unlimited',
      },
      'requests-per-second': { type: 'string', value: 'N', help: 'Less than the server allows' },
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
      const optional = given({
        interval: interval === undefined ? undefined : requireInterval(interval),
        currency,
        amount: amount === undefined ? undefined : wholeNumber('amount', amount),
        requestsPerSecond: rate === undefined ? undefined : wholeNumber('requests-per-second', rate),
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
    summary: 'Change a plan by a JSON object; what is not in it stays',
    parameters: ['ID'],
    options: {
      ...SERVER_OPTIONS,
      body: {
        type: 'string',
        value: 'FILE',
        required: true,
        help: 'The fields to change; - reads standard input',
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
      return { json: answer, text: `Plan ${answer.id} is deleted.` }
    },
  }),
]
