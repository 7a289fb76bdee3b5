import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  APPROVAL_MS,
  approvalDeadline,
  dayOf,
  editableText,
  editContent,
  secondsToNextDay,
} from './approval.ts'

const NOON = Date.parse('2026-01-31T12:00:00Z')

test('a send can be approved for a day after its time, and not after its own end', () => {
  assert.equal(approvalDeadline({ sendAt: null, expiresAt: null }, NOON), NOON + APPROVAL_MS)
  assert.equal(approvalDeadline({ sendAt: NOON + 5, expiresAt: null }, NOON), NOON + 5 + APPROVAL_MS)
  assert.equal(approvalDeadline({ sendAt: null, expiresAt: NOON + 5 }, NOON), NOON + 5)
})

test('days begin at midnight UTC', () => {
  assert.equal(new Date(dayOf(NOON)).toISOString(), '2026-01-31T00:00:00.000Z')
  assert.equal(secondsToNextDay(NOON), 12 * 3600)
  assert.equal(secondsToNextDay(dayOf(NOON)), 24 * 3600)
})

describe('the text that an approver can edit', () => {
  const ANA = '5511912345678@s.whatsapp.net'
  const text = (kind: string, content: Record<string, unknown>, chat = ANA) =>
    editableText({ kind, chat, content })

  test('each kind has its own field and its own limit', () => {
    const interactive = { body: 'above', text: 'menu' }
    const cases: [
      kind: string,
      content: Record<string, unknown>,
      field: string,
      value: string,
      max: number,
    ][] = [
      ['text', { message: 'hi' }, 'message', 'hi', 65_536],
      ['edit', { message: 'new' }, 'message', 'new', 65_536],
      ['video', { message: 'look' }, 'message', 'look', 1024],
      ['poll', { pollName: 'When?' }, 'pollName', 'When?', 1024],
      ['carousel', { interactive }, 'interactive.body', 'above', 1024],
      ['list', { interactive }, 'interactive.text', 'menu', 1024],
    ]
    for (const [kind, content, field, value, max] of cases) {
      const found = text(kind, content)
      assert.deepEqual([found?.field, found?.value, found?.maxLength], [field, value, max], kind)
    }
  })

  test('a caption may be empty, and may be added; a text may not be empty', () => {
    assert.deepEqual([text('image', {})?.value, text('image', {})?.minLength], ['', 0])
    assert.equal(text('text', { message: 'hi' })?.minLength, 1)
  })

  test('the text of a status is shorter', () => {
    assert.equal(text('text', { message: 'hi' }, 'status@broadcast')?.maxLength, 700)
    assert.equal(text('image', { message: 'hi' }, 'status@broadcast')?.maxLength, 1024)
  })

  test('other kinds have none, and neither has a forwarded message', () => {
    for (const kind of [
      'audio',
      'sticker',
      'location',
      'contact',
      'event',
      'reaction',
      'delete',
      'constructor',
    ])
      assert.equal(text(kind, { message: 'x', name: 'x' }), null, kind)
    assert.equal(text('text', { message: 'hi', forwardOf: { messageId: 'A' } }), null)
  })
})

describe('an edit of the approver', () => {
  const ANA = '5511912345678@s.whatsapp.net'
  const edit = (kind: string, content: Record<string, unknown>, text: string) =>
    editContent({ kind, chat: ANA, content }, text)

  test('replaces the text and leaves the rest', () => {
    assert.deepEqual(edit('text', { message: 'hi', mentions: ['1'] }, 'hello'), {
      text: 'hello',
      content: { message: 'hello', mentions: ['1'] },
    })
    assert.deepEqual(edit('button', { interactive: { body: 'a', buttons: [1] } }, 'b'), {
      text: 'b',
      content: { interactive: { body: 'b', buttons: [1] } },
    })
  })

  test('adds and removes a caption', () => {
    assert.deepEqual(edit('image', { mediaId: 'm' }, 'look'), {
      text: 'look',
      content: { mediaId: 'm', message: 'look' },
    })
    assert.deepEqual(edit('image', { mediaId: 'm', message: 'look' }, ''), {
      text: null,
      content: { mediaId: 'm' },
    })
    assert.equal(edit('image', { mediaId: 'm' }, ''), undefined)
  })

  test('the same text is not an edit', () => assert.equal(edit('text', { message: 'hi' }, 'hi'), undefined))

  test('is refused where there is no text, and beyond its limits', () => {
    assert.ok('refused' in (edit('sticker', {}, 'x') ?? {}))
    assert.ok('refused' in (edit('text', { message: 'hi' }, '') ?? {}))
    assert.ok('refused' in (edit('image', {}, 'x'.repeat(1025)) ?? {}))
    assert.ok('content' in (edit('image', {}, 'x'.repeat(1024)) ?? {}))
  })

  test('keeps the preview of the same link, and drops that of another one', () => {
    const preview = { url: 'https://example.com/a', title: 'A' }
    const content = { message: 'See https://example.com/a', linkPreview: true, preview }
    const after = (text: string) =>
      (edit('text', content, text) as unknown as { content: typeof content }).content.preview
    assert.deepEqual(after('Look at https://example.com/a!'), preview)
    assert.equal(after('Look at https://example.com/b'), null)
    assert.equal(after('Nothing to see'), null)
  })
})
