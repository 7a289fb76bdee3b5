import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type LoggedEvent, passesFilter, type RouteFilter, type Subscription, wantsEvent } from './rules.ts'
import { type EventRoute, NO_ROUTE } from './rules-route.ts'

const OPEN: RouteFilter = { chats: 'all', senders: null, direction: null, history: false }
const EVENT: LoggedEvent = { accountId: 1, instanceId: 10, name: 'messages.update', ...NO_ROUTE }
const wants = (change: Partial<Subscription>): boolean =>
  wantsEvent({ accountId: 1, instanceId: null, events: ['*'], enabled: true, ...OPEN, ...change }, EVENT)

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

describe('the filter of a webhook', () => {
  const ANA = '5511912345678'
  const passes = (filter: Partial<RouteFilter>, route: Partial<EventRoute>): boolean =>
    passesFilter({ ...OPEN, ...filter }, { ...NO_ROUTE, ...route })

  test('chats: the selected kind, and events without a chat; a status belongs to neither kind', () => {
    for (const [chats, chatKind, isWanted] of [
      ['all', 'status', true],
      ['people', 'people', true],
      ['people', 'groups', false],
      ['people', 'status', false],
      ['groups', 'groups', true],
      ['groups', 'people', false],
      ['groups', null, true],
    ] as const)
      assert.equal(passes({ chats }, { chatKind }), isWanted, `${chats} ${chatKind}`)
  })

  test('senders: those numbers and events without a chat, but no event of a chat without a known sender', () => {
    const senders = [ANA]
    assert.ok(passes({ senders }, { chatKind: 'people', sender: ANA }))
    assert.ok(passes({ senders }, { chatKind: 'groups', sender: ANA }))
    assert.ok(!passes({ senders }, { chatKind: 'people', sender: ANA.slice(1) }))
    assert.ok(!passes({ senders }, { chatKind: 'people', sender: null }))
    assert.ok(passes({ senders }, {}))
  })

  test('direction: that one, and events without a direction', () => {
    assert.ok(passes({ direction: 'incoming' }, { chatKind: 'people', direction: 'incoming' }))
    assert.ok(!passes({ direction: 'incoming' }, { chatKind: 'people', direction: 'outgoing' }))
    assert.ok(passes({ direction: 'incoming' }, { chatKind: 'people' }))
  })

  test('history: only where it is asked for', () => {
    assert.ok(!passes({}, { chatKind: 'people', historical: true }))
    assert.ok(passes({ history: true }, { chatKind: 'people', historical: true }))
    assert.ok(passes({ history: true }, { chatKind: 'people' }))
  })
})
