// The model behind the conversations page: merging pages and events, and applying changes to messages.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EventData } from '../../../../src/contract/events.ts'
import { forwardedKind, isDeletable, isEditable } from '../../../../src/contract/message-changes.ts'
import {
  type Conversation,
  nextPage,
  withNewest,
  withOlder,
  withoutDeleted,
  withScheduled,
  withStar,
  withUpdate,
  withUpsert,
} from './conversation.ts'
import { choicesFor } from './message-choices.ts'
import type { Message } from './message-fields.ts'
import { newestUnread, shownMessages } from './shown-messages.ts'

const START = Date.UTC(2026, 0, 31, 12)
const PERSON = { jid: '5511900000002@s.whatsapp.net', lid: null, phone: '5511900000002', pushName: 'Ana' }

/** The n-th message of a conversation, one second after the previous one. */
const message = (n: number, more: Partial<Message> = {}): Message => {
  const at = new Date(START + n * 1000).toISOString()
  return {
    messageId: `M${n}`,
    instanceName: 'line',
    direction: 'incoming',
    number: '5511900000002',
    chat: '5511912345678@s.whatsapp.net',
    lid: null,
    username: null,
    groupJid: null,
    type: 'text',
    status: 'delivered',
    content: { text: `text ${n}`, from: PERSON },
    failure: null,
    sendAt: null,
    expiresAt: null,
    late: false,
    reference: null,
    starred: false,
    historical: false,
    createdAt: at,
    updatedAt: at,
    sentAt: at,
    deliveredAt: at,
    readAt: null,
    ...more,
  }
}
/** Newest first, as the API lists them. */
const down = (from: number, to: number): Message[] =>
  Array.from({ length: from - to + 1 }, (_, index) => message(from - index))
const ids = ({ messages }: Conversation): string[] => messages.map(({ messageId }) => messageId)

const upsert = (
  n: number,
  more: Partial<EventData<'messages.upsert'>> = {},
): EventData<'messages.upsert'> => ({
  messageId: `M${n}`,
  chat: PERSON.jid,
  direction: 'incoming',
  from: PERSON,
  type: 'text',
  text: `text ${n}`,
  media: null,
  quoted: null,
  interactiveReplyId: null,
  content: {},
  status: 'delivered',
  sentAt: new Date(START + n * 1000).toISOString(),
  ...more,
})

