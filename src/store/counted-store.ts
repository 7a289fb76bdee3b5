// A store that counts what it commits (decision 0171): messages that were sent, received or failed, and sessions that closed. Counting is
// an addition in memory after the commit, so that it costs no statement.

import type { NewEvent } from '../events/rules-payloads.ts'
import type { NetworkReport } from '../receiving/report-store.ts'
import {
  eventOccurrence,
  type Occurrence,
  receivedOccurrence,
  settledOccurrence,
} from '../statistics/rules-counted.ts'
import type { Store } from './store.ts'
import type { Db } from './tables.ts'

export function countedStore(store: Store, count: (occurrence: Occurrence) => void): Store {
  const appended = new WeakMap<Db, NewEvent[]>()
  const countIf = (occurrence: Occurrence | undefined) => {
    if (occurrence) count(occurrence)
  }
  const countReports = (reports: readonly NetworkReport[], stored: (index: number) => boolean) => {
    for (const [index, report] of reports.entries()) if (stored(index)) countIf(receivedOccurrence(report))
  }
  /** Work that is repeated gets another transaction: only the events of the one that was committed count. */
  const counting = <T>(run: (work: (tx: Db) => Promise<T>) => Promise<T>, work: (tx: Db) => Promise<T>) => {
    let events: NewEvent[] = []
    return run((tx) => {
      events = []
      appended.set(tx, events)
      return work(tx)
    }).then((result) => {
      for (const event of events) countIf(eventOccurrence(event))
      return result
    })
  }
  const counted: Partial<Store> = {
    transaction: (work) => counting(store.transaction, work),
    instanceTransaction: (instanceId, work) =>
      counting((run) => store.instanceTransaction(instanceId, run), work),
    async appendEvents(tx, events) {
      await store.appendEvents(tx, events)
      appended.get(tx)?.push(...events)
    },
    async settleSend(request) {
      const isSettled = await store.settleSend(request)
      if (isSettled) countIf(settledOccurrence(request.instanceId, request.now, request.outcome))
      return isSettled
    },
    async recordReports(reports) {
      const stored = await store.recordReports(reports)
      countReports(reports, (index) => stored[index] === true)
      return stored
    },
    async saveReceived(write) {
      const isSaved = await store.saveReceived(write)
      if (isSaved) countReports(write.reports, () => true)
      return isSaved
    },
  }
  // The other operations are those of the store at the time of the call, so that a test can replace one.
  return Object.assign(Object.create(store) as Store, counted)
}
