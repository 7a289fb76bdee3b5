// Statistics: what happened in a day, a week or a month, from counts that the gateway keeps.
import { z } from 'zod'
import { instanceName, pathId, queryInteger, success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'
import { STATISTICS_RANGES } from './values.ts'

const count = z.int().min(0)
const MAX_OFFSET_MINUTES = 14 * 60

const Times = z
  .object({
    median: z.int().meta({ description: 'Half of the deliveries took at most this long' }),
    p95: z.int().meta({ description: '95 of 100 deliveries took at most this long' }),
  })
  .meta({ id: 'DeliveryTimes', description: 'Milliseconds from an event to its delivery, as estimates' })

const amounts = {
  sent: count.meta({ description: 'Messages that the network accepted, changes of messages included' }),
  received: count.meta({ description: 'Messages that others sent to the instances, without history' }),
  failed: count.meta({ description: 'Messages that failed, without those that were canceled' }),
  canceled: count.meta({ description: 'Messages that were canceled, or rejected instead of approved' }),
  delivered: count.meta({ description: 'Events that webhooks and destinations have accepted' }),
  retried: count.meta({ description: 'Attempts to deliver an event that failed and are repeated' }),
  dead: count.meta({ description: 'Events that were given up after the last attempt' }),
  deliveryMs: Times.nullable().meta({ description: 'Null if nothing was delivered' }),
}

const StatisticsStep = z
  .object({
    start: timestamp,
    ...amounts,
    sessions: z.object({ open: z.number(), all: z.number() }).nullable().meta({
      description:
        'Connected instances and all instances, on average; null if they were not sampled, or for single instances',
    }),
  })
  .meta({ id: 'StatisticsStep' })

const byReason = z.array(z.object({ reason: z.string(), count })).meta({ description: 'Most frequent first' })

const statistics = {
  success,
  since: timestamp,
  until: timestamp.meta({ description: 'The end of the last step, which may be in the future' }),
  stepHours: z.int().meta({ description: 'Length of a step: 1, 6 or 24 hours' }),
  totals: z.object(amounts),
  steps: z.array(StatisticsStep),
  failures: byReason.meta({ description: 'Why messages failed, most frequent first' }),
  deliveryFailures: byReason.meta({
    description: 'Failed attempts by the status of the answer; `none`: there was no answer',
  }),
  disconnections: byReason.meta({
    description: 'Sessions that closed, by `stateReason`; `none`: without one',
  }),
}

const rangeFields = {
  range: z.enum(STATISTICS_RANGES).default('day').meta({
    description: 'The last 24 hours, 28 quarters of days, or 30 days; ignored with `since`',
  }),
  since: timestamp.optional().meta({ description: 'Start of another range, of at most 31 days' }),
  until: timestamp.optional().meta({ description: 'End of that range; now, if it is absent' }),
  utcOffsetMinutes: queryInteger(-MAX_OFFSET_MINUTES, MAX_OFFSET_MINUTES, 0).meta({
    description: 'How far the clock of the reader is ahead of UTC: days begin at its midnight',
  }),
}

const DESCRIPTION =
  'Counts are kept per hour for 32 days. They are written every few seconds; those of the last seconds before a crash are lost. ' +
  'Ranges of up to 2 days have steps of an hour, up to 8 days of 6 hours, others of a day.'

export const getStatistics = endpoint({
  tag: 'Account',
  summary: 'Get counts of messages, deliveries and sessions',
  description: `${DESCRIPTION} Keys that are limited to instances get the counts of these instances; those limited to chats get none.`,
  query: z.strictObject({
    ...rangeFields,
    instanceName: instanceName.optional().meta({ description: 'Only this instance' }),
  }),
  answer: z
    .object({
      ...statistics,
      webhooks: z
        .array(
          z.object({
            id: z.int(),
            delivered: count,
            retried: count,
            dead: count,
            averageMs: z.int().meta({ description: 'Average time in which the receiver answered' }),
          }),
        )
        .meta({
          description: 'Webhooks and destinations with attempts; empty for keys with limited instances',
        }),
    })
    .meta({ id: 'Statistics' }),
  reasons: ['instance_not_found'],
})

export const adminGetStatistics = endpoint({
  tag: 'Operator: accounts',
  summary: 'Get counts of messages, deliveries and sessions of all accounts, or of one',
  description: DESCRIPTION,
  query: z.strictObject({
    ...rangeFields,
    accountId: pathId.optional().meta({ description: 'Only this account' }),
  }),
  answer: z.object(statistics).meta({ id: 'OperatorStatistics' }),
  reasons: ['account_not_found'],
})
