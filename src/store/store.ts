// The port of the store: what the layers above may ask of it. Both engines implement it and pass one conformance suite.

import type { SearchDialect } from '../contacts/contact-queries.ts'
import type { NewEvent } from '../events/rules-payloads.ts'
import type { MessageSearch } from '../messages/search-queries.ts'
import type { Leases } from './leases.ts'
import type { ClaimName, ClaimOffer } from './operations/claim-offer.ts'
import type { HotOperations } from './operations/hot-operations.ts'
import type { Db } from './tables.ts'

export interface Store extends HotOperations {
  readonly engine: 'sqlite' | 'postgres'
  /** Ordinary queries, each in its own transaction. Reads see everything that was committed before them. */
  readonly db: Db
  readonly search: SearchDialect
  readonly messageSearch: MessageSearch

  /** All or nothing: everything `work` writes is committed when the promise resolves, and nothing when it rejects. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>

  /**
   * As `transaction`, for changes of one instance that many instances make at the same time. On PostgreSQL such transactions share
   * commits. The instance is locked when `work` begins. `work` locks no other row except rows of the instance, and may be repeated.
   */
  instanceTransaction<T>(instanceId: number, work: (tx: Db) => Promise<T>): Promise<T>

  /**
   * Numbers the events, writes them and creates their deliveries, as part of `tx`. Call it last: from here to the commit, other
   * transactions that append events of the same account wait.
   */
  appendEvents(tx: Db, events: NewEvent[]): Promise<void>

  /** Runs `listener` after each commit of this process that appended events, until the returned function is called. */
  onEvents(listener: (appended: AppendedEvents) => void): () => void

  /**
   * Until the returned function is called, commits that make sends or deliveries due also claim them for this worker. Undefined: on
   * this engine a worker claims after the commit, in a transaction of its own.
   */
  offerClaim?<K extends ClaimName>(name: K, offer: ClaimOffer<K>): () => void

  /** The leases of the processes on this database. Undefined: the engine serves one process. */
  openLeases?(): Leases

  /** Resolves when the store can read and write. */
  check(): Promise<void>

  close(): Promise<void>
}

export interface AppendedEvents {
  /** False: the commit has certainly made no delivery due, or has claimed those that are. */
  areDeliveriesDue: boolean
}

export interface CommitMeasure {
  durationMs: number
  /** Calls that shared the commit. */
  size: number
}

export interface StoreLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface StoreHooks {
  log?: StoreLog | undefined
  onCommit?: ((measure: CommitMeasure) => void) | undefined
  /** The engine has failed and does not recover without a restart. */
  onFatal?: ((error: Error) => void) | undefined
  /** A newer program has changed the schema: this one must end without writing anything. */
  onOutdated?: ((error: Error) => void) | undefined
}
