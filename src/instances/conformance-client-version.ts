// The version that was read from the page of the network: one per network, replaced as a whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOON } from '../store/conformance/tenant.ts'
import type { Conformance } from '../store/conformance/types.ts'
import { findClientVersion, saveClientVersion } from './settings-queries.ts'

export function clientVersionConformance({ store: current }: Conformance): void {
  test('a client version is kept per network, and replaced by the next one', async () => {
    const { db } = current()
    assert.equal(await findClientVersion(db, 'whatsapp'), undefined)
    await saveClientVersion(db, 'whatsapp', { version: '2.3000.1', readAt: NOON })
    await saveClientVersion(db, 'whatsapp', { version: '2.3000.2', readAt: NOON + 1 })
    assert.deepEqual(await findClientVersion(db, 'whatsapp'), { version: '2.3000.2', readAt: NOON + 1 })
    assert.equal(await findClientVersion(db, 'sandbox'), undefined)
  })
}
