import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { saveDestination } from '../../../../src/contract/destinations.ts'
import type { Destination } from './destination.ts'
import { changesOf, fieldsOf } from './destination-fields.ts'

const filled = { ...fieldsOf(undefined), url: ' amqps://broker.example.com ', exchange: 'events' }
const saved = {
  id: 7,
  type: 'redis',
  url: 'rediss://broker.example.com:6379',
  name: 'Broker',
  username: 'switchboard',
  topic: 'events',
  exchange: null,
  region: null,
  maxLength: 500,
  homeAssistant: false,
  events: ['messages.upsert'],
  instance: { apiInstanceName: 'line' },
  filter: { chats: 'people', from: null, directions: ['incoming'] },
  history: true,
  enabled: true,
} as Destination

describe('the form of a destination', () => {
  test('a new destination has only the fields of its type', () => {
    const body = changesOf({ ...filled, region: 'eu-central-1', maxLength: '5' }, undefined)
    assert.deepEqual(body, {
      type: 'rabbitmq',
      url: 'amqps://broker.example.com',
      exchange: 'events',
      events: ['*'],
      filter: { chats: 'all', from: null, directions: ['incoming', 'outgoing'] },
      history: false,
      enabled: true,
    })
    assert.ok(saveDestination.body.safeParse(body).success)
  })

  test('an update sends neither the type nor an unchanged URL, login or state', () => {
    const body = changesOf({ ...fieldsOf(saved), topic: 'other', maxLength: '' }, saved)
    assert.deepEqual(body, {
      id: 7,
      topic: 'other',
      maxLength: null,
      events: ['messages.upsert'],
      filter: saved.filter,
      history: true,
    })
    assert.ok(saveDestination.body.safeParse(body).success)
  })

  test('a login is replaced by a new one, and removed when its name is emptied', () => {
    const changed = changesOf({ ...fieldsOf(saved), username: 'other', password: 'secret' }, saved)
    assert.deepEqual([changed.username, changed.password], ['other', 'secret'])
    const removed = changesOf({ ...fieldsOf(saved), username: '' }, saved)
    assert.deepEqual([removed.username, removed.password], [null, null])
  })
})
