// The conformance suite of the store: what every engine must do, declared once and run on each of them.
import { after, before, beforeEach, describe } from 'node:test'
import { acceptConformance } from './conformance/accept.ts'
import { contactConformance } from './conformance/contacts.ts'
import { deliveryConformance } from './conformance/deliveries.ts'
import { deliveryTroubleConformance } from './conformance/delivery-trouble.ts'
import { eventConformance } from './conformance/events.ts'
import { laneTroubleConformance } from './conformance/lane-trouble.ts'
import { laneConformance } from './conformance/lanes.ts'
import { migrationConformance } from './conformance/migrations.ts'
import { progressConformance } from './conformance/progress.ts'
import { readingConformance } from './conformance/reading.ts'
import { sessionKeysConformance } from './conformance/session-keys.ts'
import { transactionConformance } from './conformance/transactions.ts'
import { vaultConformance } from './conformance/vault.ts'
import type { Store, StoreHooks } from './store.ts'

export interface ConformanceEngine {
  name: Store['engine']
  /** Whether several processes may work on one database. */
  shared: boolean
  place(): Promise<ConformancePlace>
}

/** An empty database of its own. */
export interface ConformancePlace {
  open(hooks?: StoreHooks): Promise<Store>
  /** Runs SQL past the store, as somebody with the database's own tools would. */
  execute(sql: string): Promise<void>
  dispose(): Promise<void>
}

/** What a test works with: a store that others of the suite use too, without any lane, message or webhook in it. */
export interface Conformance {
  engine: ConformanceEngine
  place(): ConformancePlace
  store(): Store
}

export function storeConformance(engine: ConformanceEngine): void {
  describe(`the store on ${engine.name}`, () => {
    let place: ConformancePlace
    let store: Store
    before(async () => {
      place = await engine.place()
      store = await place.open()
    })
    beforeEach(async () => {
      await store.db.deleteFrom('lanes').execute()
      await store.db.deleteFrom('messages').execute()
      await store.db.deleteFrom('webhooks').execute()
    })
    after(async () => {
      await store.close()
      await place.dispose()
    })
    const conformance: Conformance = { engine, place: () => place, store: () => store }
    transactionConformance(conformance)
    acceptConformance(conformance)
    laneConformance(conformance)
    laneTroubleConformance(conformance)
    sessionKeysConformance(conformance)
    progressConformance(conformance)
    readingConformance(conformance)
    eventConformance(conformance)
    deliveryConformance(conformance)
    deliveryTroubleConformance(conformance)
    vaultConformance(conformance)
    contactConformance(conformance)
    migrationConformance(conformance)
  })
}
