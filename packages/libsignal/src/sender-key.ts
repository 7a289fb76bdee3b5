// The state of one key of a sender in a group. States are never changed: each step returns a new one.

export interface SenderKey {
  readonly id: number
  /** The number of the next message. */
  readonly iteration: number
  readonly chainKey: Buffer
  readonly signingKey: Buffer
  /** Null for the keys of others. */
  readonly signingSecret: Buffer | null
  /** The keys of messages that were overtaken by later ones, by number. */
  readonly skipped: ReadonlyMap<number, Buffer>
}
