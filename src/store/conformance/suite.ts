// The conformance suite of the store: what every engine must do, written once and run on each of them.
import { after, before, beforeEach, describe } from 'node:test'
import { assignmentConformance } from '../../chats/conformance-assignment.ts'
import { chatConformance } from '../../chats/conformance-chats.ts'
import { labelConformance } from '../../chats/conformance-labels.ts'
import { readingConformance } from '../../chats/conformance-reading.ts'
import { contactConformance } from '../../contacts/conformance-contacts.ts'
import { mergeConformance } from '../../contacts/conformance-merge-people.ts'
import { templateConformance } from '../../doors/conformance-templates.ts'
import { eventConformance } from '../../events/conformance.ts'
import { clientVersionConformance } from '../../instances/conformance-client-version.ts'
import { settingsConformance } from '../../instances/conformance-instance-settings.ts'
import { ratchetConformance } from '../../instances/conformance-ratchets.ts'
import { sessionConformance } from '../../instances/conformance-session.ts'
import { messageSearchConformance } from '../../messages/conformance-message-search.ts'
import { progressConformance } from '../../messages/conformance-progress.ts'
import { textChangeConformance } from '../../messages/conformance-text-change.ts'
import { receivedConformance } from '../../receiving/conformance-received.ts'
import { reportConformance } from '../../receiving/conformance-report.ts'
import { acceptConformance } from '../../sending/conformance-accept.ts'
import { claimConformance, sendOffersConformance } from '../../sending/conformance-claim.ts'
import { keySendsConformance } from '../../sending/conformance-key-sends.ts'
import { scheduledConformance } from '../../sending/conformance-scheduled.ts'
import { payloadConformance, settleConformance } from '../../sending/conformance-settle.ts'
import { countConformance } from '../../statistics/conformance-hourly-counts.ts'
import { claimDeliveriesConformance } from '../../webhooks/conformance-claim.ts'
import { deliveryOffersConformance } from '../../webhooks/conformance-offers.ts'
import { settleDeliveryConformance } from '../../webhooks/conformance-settle.ts'
import type { Store } from '../store.ts'
import { migrationConformance } from './migrations.ts'
import { transactionConformance } from './transactions.ts'
import type { Conformance, ConformanceEngine, ConformanceLocation } from './types.ts'
import { vaultConformance } from './vault.ts'

const PARTS: ((conformance: Conformance) => void)[] = [
  transactionConformance,
  acceptConformance,
  claimConformance,
  sendOffersConformance,
  settleConformance,
  scheduledConformance,
  keySendsConformance,
  payloadConformance,
  sessionConformance,
  receivedConformance,
  ratchetConformance,
  progressConformance,
  reportConformance,
  textChangeConformance,
  readingConformance,
  eventConformance,
  claimDeliveriesConformance,
  settleDeliveryConformance,
  deliveryOffersConformance,
  vaultConformance,
  contactConformance,
  messageSearchConformance,
  chatConformance,
  labelConformance,
  assignmentConformance,
  mergeConformance,
  settingsConformance,
  countConformance,
  clientVersionConformance,
  templateConformance,
  migrationConformance,
]

export function storeConformance(engine: ConformanceEngine): void {
  describe(`the store on ${engine.name}`, () => {
    let storeLocation: ConformanceLocation
    let store: Store
    before(async () => {
      storeLocation = await engine.createLocation()
      store = await storeLocation.open()
    })
    beforeEach(async () => {
      await store.db.deleteFrom('lanes').execute()
      await store.db.deleteFrom('messages').execute()
      await store.db.deleteFrom('webhooks').execute()
    })
    after(async () => {
      await store.close()
      await storeLocation.dispose()
    })
    for (const part of PARTS) part({ engine, storeLocation: () => storeLocation, store: () => store })
  })
}
