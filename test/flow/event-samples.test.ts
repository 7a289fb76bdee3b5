// The samples of docs/event-samples.md are what a running gateway reports.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { withEventSamples } from '../../scripts/event-samples.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { eventSamples } from '../support/event-samples.ts'
import { onOwnSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { startHere } from '../support/started-here.ts'

const document = join(import.meta.dirname, '../../docs/event-samples.md')

for (const engine of behaviourEngines())
  test(`docs/event-samples.md is current on ${engine.name} (npm run docs:events)`, async () => {
    const key = newKey()
    const storeLocation = await engine.createLocation()
    const gateway = await startHere(storeLocation, key, await onOwnSandbox())
    try {
      const text = await readFile(document, 'utf8')
      assert.equal(text, withEventSamples(text, await eventSamples(gateway)))
    } finally {
      await gateway.stop()
      await storeLocation.dispose()
    }
  })
