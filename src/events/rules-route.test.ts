import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EventData } from '../contract/events.ts'
import { NO_ROUTE, ofReceivedUpdate, routeOf } from './rules-route.ts'

const GROUP = '120363000000000000@g.us'
const ANA = { jid: '5511912345678@s.whatsapp.net', lid: '1@lid', phone: '5511912345678', pushName: 'Ana' }
const upsert = (change: object = {}): EventData<'messages.upsert'> => ({
  messageId: 'A1',
  chat: ANA.jid,
  direction: 'incoming',
  from: ANA,
  type: 'text',
  text: 'hi',
  media: null,
  quoted: null,
  interactiveReplyId: null,
  content: {},
  status: 'delivered',
  sentAt: '2026-01-31T12:00:00.000Z',
  ...change,
})

describe('what the filters of webhooks see', () => {
  test('a received message has its chat, its direction and the number of its author, or the lid', () => {
    const incoming = { direction: 'incoming', sender: ANA.phone, historical: false }
    assert.deepEqual(routeOf('messages.upsert', upsert()), { ...incoming, chatKind: 'people' })
    assert.deepEqual(routeOf('messages.upsert', upsert({ chat: GROUP })), { ...incoming, chatKind: 'groups' })
    const status = routeOf('messages.upsert', upsert({ chat: 'status@broadcast' }))
    assert.deepEqual(status, { ...incoming, chatKind: 'status' })
    const hidden = routeOf('messages.upsert', upsert({ chat: '1@lid', from: { ...ANA, phone: null } }))
    assert.deepEqual(hidden, { ...incoming, chatKind: 'people', sender: '1@lid' })
  })

  test('a message from the history is marked', () => {
    assert.equal(routeOf('messages.upsert', upsert({ historical: true })).historical, true)
  })

  test('a sent message has no sender', () => {
    const own = routeOf('messages.upsert', upsert({ direction: 'outgoing' }))
    assert.deepEqual(own, { chatKind: 'people', direction: 'outgoing', sender: null, historical: false })
    const at = '2026-01-31T12:00:00.000Z'
    const update = { messageId: 'A1', chat: ANA.jid, status: 'sent', failure: null, at } as const
    assert.deepEqual(routeOf('messages.update', update), own)
  })

  test('a received message that was read has the person of its chat as sender', () => {
    const read = { direction: 'incoming', historical: false } as const
    assert.deepEqual(ofReceivedUpdate(ANA.jid), { ...read, chatKind: 'people', sender: ANA.phone })
    assert.deepEqual(ofReceivedUpdate(GROUP), { ...read, chatKind: 'groups', sender: null })
  })

  test('chats, contacts, groups and calls', () => {
    const chat = {
      chat: ANA.jid,
      name: null,
      unreadCount: 0,
      lastMessageText: null,
      lastMessageTimestamp: null,
    }
    const ofAna = { ...NO_ROUTE, chatKind: 'people', sender: ANA.phone }
    assert.deepEqual(routeOf('chats.update', chat), ofAna)
    assert.deepEqual(routeOf('chats.update', { ...chat, chat: GROUP }), { ...NO_ROUTE, chatKind: 'groups' })
    assert.deepEqual(routeOf('contacts.update', { contactId: null, person: ANA, name: null }), ofAna)
    const group = { groupJid: GROUP, author: ANA, changes: {} }
    assert.deepEqual(routeOf('groups.update', group), { ...ofAna, chatKind: 'groups' })
    assert.equal(routeOf('groups.update', { ...group, author: null }).sender, null)
    const at = '2026-01-31T12:00:00.000Z'
    const call = {
      callId: 'C',
      from: ANA,
      isVideo: null,
      isGroup: null,
      groupJid: null,
      status: 'offer',
      at,
    } as const
    assert.deepEqual(routeOf('call', call), { ...ofAna, direction: 'incoming' })
    assert.equal(routeOf('call', { ...call, isGroup: true }).chatKind, 'groups')
  })

  test('an event about the connection has no chat', () => {
    const state = { state: 'open', stateReason: null, stateReasonUntil: null, number: null } as const
    assert.deepEqual(routeOf('connection.update', state), NO_ROUTE)
  })
})
