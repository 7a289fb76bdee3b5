// Stores reports of the network, and reports the messages in them to metrics and traces.

import type { Deps } from '../context.ts'
import type { Started, Tracer } from '../tracer.ts'
import type { NetworkReport } from './report-store.ts'

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
