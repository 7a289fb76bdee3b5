import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { saveWebhook } from '../../../src/contract/webhooks.ts'
import type { Webhook } from './webhook.ts'
import { changesOf, chooseFormat, fieldsOf, missingIn } from './webhook-fields.ts'

const filled = { ...fieldsOf(undefined), url: ' https://example.com/hook ', name: 'Backend' }
const saved = {
  id: 7,
  url: 'https://example.com/hook',
  name: 'Backend',
  events: ['messages.upsert'],
  instance: { apiInstanceName: 'line' },
  filter: { chats: 'people', from: ['5511912345678'], directions: ['incoming'] },
  history: true,
  batch: false,
  format: 'switchboard',
  enabled: true,
} as Webhook

describe('the form of a webhook', () => {
  test('a new webhook gets all events of all instances, unfiltered and enabled', () => {
    const body = changesOf(filled, undefined)
    assert.deepEqual(body, {
      url: 'https://example.com/hook',
      name: 'Backend',
      events: ['*'],
      filter: { chats: 'all', from: null, directions: ['incoming', 'outgoing'] },
      history: false,
      enabled: true,
    })
    assert.ok(saveWebhook.body.safeParse(body).success)
  })

  test('a URL, an event and a direction are needed', () => {
    assert.deepEqual(missingIn(filled), {
      url: false,
      verifyToken: false,
      events: false,
      directions: false,
    })
    assert.equal(missingIn({ ...filled, url: '  ' }).url, true)
    assert.equal(missingIn({ ...filled, isAll: false }).events, true)
    assert.equal(missingIn({ ...filled, isAll: false, events: ['messages.upsert'] }).events, false)
    assert.equal(missingIn({ ...filled, directions: [] }).directions, true)
  })

  test('the form of a saved webhook shows it, and sends only what was changed beside events and filter', () => {
    const fields = fieldsOf(saved)
    const kept = { id: 7, events: ['messages.upsert'], filter: saved.filter, history: true }
    assert.deepEqual(changesOf(fields, saved), kept)
    assert.deepEqual(changesOf({ ...fields, name: ' Renamed ' }, saved), { ...kept, name: 'Renamed' })
    assert.deepEqual(changesOf({ ...fields, instanceName: '' }, saved), { ...kept, instanceName: null })
    assert.deepEqual(changesOf({ ...fields, enabled: false, secret: 'whsec' }, saved), {
      ...kept,
      enabled: false,
      secret: 'whsec',
    })
    assert.deepEqual(changesOf({ ...fields, batch: true }, saved), { ...kept, batch: true })
    assert.deepEqual(changesOf({ ...fields, name: '' }, saved), kept, 'a name is never removed')
  })

  test('the format of the Cloud API needs the token of the receiver, and leaves groups and the events to the gateway', () => {
    const cloud = { ...filled, batch: true, ...chooseFormat('cloud') }
    assert.equal(missingIn(cloud).verifyToken, true)
    const body = changesOf({ ...cloud, verifyToken: 'token' }, undefined)
    assert.deepEqual(
      [body.format, body.verifyToken, body.events, body.filter.chats, body.batch],
      ['cloud', 'token', undefined, 'people', undefined],
    )
    assert.ok(saveWebhook.body.safeParse(body).success)
    const known = { ...saved, format: 'cloud' } as Webhook
    assert.equal(missingIn(fieldsOf(known), known).verifyToken, false)
    assert.equal('format' in changesOf(fieldsOf(known), known), false)
    const back = { ...fieldsOf(known), ...chooseFormat('switchboard') }
    assert.equal(changesOf(back, known).format, 'switchboard')
  })

  test('numbers are separated by commas, semicolons or lines; without one every person passes', () => {
    const from = (text: string) => changesOf({ ...filled, from: text }, undefined).filter.from
    assert.deepEqual(from('+55 11 91234-5678, 5511987654321;1\n2'), [
      '+55 11 91234-5678',
      '5511987654321',
      '1',
      '2',
    ])
    assert.equal(from(' , '), null)
  })
})
