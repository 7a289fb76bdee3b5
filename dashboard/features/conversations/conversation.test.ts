// The model behind the conversations page: merging pages and events, and building requests from forms.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import type { EventData } from '../../../src/contract/events.ts'
import type { Route } from '../../../src/contract/route.ts'
import { routes } from '../../../src/contract/routes.ts'
import {
  type Conversation,
  type Message,
  newestUnread,
  nextPage,
  shownMessages,
  withNewest,
  withOlder,
  withUpdate,
  withUpsert,
} from './conversation.ts'
import { bodyOf, curlOf, type Draft, emptyDraft, newEntry, pathsOf } from './send-body.ts'
import { SEND_FORMS, type SendForm, type SendKind } from './send-forms.ts'

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
    groupJid: null,
    type: 'text',
    status: 'delivered',
    content: { text: `text ${n}`, from: PERSON },
    failure: null,
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
    const asked = upsert(1, { direction: 'outgoing', status: 'queued', content: { message: 'hi' } })
    let known = withUpsert({ messages: [], hasMore: false }, 'line', asked)
    known = withUpsert(known, 'line', asked)
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
      shown.map((one) => [one.message.messageId, one.text, one.isEdited, one.isDeleted]),
      [
        ['M1', 'better', true, false],
        ['M2', 'text 2', false, true],
        ['M3', null, false, false],
      ],
    )
    assert.deepEqual(shown[0]?.reactions, [['👍', 2]])
    assert.deepEqual([...(shown[2]?.votes ?? [])], [['b', 1]])
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
      one.isDeleted,
    ])
    assert.deepEqual(shown, [
      ['M2', 'outgoing', 'our words', false],
      ['M3', 'outgoing', 'our words', false],
      ['M4', 'incoming', 'text 4', false],
      ['M5', 'outgoing', 'our words', false],
      ['M5', 'incoming', 'forged', false],
      ['M6', 'outgoing', 'our words', true],
    ])
  })
})

describe('a form and its request', () => {
  const person = { instanceName: 'line', to: { number: '5511900000002' } } as const
  const group = { instanceName: 'line', to: { groupJid: '120363000000000000@g.us' } } as const
  const recipientOf = (kind: SendKind) => (kind === 'group' ? group : person)

  /** A valid value for every field. */
  const filled = (form: SendForm['fields'], draft: Draft): Draft =>
    Object.fromEntries(
      form.flatMap((field): [string, string | Draft[]][] => {
        const value = draft[field.path]
        if (field.input === 'fixed' || value === undefined) return []
        if (field.input === 'list')
          return [[field.path, (value as Draft[]).map((entry, n) => filledEntry(field.fields, entry, n))]]
        if (field.input === 'choice') return [[field.path, value]]
        const sample = {
          number: '1',
          url: 'https://example.com/a.png',
          tel: '+5511912345678',
          line: 'text',
          lines: 'text',
        }
        return [
          [field.path, field.path === 'mimetype' ? 'image/png' : value === '' ? sample[field.input] : value],
        ]
      }),
    )
  const filledEntry = (fields: SendForm['fields'], entry: Draft, n: number): Draft =>
    fields[0]?.path === '' ? { '': `option ${n}` } : filled(fields, entry)

  for (const [kind, form] of Object.entries(SEND_FORMS) as [SendKind, SendForm][]) {
    const route = routes[form.route] as unknown as Route
    test(`${kind}: a filled form is valid for its endpoint`, () => {
      const body = bodyOf(form, filled(form.fields, emptyDraft(form.fields)), recipientOf(kind), '250')
      assert.equal(form.path, route.path)
      assert.deepEqual(route.body?.safeParse(body).error?.issues ?? [], [])
      assert.equal(body.delay, 250)
    })

    test(`${kind}: an empty form shows every API error at a field`, () => {
      const draft = emptyDraft(form.fields)
      const parsed = route.body?.safeParse(bodyOf(form, draft, recipientOf(kind), ''))
      const faults = parsed?.error?.issues.map((issue) => issue.path.map(String).join('.')) ?? []
      // A URL is checked after the schema, and the error names its field.
      assert.ok(faults.length > 0 || kind === 'media')
      const known = pathsOf(form.fields, draft)
      assert.deepEqual(
        faults.filter((path) => !known.has(path)),
        [],
      )
    })
  }

  test('a call to action is a link or a call, with its position in the list', () => {
    const form: SendForm = SEND_FORMS.cta
    const draft = emptyDraft(form.fields)
    const call = {
      action: 'call',
      'callButton.displayText': 'Ring',
      'callButton.phoneNumber': '+5511912345678',
    }
    const page = { action: 'url', 'urlButton.displayText': 'Look', 'urlButton.url': 'https://example.com' }
    const body = bodyOf(form, { ...draft, 'interactive.buttons': [page, call] }, person, '')
    assert.deepEqual((body.interactive as { buttons: unknown }).buttons, [
      { index: 0, urlButton: { displayText: 'Look', url: 'https://example.com' } },
      { index: 1, callButton: { displayText: 'Ring', phoneNumber: '+5511912345678' } },
    ])
  })

  test('suggested identifiers are unique, even after an entry was removed', () => {
    const list = SEND_FORMS.button.fields.find((field) => field.input === 'list')
    assert.ok(list)
    const [first, second] = [newEntry(list, []), newEntry(list, [newEntry(list, [])])]
    assert.notEqual(first.buttonId, second.buttonId)
    assert.notEqual(newEntry(list, [second]).buttonId, second.buttonId)
  })

  test('the curl command sends the body in a shell and runs nothing else', () => {
    const body = { message: `it's $(touch hit) \`touch hit\` "quoted" \\ and\nmore '' $API_KEY` }
    const curl = curlOf('https://gateway.example', '/send/text', body)
    assert.ok(curl.startsWith("curl -X POST 'https://gateway.example/api/v1/send/text'"))
    // Replaces curl: prints each argument, terminated by a byte that no argument can contain.
    const script = `curl() { printf '%s\\0' "$@"; }\n${curl}`
    const output = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { API_KEY: 'the-key' } })
    const given = output.split('\0')
    assert.ok(given.includes('Authorization: Bearer the-key'))
    assert.deepEqual(JSON.parse(given.at(-2) ?? ''), body)
  })
})
