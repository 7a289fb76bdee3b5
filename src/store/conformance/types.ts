// What a part of the conformance suite gets to work with.
import type { Store, StoreHooks } from '../store.ts'

export interface ConformanceEngine {
  name: Store['engine']
  /** Whether several processes may use one database. */
  shared: boolean
  createLocation(): Promise<ConformanceLocation>
}

/** A new, empty database. */
export interface ConformanceLocation {
  open(hooks?: StoreHooks): Promise<Store>
  /** Runs SQL without the store, as an operator with the database's own tools could. */
  execute(sql: string): Promise<void>
  dispose(): Promise<void>
}

/** A store that all parts of the suite share. It has no lane, message or webhook when a test begins. */
export interface Conformance {
  engine: ConformanceEngine
  storeLocation(): ConformanceLocation
  store(): Store
}
