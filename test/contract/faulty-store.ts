// A store that a test can break or hold, to see what callers then get.
import type { Store } from '../../src/store/store.ts'

export interface Fault {
  /** Raised by whatever is asked of the store; undefined: the store works. */
  error: Error | undefined
  /** Accepting a send waits for this. */
  hold: Promise<void> | undefined
}

export function faultyStore(store: Store, fault: Fault): Store {
  const refuse = (): void => {
    if (fault.error) throw fault.error
  }
  const db = new Proxy(store.db, {
    get(target, property) {
      refuse()
      const value: unknown = Reflect.get(target, property)
      // The builder keeps private fields, which only its own object may touch.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  return {
    ...store,
    db,
    async transaction(work) {
      refuse()
      return store.transaction(work)
    },
    async acceptSend(send) {
      refuse()
      await fault.hold
      return store.acceptSend(send)
    },
    async check() {
      refuse()
      await store.check()
    },
  }
}
