import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageLine, messageView } from './views.ts'

const MESSAGE = {
  messageId: 'M1',
  instanceName: 'support-k3v9x2ma',
  direction: 'incoming',
  chat: '111@lid',
  number: null,
  lid: '111@lid',
  username: null,
  groupJid: null,
  type: 'image',
  status: 'delivered',
  content: {
    from: { pushName: 'Ana' },
    text: 'Look',
    media: { mimetype: 'image/png' },
    quoted: { messageId: 'M0' },
  },
  failure: null,
  sendAt: null,
  expiresAt: null,
  late: false,
  reference: null,
  starred: false,
  historical: false,
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
  sentAt: null,
  deliveredAt: null,
  readAt: null,
} as Parameters<typeof messageView>[0]

test('the text of an incoming message is foreign, with author, file and quoted message', () => {
  const view = messageView(MESSAGE)
  assert.deepEqual(
    [view.foreignText, view.foreignName, view.text, view.file, view.repliesTo],
    ['Look', 'Ana', undefined, 'image/png', 'M0'],
  )
  assert.equal(
    messageLine(view),
    '[2026-01-31T12:00:00.000Z] M1 incoming image (file image/png) in reply to M0: <foreign-text by="Ana">Look</foreign-text>',
  )
})

test('the text of an outgoing message is not foreign, and a failure is shown', () => {
  const view = messageView({
    ...MESSAGE,
    direction: 'outgoing',
    type: 'text',
    status: 'failed',
    content: { message: 'Hello', quotedMessageId: 'M0' },
    failure: { reason: 'expired', error: 'The message expired.', code: null },
  })
  assert.deepEqual(
    [view.text, view.foreignText, view.foreignName, view.repliesTo],
    ['Hello', undefined, undefined, 'M0'],
  )
  assert.match(messageLine(view), / failed in reply to M0 failed: The message expired\.: Hello$/)
})

test('buttons are shown with what they do, as foreign text if they are', () => {
  const copyButton = { displayText: 'Copy', copyCode: 'WELCOME10' }
  const interactive = { body: 'Your coupon', buttons: [{ copyButton }] }
  const shown = 'Your coupon\n[copy] Copy: WELCOME10'
  const sent = messageView({ ...MESSAGE, direction: 'outgoing', type: 'cta', content: { interactive } })
  assert.deepEqual([sent.text, sent.foreignText], [shown, undefined])
  const received = messageView({ ...MESSAGE, type: 'cta', content: { text: 'Your coupon', interactive } })
  assert.deepEqual([received.text, received.foreignText], [undefined, shown])
})
