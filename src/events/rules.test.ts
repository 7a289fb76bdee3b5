import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_ID } from '../contract/events.ts'
import { eventId, toEventBody } from './rules.ts'

const ROW = {
  account_id: 7,
  position: 42,
  name: 'connection.update',
  created_at: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  sequence: 9,
  instance_id: 3,
  display_name: 'Support',
  api_name: 'support-1a2b3c4d',
  data: '{"state":"open"}',
}

test('an event id names account and position, in the form that the contract accepts as a cursor', () => {
  assert.equal(eventId(7, 42), 'evt_7_42')
  assert.deepEqual(EVENT_ID.exec(eventId(7, 42))?.slice(1), ['7', '42'])
})

test('the body contains id, time, sequence, instance and payload of the row', () => {
  assert.deepEqual(toEventBody(ROW), {
    id: 'evt_7_42',
    event: 'connection.update',
    timestamp: '2026-01-02T03:04:05.678Z',
    sequence: 9,
    instance: {
      id: 3,
      instanceName: 'Support',
      displayName: 'Support',
      apiInstanceName: 'support-1a2b3c4d',
      internalName: 'support-1a2b3c4d',
    },
    data: { state: 'open' },
  })
})

test('the same row gives the same bytes each time', () => {
  assert.equal(JSON.stringify(toEventBody(ROW)), JSON.stringify(toEventBody({ ...ROW })))
})
