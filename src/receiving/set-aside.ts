// Sets aside what the gateway cannot process, so that it neither comes back with every connection nor disappears silently.
import type { Deps } from '../context.ts'
import type { EventData } from '../contract/events.ts'
import { setAsideEvent } from '../events/rules-payloads.ts'
import type { Started, Tracer } from '../tracer.ts'
import type { NetworkReport } from './report-store.ts'
import { insertSetAside, markArrivalProcessed } from './set-aside-queries.ts'

export type SetAsideReason = EventData<'messages.set_aside'>['reason']

export interface SetAsideItem extends Omit<EventData<'messages.set_aside'>, 'at'> {
  /** The same for the same thing, which may come several times. */
  name: string
  /** Its content, encrypted. */
  sealed: Uint8Array
  /** The stored arrival that it is, if it was stored before: it counts as processed from now on. */
  arrival?: string | undefined
}

export interface SetAsideDeps extends Pick<Deps, 'store' | 'clock'> {
  /** For the metrics. */
  onSetAside?: ((reason: SetAsideReason) => void) | undefined
}

/** Stores it with its event in one transaction. False: it was set aside before. */
export async function setAside(
  { store, clock, onSetAside }: SetAsideDeps,
  instanceId: number,
  { name, sealed, arrival, ...facts }: SetAsideItem,
): Promise<boolean> {
  const now = clock()
  const isNew = await store.instanceTransaction(instanceId, async (tx) => {
    if (arrival !== undefined) await markArrivalProcessed(tx, instanceId, arrival, now)
    const row = {
      instance_id: instanceId,
      name,
      what: facts.what,
      reason: facts.reason,
      sealed,
      created_at: now,
    }
    if (!(await insertSetAside(tx, row))) return false
    await store.appendEvents(tx, [setAsideEvent(instanceId, facts, now)])
    return true
  })
  if (isNew) onSetAside?.(facts.reason)
  return isNew
}

// Stores reports of the network, and reports the messages in them to metrics and traces.

export interface StoreReportsDeps extends Pick<Deps, 'store' | 'trace'> {
  /** This many messages were stored that are not part of a history. */
  onReceived?: ((messages: number) => void) | undefined
}

/** `started` has the time at which each report began to be processed. False for a report: nothing of it was stored. */
export async function storeReports(
  { store, trace, onReceived }: StoreReportsDeps,
  reports: readonly NetworkReport[],
  started: readonly { started?: Started | undefined }[],
): Promise<boolean[]> {
  const committing = trace?.start()
  const stored = await store.recordReports(reports)
  noteStored({ trace, onReceived }, reports, { stored, started, committing })
  return stored
}

interface StoredFacts {
  /** By report. Absent: all are stored. */
  stored?: readonly boolean[]
  started: readonly { started?: Started | undefined }[]
  /** When the commit began. */
  committing: Started | undefined
}

/** The messages of these reports are stored. */
export function noteStored(
  { trace, onReceived }: Omit<StoreReportsDeps, 'store'>,
  reports: readonly NetworkReport[],
  { stored, started, committing }: StoredFacts,
): void {
  for (const [index, report] of reports.entries()) {
    if (stored?.[index] === false || report.isSilent || report.messages.length === 0) continue
    onReceived?.(report.messages.length)
    if (trace && committing) traceMessages(trace, report, started[index]?.started ?? committing, committing)
  }
}

function traceMessages(
  trace: Tracer,
  { instanceId, messages }: NetworkReport,
  started: Started,
  committing: Started,
): void {
  for (const { row, events } of messages) {
    const names = events.map(({ name }) => name)
    trace.arrival(started, committing, { instanceId, messageId: row.id, kind: row.kind, events: names })
  }
}
