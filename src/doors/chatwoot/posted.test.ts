import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { chatOfConversation, demandOf, isSigned } from './posted.ts'

const INBOX = 3
const message = (change: object = {}) => ({
  event: 'message_created',
  id: 10,
  content: 'hi',
  message_type: 'outgoing',
  private: false,
  source_id: null,
  inbox: { id: INBOX },
  conversation: { id: 5, contact_inbox: { source_id: '5511912345678@s.whatsapp.net' } },
  ...change,
})
const kindOf = (body: unknown) => demandOf(body, INBOX)?.kind

test('only what an agent writes to the customer is sent', () => {
  assert.equal(kindOf(message()), 'send')
  assert.equal(kindOf(message({ message_type: 'template' })), 'send')
  for (const change of [
    { private: true },
    { message_type: 'incoming' },
    { message_type: 'activity' },
    { source_id: 'switchboard:1:outgoing:3EB0' },
    { inbox: { id: INBOX + 1 } },
    { event: 'message_updated' },
    { event: 'conversation_typing_on' },
  ])
    assert.equal(kindOf(message(change)), 'nothing', JSON.stringify(change))
})

test('a deletion and a resolved conversation are recognized', () => {
  const deleted = { event: 'message_updated', content_attributes: { deleted: true } }
  assert.equal(kindOf(message(deleted)), 'delete')
  assert.equal(kindOf(message({ ...deleted, message_type: 'incoming' })), 'nothing')
  assert.equal(kindOf({ event: 'conversation_status_changed', id: 5, status: 'resolved' }), 'resolved')
  assert.equal(kindOf({ event: 'conversation_status_changed', id: 5, status: 'open' }), 'nothing')
})

test('a body of another form is refused', () => {
  for (const body of [
    null,
    [],
    'text',
    {},
    { event: 1 },
    message({ id: '10' }),
    message({ conversation: null }),
  ])
    assert.equal(demandOf(body, INBOX), undefined, JSON.stringify(body))
})

test('the chat is named by the bridge, by the number of the contact, or by its identifier', () => {
  const chat = (source: string | null, sender: object = {}) =>
    chatOfConversation({ id: 5, contact_inbox: { source_id: source }, meta: { sender } })
  assert.equal(chat('1203630@g.us'), '1203630@g.us')
  assert.equal(chat('111222333444555@lid'), '111222333444555@lid')
  const uuid = '0d5b7c9e-aaaa-bbbb-cccc-000000000000'
  assert.equal(
    chat(uuid, { phone_number: '+5511912345678', identifier: '1@lid' }),
    '5511912345678@s.whatsapp.net',
  )
  assert.equal(chat(uuid, { identifier: '111222333444555@lid' }), '111222333444555@lid')
  assert.equal(chat(uuid, { identifier: 'customer 7' }), undefined)
  assert.equal(chat('status@broadcast'), undefined)
})

test('a signature is valid for its body, its secret, and five minutes', () => {
  const body = Buffer.from('{"a":1}')
  const sign = (timestamp: string, secret = 'secret') =>
    `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`
  const now = 1_700_000_000_000
  const at = '1700000000'
  assert.ok(isSigned({ timestamp: at, signature: sign(at), body }, 'secret', now))
  for (const [signed, time] of [
    [{ timestamp: at, signature: sign(at, 'other'), body }, now],
    [{ timestamp: at, signature: sign(at), body: Buffer.from('{"a":2}') }, now],
    [{ timestamp: at, signature: sign(at), body }, now + 301_000],
    [{ timestamp: at, signature: sign(at), body }, now - 301_000],
    [{ timestamp: '1700000001', signature: sign(at), body }, now],
    [{ timestamp: 'now', signature: sign('now'), body }, now],
    [{ timestamp: undefined, signature: sign(at), body }, now],
    [{ timestamp: at, signature: undefined, body }, now],
    [{ timestamp: at, signature: 'sha256=', body }, now],
  ] as const)
    assert.equal(isSigned(signed, 'secret', time), false)
})
