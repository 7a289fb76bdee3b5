// `limits`: plan, subscription, usage and limits of your account.
import { command, SERVER_OPTIONS } from './command.ts'
import { record, table } from './print.ts'

export const limits = command({
  name: 'limits',
  summary: 'Show plan, subscription, usage and limits of your account',
  parameters: [],
  options: SERVER_OPTIONS,
  async run(context) {
    const answer = await (await context.account()).accountLimits()
    const { account, plan, subscription } = answer
    const head = {
      account: account.teamName,
      plan: plan.name,
      status: subscription.status,
      access: subscription.hasAccess,
    }
    const rows = Object.entries(answer.limits).map(([resource, limit]) => [
      resource,
      limit?.used,
      limit === null ? 'not metered' : limit.limit,
      limit?.remaining,
    ])
    return {
      json: answer,
      text: `${record(head)}\n\n${table(['resource', 'used', 'limit', 'remaining'], rows)}`,
    }
  },
})
