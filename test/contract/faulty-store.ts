// A store that a test can make fail or wait.
import type { Store } from '../../src/store/store.ts'

export interface Fault {
  /** Thrown by every operation; undefined if the store works. */
  error: Error | undefined
  /** Accepting a send waits for this promise. */
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
      // The query builder has private fields, so methods must run on the original object.
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
    async instanceTransaction(instanceId, work) {
      refuse()
      return store.instanceTransaction(instanceId, work)
    },
    async acceptSend(send) {
      refuse()
      await fault.hold
      return store.acceptSend(send)
    },
    async recordReports(reports) {
      refuse()
      return store.recordReports(reports)
    },
    async check() {
      refuse()
      await store.check()
    },
  }
}
