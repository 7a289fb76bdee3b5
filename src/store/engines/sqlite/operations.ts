// The hot operations on SQLite, as the main thread offers them. All of them share one batcher, and so their commits.
import type { Mutex } from '../../../kernel/async/mutex.ts'
import type {
  HotOperations,
  OperationCall,
  OperationInput,
  OperationName,
  OperationOutput,
} from '../../operations/hot-operations.ts'
import type { CommitMeasure } from '../../store.ts'
import { createBatcher, limitWaiting } from '../batcher.ts'
import type { EventSignal } from '../event-signal.ts'
import type { ClaimOffers } from './claim-offers.ts'
import type { SqliteClient } from './worker-client.ts'

/** A larger transaction would noticeably delay the first of its calls. */
const MAX_BATCH = 256

interface OperationParts {
  client: SqliteClient
  writer: Mutex
  signal: Pick<EventSignal, 'notify'>
  offers: Pick<ClaimOffers, 'joining' | 'committed'>
  onCommit?: ((measure: CommitMeasure) => void) | undefined
}

export function createSqliteOperations(parts: OperationParts): HotOperations {
  const { client, writer, signal, offers, onCommit } = parts
  async function commitWithClaims(calls: OperationCall[]) {
    const joining = offers.joining(calls)
    const all = [...calls, ...joining.map(({ call }) => call)]
    const made = await client.call('runOperations', all).catch((error: unknown) => {
      for (const claim of joining) claim.failed()
      throw error
    })
    for (const [index, claim] of joining.entries()) claim.take(made[calls.length + index])
    offers.committed(calls, joining)
    return { all, made }
  }
  async function commit(calls: OperationCall[]): Promise<OperationOutput<OperationName>[]> {
    const { all, made } = await writer.runExclusive(() => commitWithClaims(calls))
    if (all.some(({ name }, position) => hasAppended(name, made[position])))
      signal.notify({ areDeliveriesDue: !all.some(({ name }) => name === 'claimDeliveries') })
    return made.slice(0, calls.length)
  }
  const run = createBatcher(commit, { maxSize: MAX_BATCH, onCommit, delayMs })
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

/** The longest wait of calls that delay no other: not noticeable to people, and enough for several commits of a disk. */
const SHORT_DELAY_MS = 10
/** Of the results of deliveries. */
const LONG_DELAY_MS = 50

/**
 * No caller is delayed while these wait for the next commit: a receipt, the outcome of a message whose run continues, a payload, which
 * is followed at once by the session keys that encrypt it (decision 0066), and a delivery that no other waits for.
 */
function delayMs({ name, input }: OperationCall): number {
  if (name === 'settleDelivery') return input.mayWait ? LONG_DELAY_MS : 0
  const mayWait =
    name === 'recordProgress' || name === 'savePayload' || (name === 'settleSend' && !input.release)
  return mayWait ? SHORT_DELAY_MS : 0
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
