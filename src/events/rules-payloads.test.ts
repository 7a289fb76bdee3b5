import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  connectionUpdate,
  contactUpdate,
  outgoingUpsert,
  pairingCodeUpdate,
  qrUpdate,
  receivedUpsert,
  type StoredMessage,
  textOf,
} from './rules-payloads.ts'

const NOW = Date.UTC(2026, 0, 2)
const INSTANCE = { id: 3, api_name: 'support-1a2b3c4d' }
const dataOf = (event: { data: string }) => JSON.parse(event.data) as Record<string, unknown>

const SENDER = { jid: '5511912345678@s.whatsapp.net', lid: null, phone: '5511912345678', pushName: null }

describe('textOf', () => {
  const cases: [content: Record<string, unknown>, text: string | null][] = [
    [{ message: 'hi' }, 'hi'],
    [{ pollName: 'Lunch?' }, 'Lunch?'],
    [{ interactive: { body: 'Choose' } }, 'Choose'],
    [{ interactive: { text: 'Choose' } }, 'Choose'],
    [{ name: 'Office', latitude: 1 }, 'Office'],
    [{ mediaUrl: 'https://example.com/a.png' }, null],
  ]
  for (const [content, text] of cases) {
    test(`${JSON.stringify(content)} → ${text}`, () => assert.equal(textOf(content), text))
  }
})

describe('event payloads', () => {
  test('an accepted message is outgoing and queued', () => {
    const content = { message: 'hi' }
    const message = {
      messageId: 'M',
      chat: '1@g.us',
      kind: 'text' as const,
      status: 'queued' as const,
      content,
      quoted: null,
      createdAt: NOW,
      sendAt: null,
    }
    const { direction, status, type, text, sentAt, reference } = outgoingUpsert(message)
    assert.equal(reference, null)
    assert.equal(outgoingUpsert({ ...message, reference: 'order-7' }).reference, 'order-7')
    assert.deepEqual([direction, status, type, text], ['outgoing', 'queued', 'text', 'hi'])
    assert.equal(sentAt, '2026-01-02T00:00:00.000Z')
  })

  test('a received file is shown as a path of the gateway, without its keys', () => {
    const message = {
      id: 'A/B',
      chat: '1@g.us',
      fromMe: false,
      from: SENDER,
      type: 'image',
      media: { mimetype: 'image/png', reference: { mediaKey: 'secret' } },
      sentAtMs: NOW,
      target: null,
    } as unknown as StoredMessage
    const event = receivedUpsert(INSTANCE, { ...message, isHistorical: false }, NOW)
    assert.equal(event.name, 'messages.upsert')
    assert.equal(event.instanceId, 3)
    assert.doesNotMatch(event.data, /secret/)
    assert.deepEqual(dataOf(event).media, {
      mimetype: 'image/png',
      downloadPath: '/messages/A%2FB/media?instanceName=support-1a2b3c4d',
    })
    assert.deepEqual([dataOf(event).direction, dataOf(event).status], ['incoming', 'delivered'])
  })

  test('a file without a reference has no path', () => {
    const media = { mimetype: 'image/png', reference: null }
    const message = { id: 'A', chat: '1@g.us', from: SENDER, media, sentAtMs: NOW } as unknown
    const shown = dataOf(
      receivedUpsert(INSTANCE, { ...(message as StoredMessage), isHistorical: false }, NOW),
    ).media
    assert.deepEqual(shown, { mimetype: 'image/png', downloadPath: null })
  })

  test('a QR code is announced by the path of its image, not by its content', () => {
    const event = qrUpdate(INSTANCE, { expiresAt: NOW, code: 'secret' } as { expiresAt: number }, NOW)
    assert.deepEqual(dataOf(event), {
      imagePath: '/instance/qr/image?instanceName=support-1a2b3c4d',
      pairingCode: null,
      expiresAt: '2026-01-02T00:00:00.000Z',
    })
  })

  test('a pairing code is announced itself', () => {
    assert.deepEqual(dataOf(pairingCodeUpdate(3, 'ABCD1234', NOW)), {
      imagePath: null,
      pairingCode: 'ABCD1234',
      expiresAt: null,
    })
  })

  test('a connection update contains state, reason, its end and the number', () => {
    const row = { id: 3, state: 'close', state_reason: 'temporarily_banned', state_until: NOW, number: '55' }
    assert.deepEqual(dataOf(connectionUpdate(row, NOW)), {
      state: 'close',
      stateReason: 'temporarily_banned',
      stateReasonUntil: '2026-01-02T00:00:00.000Z',
      number: '55',
    })
  })

  test('a contact update names the person and the saved contact', () => {
    const person = { jid: '55@s.whatsapp.net', lid: null, phone: '55', pushName: 'Ana' }
    const event = contactUpdate({ instanceId: 3, contactId: 7, name: 'Ana', person }, NOW)
    const { jid: chat } = person
    const shown = { ...person, chat, number: '55', username: null }
    assert.deepEqual(dataOf(event), { chat, contactId: 7, name: 'Ana', person: shown })
    assert.equal(event.person, chat)
    assert.equal(event.createdAt, NOW)
  })
})
