// Activity of an instance: messages per hour, queue length, last failure.
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import type { instanceActivity } from '../contract/instances.ts'
import { iso } from '../kernel/time.ts'
import * as rows from './activity-queries.ts'
import { requireInstance, toReference } from './instances.ts'

type Activity = Omit<z.output<(typeof instanceActivity)['answer']>, 'success'>

const HOUR_MS = 60 * 60 * 1000
const HOURS = 24

export async function readActivity(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  caller: Caller,
  apiName: string,
): Promise<Activity> {
  const instance = await requireInstance({ store }, caller.account.id, apiName)
  const now = clock()
  const first = now - (now % HOUR_MS) - (HOURS - 1) * HOUR_MS
  const counts = await rows.countByHour(store.db, instance.id, first)
  const failure = await rows.lastFailure(store.db, instance.id)
  return {
    instance: toReference(instance),
    queued: instance.queued_count,
    lastFailure: failure
      ? {
          messageId: failure.id,
          reason: failure.failure_reason ?? 'internal',
          error: failure.failure_error ?? '',
          code: failure.failure_code,
          failedAt: iso(failure.updated_at),
        }
      : null,
    hours: Array.from({ length: HOURS }, (_each, index) => hourOf(counts, first + index * HOUR_MS)),
    isPartial: counts.reduce((sum, { messages }) => sum + messages, 0) >= rows.COUNTED_MESSAGES,
  }
}

function hourOf(counts: rows.HourCount[], hour: number): Activity['hours'][number] {
  const sum = (fits: (count: rows.HourCount) => boolean): number =>
    counts
      .filter((count) => count.hour === hour && fits(count))
      .reduce((all, { messages }) => all + messages, 0)
  return {
    hour: iso(hour),
    sent: sum(({ direction, failed }) => direction === 'outgoing' && failed === 0),
    received: sum(({ direction }) => direction === 'incoming'),
    failed: sum(({ direction, failed }) => direction === 'outgoing' && failed === 1),
  }
}
