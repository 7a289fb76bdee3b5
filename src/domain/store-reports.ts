// Stores reports of the network, and reports the messages in them to metrics and traces.
import type { NetworkReport } from '../store/operations/report/types.ts'
import type { Deps } from './deps.ts'
import type { Started, Tracer } from './tracer.ts'

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
  for (const [index, report] of reports.entries()) {
    if (stored[index] !== true || report.isSilent || report.messages.length === 0) continue
    onReceived?.(report.messages.length)
    if (trace && committing) traceMessages(trace, report, started[index]?.started ?? committing, committing)
  }
  return stored
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
