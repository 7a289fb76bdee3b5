// What passes between the main thread and the thread that owns the database file.
import type { AcceptOutcome, SendToAccept } from '../accept.ts'
import type { ClaimedWork, DeliveryClaimRequest, DeliverySettlement } from '../deliveries.ts'
import type { NewEvent } from '../event-log.ts'
import type { ClaimedSend, ClaimRequest, SentPayload, SettleRequest } from '../lanes.ts'
import type { SessionWrite } from '../session-keys.ts'

/** `read` sees the last commit; `write` is the one connection that changes things. */
export type Connection = 'read' | 'write'

export interface Operations {
  query: {
    input: { connection: Connection; sql: string; parameters: readonly unknown[] }
    output: QueryOutput
  }
  script: { input: { sql: string }; output: null }
  rollback: { input: null; output: null }
  accept: { input: SendToAccept[]; output: AcceptOutcome[] }
  claim: { input: ClaimRequest; output: ClaimedSend[] }
  settle: { input: SettleRequest[]; output: boolean[] }
  keepPayloads: { input: SentPayload[]; output: null[] }
  claimDeliveries: { input: DeliveryClaimRequest; output: ClaimedWork[] }
  settleDeliveries: { input: DeliverySettlement[]; output: boolean[] }
  saveSessions: { input: SessionWrite[]; output: boolean[] }
  /** Inside the transaction that is open. */
  append: { input: NewEvent[]; output: null }
  close: { input: null; output: null }
}

export interface QueryOutput {
  rows: unknown[]
  affected: number
  lastId: number
}

export type OperationName = keyof Operations

export interface Call {
  id: number
  operation: OperationName
  input: Operations[OperationName]['input']
}

export type Reply =
  | { id: number; ok: true; output: Operations[OperationName]['output'] }
  | { id: number; ok: false; message: string; errcode: number }

export interface WorkerSettings {
  file: string
}
