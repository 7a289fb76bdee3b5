// Runs a batch of hot operations of any kind in one transaction: most of what a commit costs is its fsync.

import { appendEvents } from '../../../events/append-sqlite.ts'
import type { NewEvent } from '../../../events/rules-payloads.ts'
import { saveSession } from '../../../instances/session-sqlite.ts'
import { recordProgress } from '../../../messages/progress-sqlite.ts'
import { saveReceived } from '../../../receiving/received-sqlite.ts'
import { recordReports } from '../../../receiving/report-sqlite.ts'
import { acceptSend } from '../../../sending/accept-sqlite.ts'
import { claimSends, renewClaim, savePayload, settleSend } from '../../../sending/outbox-sqlite.ts'
import { claimDeliveries, settleDelivery } from '../../../webhooks/deliveries-sqlite.ts'
import type {
  OperationCall,
  OperationInput,
  OperationName,
  OperationOutput,
} from '../../operations/hot-operations.ts'
import type { HotTransaction, Prepare, SqliteOperation } from './hot-transaction.ts'

type AnyOperation = (
  tx: HotTransaction,
  inputs: OperationInput<OperationName>[],
) => OperationOutput<OperationName>[]

/** In this order within a transaction. Claims come last, so that they find what was accepted and released in it. */
const OPERATIONS: { [K in OperationName]: SqliteOperation<K> } = {
  acceptSend,
  saveSession,
  savePayload,
  settleSend,
  recordProgress,
  recordReports,
  saveReceived,
  settleDelivery,
  renewClaim,
  claimSends,
  claimDeliveries,
}

export function runOperations(prepare: Prepare, calls: OperationCall[]): OperationOutput<OperationName>[] {
  const outputs: OperationOutput<OperationName>[] = []
  const events: NewEvent[] = []
  const tx: HotTransaction = { prepare, append: (more) => void events.push(...more) }
  for (const [name, run] of Object.entries(OPERATIONS)) {
    // By now every event of the batch is known, and its deliveries can be claimed in the same transaction.
    if (name === 'claimDeliveries') appendEvents(prepare, events)
    const positions = calls.flatMap((call, position) => (call.name === name ? [position] : []))
    if (positions.length === 0) continue
    const inputs = positions.map((position) => (calls[position] as OperationCall).input)
    const made = (run as AnyOperation)(tx, inputs)
    for (const [index, position] of positions.entries())
      outputs[position] = made[index] as OperationOutput<OperationName>
  }
  return outputs
}
