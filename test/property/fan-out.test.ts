// For any webhooks and events, the deliveries that both engines write are those of the fan-out rule.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { EVENT_NAMES } from '../../src/contract/events.ts'
import { DIRECTIONS } from '../../src/contract/messages.ts'
import { WEBHOOK_CHATS } from '../../src/contract/webhook-filter.ts'
import { wantsEvent } from '../../src/events/rules.ts'
import { makeInstance, makeTenant, NOON } from '../../src/store/conformance/tenant.ts'
import type { Store } from '../../src/store/store.ts'
import { flag } from '../../src/store/tables.ts'
import { append, deliveriesOf, makeHook } from '../../src/webhooks/conformance-webhooks.ts'
import { engines, type StoreLocation } from '../support/engines.ts'
import { openStore } from '../support/open-store.ts'

// One number is the end of another: a comparison of parts would confuse them.
const number = fc.constantFrom('5511912345678', '11912345678', '5511900000001')
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const webhook = fc.record({
  isOfOne: fc.boolean(),
  enabled: fc.boolean(),
  events: fc.oneof(fc.constant(['*']), fc.uniqueArray(fc.constantFrom(...EVENT_NAMES), { maxLength: 4 })),
  filter: fc.record({
    chats: fc.constantFrom(...WEBHOOK_CHATS),
    senders: nullable(fc.uniqueArray(number, { minLength: 1 })),
    direction: nullable(fc.constantFrom(...DIRECTIONS)),
    history: fc.boolean(),
  }),
})
const event = fc.record({
  isOfOther: fc.boolean(),
  name: fc.constantFrom(...EVENT_NAMES),
  route: fc.record({
    chatKind: fc.constantFrom('people', 'groups', 'status', null),
    direction: nullable(fc.constantFrom(...DIRECTIONS)),
    sender: nullable(number),
    historical: fc.boolean(),
  }),
})

for (const engine of engines)
  describe(`the fan-out on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let store: Store
    before(async () => {
      storeLocation = await engine.createLocation()
      store = await openStore(storeLocation)
    })
    after(async () => {
      await store.close()
      await storeLocation.dispose()
    })

    test('deliveries are those of the rule', async () => {
      const property = fc.asyncProperty(
        fc.array(webhook, { minLength: 1, maxLength: 8 }),
        fc.array(event, { minLength: 1, maxLength: 20 }),
        async (webhooks, events) => {
          const { accountId, instanceId } = await makeTenant(store)
          const other = await makeInstance(store, accountId)
          const logged = events.map(({ isOfOther, name, route }) => ({
            instanceId: isOfOther ? other : instanceId,
            name,
            route,
          }))
          const hooks = []
          for (const { isOfOne, enabled, events: names, filter } of webhooks) {
            const of = isOfOne ? instanceId : null
            const change = { instanceId: of, events: [...names], enabled: flag(enabled), filter }
            const id = await makeHook(store, { accountId }, change)
            hooks.push({ id, accountId, instanceId: of, events: names, enabled, ...filter })
          }
          await append(
            store,
            logged.map((each) => ({ ...each, data: '{}', createdAt: NOON })),
          )
          for (const hook of hooks) {
            const wanted = logged.flatMap(({ route, ...each }, index) =>
              wantsEvent(hook, { ...each, accountId, ...route }) ? [index + 1] : [],
            )
            const written = (await deliveriesOf(store, hook.id)).map((row) => row.position)
            assert.deepEqual(written, wanted, JSON.stringify(hook))
          }
        },
      )
      await fc.assert(property, { numRuns: 40 })
    })
  })
