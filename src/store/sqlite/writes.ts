// The hot writes, whatever their kind, that wait at the same time go into one transaction: what a commit costs is its fsync.
import type { AcceptOutcome, SendToAccept } from '../accept.ts'
import type { ClaimedWork, DeliveryClaimRequest, DeliverySettlement } from '../deliveries.ts'
import type { NewEvent } from '../event-log.ts'
import type { ClaimedSend, ClaimRequest, SentPayload, SettleRequest } from '../lanes.ts'
import type { Progress } from '../progress.ts'
import type { SessionWrite } from '../session-keys.ts'
import { claimDeliveries, settleDeliveries } from './delivery-operations.ts'
import { appendEvents } from './event-operations.ts'
import { acceptSends, claimSends } from './operations.ts'
import { moveMessages } from './progress-operations.ts'
import { saveSessions } from './session-operations.ts'
import { keepPayloads, settleSends } from './settle-operations.ts'
import type { Prepare } from './worker.ts'

export interface Writes {
  accept: { input: SendToAccept; output: AcceptOutcome }
  saveSession: { input: SessionWrite; output: boolean }
  keepPayload: { input: SentPayload; output: null }
  settle: { input: SettleRequest; output: boolean }
  moveMessage: { input: Progress; output: boolean }
  settleDelivery: { input: DeliverySettlement; output: boolean }
  claim: { input: ClaimRequest; output: ClaimedSend[] }
  claimDeliveries: { input: DeliveryClaimRequest; output: ClaimedWork[] }
}
export type WriteKind = keyof Writes
export type Write = { [K in WriteKind]: { kind: K; input: Writes[K]['input'] } }[WriteKind]
export type WriteOutput = Writes[WriteKind]['output']

/** A transaction of hot writes. */
export interface HotTransaction {
  prepare: Prepare
  /** Kept until all that causes events is written: a batch of them costs little more than one. */
  append(events: NewEvent[]): void
}

type Run = { [K in WriteKind]: (tx: HotTransaction, inputs: Writes[K]['input'][]) => Writes[K]['output'][] }

/** In this order within a transaction: claims come last, so that they find what was accepted and freed just now. */
const RUN: Run = {
  accept: acceptSends,
  saveSession: ({ prepare }, writes) => saveSessions(prepare, writes),
  keepPayload: ({ prepare }, payloads) => keepPayloads(prepare, payloads),
  settle: settleSends,
  moveMessage: moveMessages,
  settleDelivery: ({ prepare }, settlements) => settleDeliveries(prepare, settlements),
  claim: (tx, requests) => requests.map((request) => claimSends(tx, request)),
  claimDeliveries: ({ prepare }, requests) => requests.map((request) => claimDeliveries(prepare, request)),
}

export function runWrites(prepare: Prepare, writes: Write[]): WriteOutput[] {
  const outputs: WriteOutput[] = []
  const events: NewEvent[] = []
  const tx: HotTransaction = { prepare, append: (more) => void events.push(...more) }
  for (const [kind, run] of Object.entries(RUN)) {
    // All causes are written by then, and what they make for webhooks can be claimed at once.
    if (kind === 'claimDeliveries') appendEvents(prepare, events)
    const places = writes.flatMap((write, place) => (write.kind === kind ? [place] : []))
    if (places.length === 0) continue
    const inputs = places.map((place) => (writes[place] as Write).input)
    const made = (run as (tx: HotTransaction, inputs: unknown[]) => WriteOutput[])(tx, inputs)
    for (const [index, place] of places.entries()) outputs[place] = made[index] as WriteOutput
  }
  return outputs
}
