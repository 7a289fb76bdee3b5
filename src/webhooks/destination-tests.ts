// Test messages: one event published to a destination at once, to show its owner what the broker answers.

import type { Caller } from '../accounts/caller.ts'
import type { Deps, PublishEvent } from '../context.ts'
import type { DestinationType } from '../contract/destination-types.ts'
import { DESTINATION_TEST_EVENT } from '../contract/destinations.ts'
import { iso } from '../kernel/time.ts'
import { readDestination } from './destinations.ts'
import { createTestGate } from './webhook-tests.ts'

interface TestDeps extends Pick<Deps, 'store' | 'vault' | 'clock'> {
  publishEvent: PublishEvent
}

export interface DestinationTests {
  run(caller: Caller, id: number): ReturnType<typeof publishTestEvent>
}

export function createDestinationTests(deps: TestDeps): DestinationTests {
  const gate = createTestGate()
  return {
    async run(caller, id) {
      const known = await readDestination(deps, caller, id)
      return gate(id, () => publishTestEvent(deps, known))
    },
  }
}

/** What `{instance}` stands for in the topic of a test. */
const NO_INSTANCE = 'test'

/** Published like every delivery, but not written to the event log. */
async function publishTestEvent(
  { clock, publishEvent }: TestDeps,
  { row, options }: Awaited<ReturnType<typeof readDestination>>,
) {
  const now = clock()
  const id = `test_${row.id}_${now}`
  const event = DESTINATION_TEST_EVENT
  const data = { destinationId: row.id, name: row.name }
  const body = JSON.stringify({ id, event, timestamp: iso(now), sequence: 0, instance: null, data })
  const type = row.format as DestinationType
  const message = { id, event, instance: NO_INSTANCE, displayName: null, at: now, body }
  const attempt = await publishEvent({ id: row.id, type, url: row.url, options }, message)
  const { at, durationMs, status, answer, error, headers } = attempt
  return {
    delivered: error === null,
    attempt: { at: iso(at), durationMs, status, answer, error },
    request: { headers, body },
  }
}
