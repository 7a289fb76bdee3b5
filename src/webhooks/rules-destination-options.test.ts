import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DestinationType } from '../contract/destination-types.ts'
import {
  changedOptions,
  type DestinationChange,
  type DestinationOptions,
  isFieldFault,
  targetOf,
  topicOf,
} from './rules-destination-options.ts'

const URLS: Record<DestinationType, string> = {
  rabbitmq: 'amqps://broker.example.com:5671/crm',
  nats: 'tls://broker.example.com:4222',
  mqtt: 'mqtts://broker.example.com:8883',
  redis: 'rediss://broker.example.com:6379/2',
  sqs: 'https://sqs.eu-central-1.amazonaws.com/123456789012/events',
}
const LOGIN = { username: 'AKIA', password: 'secret' }

const faultOf = (type: DestinationType, change: DestinationChange, url = URLS[type]) => {
  const result = changedOptions(type, url, undefined, change)
  return isFieldFault(result) ? `${result.field}: ${result.message}` : undefined
}
const optionsOf = (
  type: DestinationType,
  change: DestinationChange,
  known?: DestinationOptions,
): DestinationOptions => {
  const result = changedOptions(type, URLS[type], known, change)
  assert.ok(!isFieldFault(result), JSON.stringify(result))
  return result
}

test('each type has its usual topic, and only the fields that it knows', () => {
  assert.equal(optionsOf('rabbitmq', {}).topic, 'switchboard.{instance}.{event}')
  assert.equal(optionsOf('rabbitmq', {}).exchange, '')
  assert.equal(optionsOf('redis', {}).topic, 'switchboard:events')
  assert.deepEqual(optionsOf('sqs', LOGIN), {
    ...LOGIN,
    topic: null,
    exchange: null,
    maxLength: null,
    region: 'eu-central-1',
    homeAssistant: false,
  })
  assert.equal(faultOf('nats', { exchange: 'events' }), 'exchange: not with the type nats')
  assert.equal(faultOf('mqtt', { maxLength: 1000 }), 'maxLength: not with the type mqtt')
  assert.equal(faultOf('redis', { homeAssistant: true }), 'homeAssistant: not with the type redis')
  assert.equal(faultOf('rabbitmq', { region: 'eu-central-1' }), 'region: not with the type rabbitmq')
  assert.equal(faultOf('sqs', { ...LOGIN, topic: 'events' }), 'topic: not with the type sqs')
})

test('a change keeps what it does not name, and null removes a value', () => {
  const known = optionsOf('redis', { topic: 'events', maxLength: 500, ...LOGIN })
  assert.deepEqual(optionsOf('redis', { topic: 'other' }, known), { ...known, topic: 'other' })
  assert.equal(optionsOf('redis', { maxLength: null }, known).maxLength, null)
  assert.equal(optionsOf('redis', { username: null, password: null }, known).password, null)
})

test('credentials are complete', () => {
  assert.equal(faultOf('rabbitmq', { username: 'a' }), 'password: required with a username')
  assert.equal(faultOf('redis', { password: 'a' }), undefined, 'Redis and NATS take a password alone')
  assert.equal(faultOf('sqs', {}), 'username: required: the access key id')
  assert.equal(faultOf('sqs', { username: 'AKIA' }), 'password: required: the secret access key')
  const other = 'https://queues.example.com/1/events'
  assert.equal(faultOf('sqs', LOGIN, other), 'region: required, because the URL does not contain it')
  assert.equal(faultOf('sqs', { ...LOGIN, region: 'x-1' }, other), undefined)
})

test('the path of the URL fits the type', () => {
  assert.match(faultOf('rabbitmq', {}, 'amqps://a.example.com/one/two') ?? '', /^url: /)
  assert.match(faultOf('nats', {}, 'tls://a.example.com/one') ?? '', /^url: /)
  assert.match(faultOf('redis', {}, 'rediss://a.example.com/one') ?? '', /^url: /)
  assert.match(faultOf('sqs', LOGIN, 'https://sqs.eu-central-1.amazonaws.com/') ?? '', /^url: /)
  assert.equal(faultOf('rabbitmq', {}, 'amqps://a.example.com'), undefined)
  assert.equal(faultOf('redis', {}, 'rediss://a.example.com'), undefined)
})

test('topics have no wildcards, spaces or unknown placeholders', () => {
  const refused: [DestinationType, string][] = [
    ['rabbitmq', ''],
    ['rabbitmq', 'with space'],
    ['rabbitmq', '{number}'],
    ['nats', 'a.*.b'],
    ['nats', 'a.>'],
    ['nats', 'a..b'],
    ['nats', '.a'],
    ['nats', '$JS.API'],
    ['mqtt', 'a/+/b'],
    ['mqtt', 'a/#'],
    ['mqtt', '$SYS/a'],
    ['redis', 'a\nb'],
    ['redis', '{tag}:events'],
  ]
  for (const [type, topic] of refused) assert.match(faultOf(type, { topic }) ?? '', /^topic: /, topic)
  const taken: [DestinationType, string][] = [
    ['rabbitmq', 'crm.{event}'],
    ['nats', 'crm.{instance}.{event}'],
    ['nats', 'one'],
    ['mqtt', 'home/{instance}/{event}'],
    ['redis', 'crm:{instance}'],
  ]
  for (const [type, topic] of taken) assert.equal(faultOf(type, { topic }), undefined, topic)
})

test('Home Assistant needs a topic for each instance and event', () => {
  assert.equal(faultOf('mqtt', { homeAssistant: true }), undefined)
  assert.match(faultOf('mqtt', { homeAssistant: true, topic: 'all/{event}' }) ?? '', /^topic: must contain/)
})

test('placeholders are replaced, and destinations with one URL are told apart', () => {
  const names = { instance: 'support-k3v9x2ma', event: 'messages.upsert' }
  assert.equal(
    topicOf('a/{instance}/{event}/{event}', names),
    'a/support-k3v9x2ma/messages.upsert/messages.upsert',
  )
  assert.notEqual(
    targetOf(optionsOf('rabbitmq', { exchange: 'a', topic: 'b' })),
    targetOf(optionsOf('rabbitmq', { topic: 'ab' })),
  )
})
