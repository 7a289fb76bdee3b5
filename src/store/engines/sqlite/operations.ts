// The hot operations on SQLite, as the main thread offers them. All of them share one batcher, and so their commits.
import type { Mutex } from '../../../async/mutex.ts'
import {
  type HotOperations,
  type OperationCall,
  type OperationInput,
  type OperationName,
  type OperationOutput,
} from '../../operations/hot-operations.ts'
import type { CommitMeasure } from '../../store.ts'
import { createBatcher, limitWaiting } from '../batcher.ts'
import type { AppendWatch } from '../event-signal.ts'
import type { SqliteClient } from './worker-client.ts'

/** A larger transaction would noticeably delay the first of its calls. */
const MAX_BATCH = 256

interface OperationParts {
  client: SqliteClient
  writer: Mutex
  appends: AppendWatch
  onCommit?: ((measure: CommitMeasure) => void) | undefined
}

export function createSqliteOperations({ client, writer, appends, onCommit }: OperationParts): HotOperations {
  const run = createBatcher<OperationCall, OperationOutput<OperationName>>(
    (calls) =>
      appends.after(
        writer.runExclusive(() => client.call('runOperations', calls)),
        (outputs) => calls.some(({ name }, position) => hasAppended(name, outputs[position])),
      ),
    { maxSize: MAX_BATCH, onCommit, isLowPriority },
  )
  const operation =
    <K extends OperationName>(name: K) =>
    (input: OperationInput<K>) =>
      run({ name, input } as OperationCall) as Promise<OperationOutput<K>>
  return {
    acceptSend: limitWaiting(operation('acceptSend')),
    claimSends: operation('claimSends'),
    renewClaim: operation('renewClaim'),
    savePayload: operation('savePayload'),
    settleSend: operation('settleSend'),
    recordProgress: operation('recordProgress'),
    recordReports: operation('recordReports'),
    claimDeliveries: operation('claimDeliveries'),
    settleDelivery: operation('settleDelivery'),
    saveSession: operation('saveSession'),
    saveReceived: operation('saveReceived'),
  }
}

/**
 * No caller is delayed while these wait for the next commit: a receipt, the outcome of a message whose run continues, and a
 * payload, which is followed at once by the session keys that encrypt it (decision 0066).
 */
function isLowPriority({ name, input }: OperationCall): boolean {
  return name === 'recordProgress' || name === 'savePayload' || (name === 'settleSend' && !input.release)
}

/** By operation, whether this output shows that events were appended. Operations that are not listed append none. */
const APPENDS: Partial<
  Record<OperationName, (output: OperationOutput<OperationName> | undefined) => boolean>
> = {
  acceptSend: () => true,
  claimSends: (claimed) => Array.isArray(claimed) && claimed.length > 0,
  settleSend: (settled) => settled === true,
  recordProgress: (recorded) => recorded === true,
  recordReports: (recorded) => Array.isArray(recorded) && (recorded as unknown[]).includes(true),
  saveReceived: (saved) => saved === true,
}

const hasAppended = (name: OperationName, output: OperationOutput<OperationName> | undefined): boolean =>
  APPENDS[name]?.(output) ?? false