describe('a conversation of pages and events', () => {
  test('unread is the newest incoming message, regardless of later outgoing messages and reactions', () => {
    const about = message(4, { type: 'reaction' })
    const mine = message(3, { direction: 'outgoing', status: 'sent' })
    assert.equal(newestUnread({ messages: [about, mine, message(2), message(1)] }), 'M2')
    const read = message(2, { status: 'read' })
    assert.equal(newestUnread({ messages: [about, mine, read, message(1)] }), undefined)
    assert.equal(newestUnread({ messages: [mine] }), undefined)
  })

  test('older pages are appended without gaps or duplicates, even if new messages arrived meanwhile', () => {
    let known = withNewest(undefined, { messages: down(100, 51), hasMore: true })
    known = withUpsert(known, 'line', upsert(101))
    assert.equal(nextPage(known, 50), 2)
    known = withOlder(known, { messages: down(51, 2), hasMore: true })
    known = withOlder(known, { messages: down(1, 1), hasMore: false })
    assert.deepEqual(ids(known), ids({ messages: down(101, 1), hasMore: false }))
    assert.equal(known.hasMore, false)
  })

  test('refetching the newest page keeps older pages', () => {
    const known: Conversation = { messages: down(100, 1), hasMore: false }
    const refetched = withNewest(known, { messages: down(103, 54), hasMore: true })
    assert.deepEqual(ids(refetched), ids({ messages: down(103, 1), hasMore: false }))
    assert.equal(refetched.hasMore, false)
  })

  test('if too many messages were missed, older ones are dropped instead of leaving a gap', () => {
    const known: Conversation = { messages: down(10, 1), hasMore: false }
    const refetched = withNewest(known, { messages: down(200, 151), hasMore: true })
    assert.deepEqual([ids(refetched).at(-1), refetched.hasMore], ['M151', true])
  })

  test('a status never goes backwards, even if an update arrives late', () => {
    const sent = message(1, { direction: 'outgoing', status: 'sent' })
    const at = sent.createdAt
    const update = (status: Message['status']) => ({
      messageId: 'M1',
      chat: PERSON.jid,
      status,
      failure: null,
      at,
    })
    let known: Conversation = { messages: [sent], hasMore: false }
    known = withUpdate(known, update('read')) ?? known
    known = withUpdate(known, update('delivered')) ?? known
    known = withNewest(known, { messages: [sent], hasMore: false })
    assert.deepEqual(
      known.messages.map(({ status }) => status),
      ['read'],
    )
    assert.equal(withUpdate(known, { ...update('sent'), messageId: 'other' }), undefined)
  })

  test('a duplicate event yields one message; a sent message keeps its content', () => {
    const requested = upsert(1, { direction: 'outgoing', status: 'queued', content: { message: 'hi' } })
    let known = withUpsert({ messages: [], hasMore: false }, 'line', requested)
    known = withUpsert(known, 'line', requested)
    assert.equal(known.messages.length, 1)
    assert.deepEqual(known.messages[0]?.content, { message: 'hi' })
    assert.equal(shownMessages(known)[0]?.text, 'hi')
  })

  test('reactions, edits, deletions and votes are applied to their target only', () => {
    const about = (n: number, type: Message['type'], content: Message['content'], from = PERSON): Message =>
      message(n, { type, content: { from, ...content } })
    const ben = { ...PERSON, jid: '5511900000003@s.whatsapp.net' }
    const messages = [
      about(9, 'poll_vote', { targetMessageId: 'M3', options: ['b'] }),
      about(8, 'poll_vote', { targetMessageId: 'M3', options: ['a'] }),
      about(7, 'delete', { targetMessageId: 'M2' }),
      about(6, 'edit', { targetMessageId: 'M1', text: 'better' }),
      about(5, 'reaction', { targetMessageId: 'M1', emoji: '👍' }, ben),
      about(5, 'reaction', { targetMessageId: 'M1', emoji: '👍' }),
      about(4, 'reaction', { targetMessageId: 'M1', emoji: '❤️' }),
      message(3, { type: 'poll', content: { pollName: 'which', options: ['a', 'b'] } }),
      message(2),
      message(1),
    ]
    const shown = shownMessages({ messages })
    assert.deepEqual(
      shown.map((one) => [one.message.messageId, one.text, one.isEdited, one.deletedBy]),
      [
        ['M1', 'better', true, null],
        ['M2', 'text 2', false, 'author'],
        ['M3', null, false, null],
      ],
    )
    assert.deepEqual(shown[0]?.reactions, [['👍', 2]])
    assert.deepEqual([...(shown[2]?.votes ?? [])], [['b', 1]])
  })

  test('the last answer of each guest to an event counts, with those that the guest brings', () => {
    const answer = (n: number, jid: string, content: Message['content']): Message =>
      message(n, {
        type: 'event_answer',
        content: { from: { ...PERSON, jid }, targetMessageId: 'M1', ...content },
      })
    const messages = [
      answer(4, 'ben', { answer: 'maybe', extraGuests: 0 }),
      answer(3, 'ana', { answer: 'going', extraGuests: 2 }),
      answer(2, 'ana', { answer: 'not_going', extraGuests: 0 }),
      message(1, { type: 'event', content: { name: 'Opening' } }),
    ]
    const [event, ...others] = shownMessages({ messages })
    assert.deepEqual(others, [])
    assert.deepEqual(Object.fromEntries(event?.votes ?? []), { going: 3, maybe: 1 })
  })

  test('only changes by the author or an admin are applied, and never under the id of another message', () => {
    const ben = { ...PERSON, jid: '5511900000003@s.whatsapp.net', lid: '3@lid' }
    const about = (n: number, type: Message['type'], content: Message['content']): Message =>
      message(n, { type, content: { text: 'forged', ...content } })
    const ours = { direction: 'outgoing', content: { message: 'our words' } } as const
    const target = (messageId: string, direction: string) => ({ messageId, direction, author: null })
    const messages = [
      about(14, 'delete', {
        targetMessageId: 'M6',
        deletedBy: 'admin',
        from: ben,
        target: target('M6', 'outgoing'),
      }),
      about(13, 'edit', { targetMessageId: 'M5', from: PERSON, target: target('M5', 'incoming') }),
      // Stored by a version that did not check them.
      about(12, 'edit', { targetMessageId: 'M4', from: ben }),
      about(11, 'delete', { targetMessageId: 'M3', from: PERSON }),
      about(10, 'edit', { targetMessageId: 'M2', from: PERSON }),
      message(6, ours),
      message(5, { content: { text: 'the same id', from: PERSON } }),
      message(5, ours),
      message(4),
      message(3, ours),
      message(2, ours),
    ]
    const shown = shownMessages({ messages }).map((one) => [
      one.message.messageId,
      one.message.direction,
      one.text,
      one.deletedBy,
    ])
    assert.deepEqual(shown, [
      ['M2', 'outgoing', 'our words', null],
      ['M3', 'outgoing', 'our words', null],
      ['M4', 'incoming', 'text 4', null],
      ['M5', 'outgoing', 'our words', null],
      ['M5', 'incoming', 'forged', null],
      ['M6', 'outgoing', 'our words', 'admin'],
    ])
  })

  const sent = (n: number, more: Partial<Message> = {}): Message =>
    message(n, { direction: 'outgoing', status: 'sent', content: { message: `sent ${n}` }, ...more })
  const change = (
    n: number,
    type: Message['type'],
    content: Message['content'],
    more: Partial<Message> = {},
  ) => sent(n, { type, content: { targetMessageId: 'M1', ...content }, ...more })

  test('changes of the reader are applied as soon as they are queued, and undone if they fail', () => {
    const queued = { status: 'queued' } as const
    const messages = [
      change(5, 'pin', { seconds: 86_400 }, queued),
      change(4, 'reaction', { emoji: '🎉' }, queued),
      change(3, 'edit', { message: 'better' }, queued),
      sent(1),
    ]
    const [shown] = shownMessages({ messages })
    assert.deepEqual(
      [shown?.text, shown?.ownReaction, shown?.reactions, shown?.pinnedUntil, shown?.failedChange],
      ['better', '🎉', [['🎉', 1]], START + 5000 + 86_400_000, null],
    )
    const failure = { reason: 'rejected_by_network', error: 'no', code: 405 } as const
    const failed = change(3, 'edit', { message: 'better' }, { status: 'failed', failure })
    const [undone] = shownMessages({ messages: [failed, sent(1)] })
    assert.deepEqual([undone?.text, undone?.isEdited, undone?.failedChange?.type], ['sent 1', false, 'edit'])
  })

  test('a withdrawn reaction and a removed pin leave nothing, whichever device made them', () => {
    const own = { ...PERSON, jid: '5511900000001@s.whatsapp.net' }
    const [shown] = shownMessages({
      messages: [
        change(6, 'pin', { seconds: null }),
        change(5, 'pin', { seconds: 86_400 }),
        change(4, 'reaction', { emoji: null }),
        // From the phone of the account, with its sender.
        change(3, 'reaction', { emoji: '👍', from: own }),
        sent(1),
      ],
    })
    assert.deepEqual([shown?.reactions, shown?.ownReaction, shown?.pinnedUntil], [[], null, null])
  })

  test('scheduled messages are at the end, also those of older pages, until they are sent or cancelled', () => {
    const later = new Date(START + 9_000_000).toISOString()
    const early = sent(1, { status: 'scheduled', sendAt: later })
    let known = withNewest(undefined, { messages: down(60, 11), hasMore: true })
    known = withScheduled(known, [early])
    const last = () => shownMessages(known).at(-1)?.message
    assert.equal(last()?.messageId, 'M1')
    assert.equal(nextPage(known, 50), 2, 'it is not part of the pages')
    const at = new Date(START + 9_000_500).toISOString()
    const update = { messageId: 'M1', chat: PERSON.jid, failure: null, at }
    known = withUpdate(known, { ...update, status: 'queued' }) ?? known
    known = withScheduled(known, [])
    assert.equal(last()?.status, 'queued')
    known = withOlder(known, { messages: [...down(10, 2), { ...early, status: 'sent' }], hasMore: false })
    assert.equal(shownMessages(known).filter((one) => one.message.messageId === 'M1').length, 1)

    const cancelledAt = new Date(START + 3500).toISOString()
    const cancelled = { ...early, status: 'failed', updatedAt: cancelledAt } as const
    const order = shownMessages({ messages: [...down(5, 2), cancelled] }).map((one) => one.message.messageId)
    assert.deepEqual(order, ['M2', 'M1', 'M3', 'M4', 'M5'], 'where it was cancelled')
  })

  test('the offered changes of a message are those that the gateway accepts', () => {
    const ages = [0, 14 * 60_000, 16 * 60_000, 23 * 3_600_000, 25 * 3_600_000, 59 * 3_600_000, 61 * 3_600_000]
    const kinds = ['text', 'image', 'audio', 'poll', 'contact', 'sticker'] as const
    const writers: Partial<Message>[] = [
      { direction: 'incoming' },
      { direction: 'outgoing', status: 'sent', content: { message: 'x' } },
      { direction: 'outgoing', status: 'sent', content: { text: 'x', from: PERSON } },
      { direction: 'outgoing', status: 'sent', content: { message: 'x', viewOnce: true } },
    ]
    for (const ageMs of ages)
      for (const type of kinds)
        for (const writer of writers)
          for (const [isAdmin, isStatus] of [
            [false, false],
            [true, false],
            [false, true],
          ] as const) {
            const chat = isStatus ? 'status@broadcast' : PERSON.jid
            const one = message(0, { type, chat, ...writer })
            const now = START + ageMs
            const [shown] = shownMessages({ messages: [one] })
            assert.ok(shown)
            const offered = new Set(choicesFor(shown, isAdmin, now))
            const isOurs = one.direction === 'outgoing'
            const stored = {
              isOurs,
              isFromApi: isOurs && one.content.from === undefined,
              type,
              at: START,
              isViewOnce: one.content.viewOnce === true,
              isStatus,
            }
            assert.deepEqual(
              [offered.has('edit'), offered.has('delete'), offered.has('forward')],
              [
                !isStatus && isEditable(stored, now),
                isDeletable(stored, now, isAdmin),
                forwardedKind(stored) !== undefined,
              ],
              JSON.stringify({ ageMs, type, writer, isAdmin, isStatus }),
            )
            assert.equal(offered.has('react') || offered.has('reply') || offered.has('pin'), !isStatus)
          }
    const unsent = shownMessages({ messages: [sent(1, { status: 'failed' })] })
    assert.deepEqual(
      unsent.map((one) => choicesFor(one, true, START)),
      [['copy']],
    )
  })

  test('a star is offered once the message is on the phone, and removed from a starred one', () => {
    const starChoices = (more: Partial<Message>) => {
      const [shown] = shownMessages({ messages: [sent(1, more)] })
      assert.ok(shown)
      return choicesFor(shown, false, START).filter((choice) => choice === 'star' || choice === 'unstar')
    }
    for (const status of ['scheduled', 'queued', 'sending', 'failed'] as const)
      assert.deepEqual(starChoices({ status }), [], status)
    for (const status of ['sent', 'delivered', 'read', 'played'] as const) {
      assert.deepEqual(starChoices({ status, starred: false }), ['star'], status)
      assert.deepEqual(starChoices({ status, starred: true }), ['unstar'], status)
    }
  })

  test('a star is shown at its message, wherever it is in the loaded pages', () => {
    const known: Conversation = { messages: down(120, 1), hasMore: false }
    const next = withStar(known, message(3, { starred: true }))
    assert.deepEqual(
      next.messages.filter(({ starred }) => starred).map(({ messageId }) => messageId),
      ['M3'],
    )
    const other = withStar(known, sent(3, { starred: true }))
    assert.ok(other.messages.every(({ starred }) => !starred))
  })

  test('messages of a cleared chat disappear; those that arrived after the request stay', () => {
    const requested: Conversation = { messages: down(120, 1), hasMore: true }
    const meanwhile = withUpsert(requested, 'line', upsert(121))
    const page = { messages: down(7, 7), hasMore: false }
    const cleared = withNewest(withoutDeleted(meanwhile, page, requested), page)
    assert.deepEqual(ids(cleared).sort(), ['M121', 'M7'])
    const empty = { messages: [], hasMore: false }
    const all = withNewest(withoutDeleted(requested, empty, requested), empty)
    assert.deepEqual([ids(all), all.hasMore], [[], false])
    const full = { messages: down(120, 71), hasMore: true }
    assert.equal(
      withoutDeleted(requested, full, requested),
      requested,
      'a page with older ones proves nothing',
    )
    assert.equal(withoutDeleted(requested, page, undefined), requested)
  })
})
