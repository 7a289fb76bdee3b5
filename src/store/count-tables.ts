// The table of counts per hour.
import type { CountedMetric } from '../statistics/rules-counted.ts'

export interface HourlyCountsTable {
  /** 0: all accounts. */
  account_id: number
  /** 0: all instances of the account. */
  instance_id: number
  /** The start of the hour. */
  hour: number
  metric: CountedMetric
  label: string
  count: number
}
