// What can go wrong in a store, told apart the same way on both engines.

/**
 * unique: a row like this exists. reference: a row it points to does not.
 * unavailable: disk, lock or server trouble that may pass. failed: a fault of ours.
 */
export type StoreErrorKind = 'unique' | 'reference' | 'unavailable' | 'failed'

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
