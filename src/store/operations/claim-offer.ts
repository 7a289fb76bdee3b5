// What a worker offers to the commits that make its work due.
import type { OperationInput, OperationOutput } from './hot-operations.ts'

export type ClaimName = 'claimSends' | 'claimDeliveries'

/** A worker that can start at once what a commit claims for it. */
export interface ClaimOffer<K extends ClaimName> {
  /** What it takes with the next commit; undefined: nothing now. `take` or `failed` follows a request. */
  wants(): OperationInput<K> | undefined
  take(claimed: OperationOutput<K>, request: OperationInput<K>): void
  /** The commit failed. What it claimed may be locked all the same. */
  failed?(): void
  /** A commit made work due and claimed none: the worker has to claim it. */
  missed?(): void
}
