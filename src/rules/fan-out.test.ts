import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LoggedEvent, type Subscription, wantsEvent } from './fan-out.ts'

const EVENT: LoggedEvent = { accountId: 1, instanceId: 10, name: 'messages.update' }
const wants = (change: Partial<Subscription>): boolean =>
  wantsEvent({ accountId: 1, instanceId: null, events: ['*'], enabled: true, ...change }, EVENT)

test('a webhook gets the events of its account that it subscribes to', () => {
  assert.ok(wants({}))
  assert.ok(wants({ events: ['chats.update', 'messages.update'] }))
  assert.ok(!wants({ events: ['messages.upsert'] }))
  assert.ok(!wants({ events: [] }))
  assert.ok(!wants({ accountId: 2 }))
})

test('a webhook of one instance gets only the events of that instance', () => {
  assert.ok(wants({ instanceId: 10 }))
  assert.ok(!wants({ instanceId: 11 }))
})

test('a disabled webhook gets nothing', () => {
  assert.ok(!wants({ enabled: false }))
})
