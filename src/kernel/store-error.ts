// Errors of the store, with the same kinds on both engines.

/**
 * unique: the row exists already. reference: a row that it refers to does not exist.
 * conflict: the engine aborted the transaction in favour of another one. The store repeats it; callers never see this kind.
 * unavailable: a problem of disk, lock or server that may pass. refused: the engine does not take these data, now or later.
 * failed: a bug in this program.
 */
export type StoreErrorKind = 'unique' | 'reference' | 'conflict' | 'unavailable' | 'refused' | 'failed'

export class StoreError extends Error {
  readonly kind: StoreErrorKind

  constructor(kind: StoreErrorKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreError'
    this.kind = kind
  }
}

export const isStoreError = (error: unknown, kind: StoreErrorKind): error is StoreError =>
  error instanceof StoreError && error.kind === kind
