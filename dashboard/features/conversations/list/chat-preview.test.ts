import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lengthOf } from '../model/message-fields.ts'
import { conversations as t } from '../texts/en.ts'
import { previewOf } from './chat-preview.ts'

const from = { jid: '5511@s.whatsapp.net', lid: null, phone: '5511', pushName: 'Ana' }
const LAST = {
  messageId: 'one',
  direction: 'incoming' as const,
  type: 'text' as const,
  status: 'delivered' as const,
  text: 'hi' as string | null,
  deleted: false,
  from,
  voice: false,
  seconds: null,
}
const preview = (change: object, isGroup = false) =>
  previewOf({ lastMessage: { ...LAST, ...change }, lastMessageText: 'hi', isGroup }, t)

describe('the preview of a chat', () => {
  test('the author in a group has the name of the saved contact, otherwise that of the profile, otherwise the number', () => {
    const authorOf = (change: object, saved?: string) =>
      previewOf(
        { lastMessage: { ...LAST, from: { ...from, ...change } }, lastMessageText: 'hi', isGroup: true },
        t,
        () => saved,
      ).text
    assert.equal(authorOf({}, 'Ana Souza'), 'Ana Souza: hi')
    assert.equal(authorOf({}), 'Ana: hi')
    assert.equal(authorOf({ pushName: null }), '+5511: hi')
    assert.equal(authorOf({ pushName: null, phone: null }, 'Ana Souza'), 'hi')
  })

  test('a message without text is named by its kind, a voice message with its length', () => {
    assert.equal(preview({ type: 'image', text: null }).text, 'Photo')
    assert.equal(preview({ type: 'image', text: 'see' }).text, 'see')
    assert.equal(preview({ type: 'audio', text: null, voice: true, seconds: 4 }).text, 'Voice 0:04')
    assert.equal(preview({ type: 'audio', text: null }).text, 'Audio')
    assert.equal(preview({ type: 'location', text: null }).text, 'Location')
    assert.equal(preview({ type: 'carousel', text: null }).text, 'Message')
    assert.equal(lengthOf(75), '1:15')
  })

  test('the author in groups, the ticks of sent messages', () => {
    assert.deepEqual(preview({}, true), { text: 'Ana: hi', status: null })
    assert.deepEqual(preview({ from: { ...from, pushName: null } }, true).text, '+5511: hi')
    assert.deepEqual(preview({ direction: 'outgoing', status: 'read', from: null }), {
      text: 'hi',
      status: 'read',
    })
  })

  test('a deleted message shows nothing of its text', () => {
    const deleted = { deleted: true, text: null, direction: 'outgoing' }
    assert.deepEqual(preview(deleted), { text: 'This message was deleted.', status: null })
  })

  test('a chat whose message is not stored shows its text', () => {
    assert.deepEqual(previewOf({ lastMessage: null, lastMessageText: 'old', isGroup: false }, t), {
      text: 'old',
      status: null,
    })
  })
})
