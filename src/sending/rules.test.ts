// The rules of sending.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SendRefusal } from '../network/network.ts'
import {
  type AcceptFacts,
  APPROVAL_MS,
  afterRefusal,
  afterUnexpected,
  approvalDeadline,
  chooseLanes,
  dayOf,
  decideAccept,
  deferred,
  editableText,
  editContent,
  expiry,
  firstStatus,
  isLate,
  QUEUE_CAP,
  REFUSAL_OF_ERROR,
  refusedTime,
  requeued,
  SCHEDULE_CAP,
  type SendTerms,
  scheduledFor,
  secondsToNextDay,
  takeRun,
  type WaitingMessage,
} from './rules.ts'

const TERMS: SendTerms = { messageLimit: null, messages: 1, sends: 1, sendAt: null, idempotency: null }
const INSTANCE = { loggedIn: true, queued: 0, scheduled: 0 }
const FACTS: AcceptFacts = { instance: INSTANCE, used: 0, usedByKey: 0, stored: undefined }
const decide = (terms: Partial<SendTerms>, facts: Partial<AcceptFacts> = {}) =>
  decideAccept({ ...TERMS, ...terms }, { ...FACTS, ...facts })

test('a send of a logged-in instance is accepted', () => {
  assert.deepEqual(decide({}), { outcome: 'accepted' })
})

test('a send whose answer has expired meanwhile is not accepted without its files', () => {
  const idempotency = { fingerprint: 'f' }
  const stored = { fingerprint: 'f', answer: '{}' }
  const repeated = { idempotency, isRepeated: true }
  assert.deepEqual(decide(repeated, { stored }), { outcome: 'replayed', answer: '{}' })
  assert.deepEqual(decide(repeated), { outcome: 'answer_expired' })
})

test('an instance that is gone, logged out or has a full queue accepts nothing', () => {
  assert.deepEqual(decide({}, { instance: undefined }), { outcome: 'instance_gone' })
  assert.deepEqual(decide({}, { instance: { ...INSTANCE, loggedIn: false } }), { outcome: 'not_logged_in' })
  const queue = (queued: number) => decide({}, { instance: { ...INSTANCE, queued } }).outcome
  assert.deepEqual([queue(QUEUE_CAP - 1), queue(QUEUE_CAP)], ['accepted', 'queue_full'])
})

test('a scheduled message needs room among the scheduled ones, not in the queue', () => {
  const full = { ...INSTANCE, queued: QUEUE_CAP }
  const schedule = (scheduled: number) => decide({ sendAt: 1 }, { instance: { ...full, scheduled } }).outcome
  assert.deepEqual([schedule(SCHEDULE_CAP - 1), schedule(SCHEDULE_CAP)], ['accepted', 'queue_full'])
})

test('a change of an earlier message is not counted', () => {
  assert.deepEqual(decide({ messageLimit: 0, messages: 0 }), { outcome: 'accepted' })
})

test('the quota refuses at the limit and reports what is used', () => {
  assert.deepEqual(decide({ messageLimit: 5 }, { used: 4 }), { outcome: 'accepted' })
  assert.deepEqual(decide({ messageLimit: 5 }, { used: 5 }), { outcome: 'limit_reached', used: 5 })
  assert.deepEqual(decide({ messageLimit: 5 }, { used: 7 }), { outcome: 'limit_reached', used: 7 })
  assert.deepEqual(decide({ messageLimit: 0 }), { outcome: 'limit_reached', used: 0 })
})

test('a repeated request gets the stored answer, a different request under the same key is refused', () => {
  const stored = { fingerprint: 'same', answer: 'first' }
  const withKey = (fingerprint: string) => decide({ idempotency: { fingerprint } }, { stored })
  assert.deepEqual(withKey('same'), { outcome: 'replayed', answer: 'first' })
  assert.deepEqual(withKey('other'), { outcome: 'key_reused' })
})

test('a stored answer is replayed even when instance and quota would refuse', () => {
  const facts = { instance: undefined, used: 1, stored: { fingerprint: 'same', answer: 'first' } }
  const outcome = decide({ messageLimit: 0, idempotency: { fingerprint: 'same' } }, facts)
  assert.deepEqual(outcome, { outcome: 'replayed', answer: 'first' })
})

test('a key has its own limit per day, before that of the plan', () => {
  const key = { id: 1, perDay: 2, day: 0, approveBy: null }
  assert.deepEqual(decide({ key }, { usedByKey: 1 }), { outcome: 'accepted' })
  const used = { usedByKey: 2, used: 9 }
  assert.deepEqual(decide({ key, messageLimit: 9 }, used), { outcome: 'key_limit_reached', used: 2 })
  assert.deepEqual(decide({ key: { ...key, perDay: null } }, { usedByKey: 99 }), { outcome: 'accepted' })
  assert.deepEqual(decide({ key, messages: 0 }, used), { outcome: 'key_limit_reached', used: 2 })
})

test('an album is accepted if every limit has room for all of its files; its files are then not refused', () => {
  const key = { id: 1, perDay: 5, day: 0, approveBy: null }
  const album = { key, messages: 3, sends: 3, messageLimit: 9 }
  assert.deepEqual(decide(album, { usedByKey: 2, used: 6 }), { outcome: 'accepted' })
  assert.deepEqual(decide(album, { usedByKey: 3 }), { outcome: 'key_limit_reached', used: 3 })
  assert.deepEqual(decide(album, { used: 7 }), { outcome: 'limit_reached', used: 7 })
  const queued = (left: number) =>
    decide(album, { instance: { ...INSTANCE, queued: QUEUE_CAP - left } }).outcome
  assert.deepEqual([queued(3), queued(2)], ['accepted', 'queue_full'])
  const full = { instance: { ...INSTANCE, queued: QUEUE_CAP }, usedByKey: 5, used: 9 }
  assert.deepEqual(decide({ ...album, messages: 0, sends: 0 }, full), { outcome: 'accepted' })
  assert.equal(decide({ messages: 0, sends: 0 }, { instance: undefined }).outcome, 'instance_gone')
})

test('a send that needs approval waits for it before its time, and is not in the queue', () => {
  const key = { id: 1, perDay: null, day: 0, approveBy: 5 }
  assert.equal(firstStatus({ sendAt: null, key }), 'awaiting_approval')
  assert.equal(firstStatus({ sendAt: 3, key }), 'awaiting_approval')
  assert.equal(firstStatus({ sendAt: 3 }), 'scheduled')
  assert.equal(firstStatus({ sendAt: null }), 'queued')
  const full = { ...INSTANCE, queued: QUEUE_CAP }
  assert.deepEqual(decide({ key }, { instance: full }), { outcome: 'accepted' })
  assert.deepEqual(decide({ key }, { instance: { ...INSTANCE, scheduled: SCHEDULE_CAP } }), {
    outcome: 'queue_full',
  })
})

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

const NOW = Date.UTC(2026, 0, 31)
const DAY_MS = 24 * 60 * 60 * 1000
const none = { sendAt: null, expiresAt: null }

test('a request without times is accepted', () => {
  assert.equal(refusedTime(none, NOW), undefined)
  assert.equal(scheduledFor(none, NOW), null)
})

test('sendAt is accepted up to one year ahead, and refused in the past', () => {
  const refused = (sendAt: number) => refusedTime({ ...none, sendAt }, NOW)?.message
  assert.equal(refused(NOW + 365 * DAY_MS), undefined)
  assert.equal(refused(NOW + 367 * DAY_MS), 'must be at most one year ahead')
  assert.equal(refused(NOW - 61_000), 'must be in the future')
})

test('a sendAt that has just passed means at once: clocks differ', () => {
  const sendAt = NOW - 30_000
  assert.equal(refusedTime({ ...none, sendAt }, NOW), undefined)
  assert.equal(scheduledFor({ sendAt }, NOW), null)
  assert.equal(scheduledFor({ sendAt: NOW + 1 }, NOW), NOW + 1)
})

test('expiresAt must be in the future', () => {
  assert.equal(refusedTime({ ...none, expiresAt: NOW }, NOW)?.path, 'expiresAt')
  assert.equal(refusedTime({ ...none, expiresAt: NOW + 1 }, NOW), undefined)
})

test('a message is late when no process ran at its time', () => {
  assert.equal(isLate(NOW - 1000, NOW), false)
  assert.equal(isLate(NOW - 60_000, NOW), true)
})

const lane = (key: string, dueAt: number) => ({ key, dueAt })
const keys = (lanes: { key: string }[]) => lanes.map(({ key }) => key).join('')

describe('choosing lanes', () => {
  test('the longest due comes first; lanes due at the same time are ordered by key', () => {
    const instances = [
      { locked: 0, due: [lane('d', 4), lane('b', 2)] },
      { locked: 0, due: [lane('c', 2), lane('a', 1)] },
    ]
    assert.equal(keys(chooseLanes(instances, { limit: 10, perInstance: 10 })), 'abcd')
    assert.equal(keys(chooseLanes(instances, { limit: 2, perInstance: 10 })), 'ab')
  })

  test('an instance has at most this many lanes locked, those that are locked already included', () => {
    const due = [lane('a', 1), lane('b', 2), lane('c', 3)]
    const choose = (locked: number) => keys(chooseLanes([{ locked, due }], { limit: 10, perInstance: 2 }))
    assert.deepEqual([choose(0), choose(1), choose(2), choose(3)], ['ab', 'a', '', ''])
  })

  test('an instance at its limit takes no slot from another', () => {
    const busy = { locked: 2, due: [lane('a', 1), lane('b', 1)] }
    const other = { locked: 0, due: [lane('z', 9)] }
    assert.equal(keys(chooseLanes([busy, other], { limit: 1, perInstance: 2 })), 'z')
  })
})

describe('the run of a lane', () => {
  const message = (status: WaitingMessage['status'], delayMs = 0) => ({ status, delayMs })
  const [plain, typed, tried] = [message('queued'), message('queued', 3000), message('sending')]

  test('it is every message that can be sent without a pause', () => {
    assert.deepEqual(takeRun([plain, plain, plain]), [plain, plain, plain])
    assert.deepEqual(takeRun([]), [])
  })

  test('it ends before a message with a typing delay and before one that was tried before', () => {
    assert.deepEqual(takeRun([plain, plain, typed, plain]), [plain, plain])
    assert.deepEqual(takeRun([plain, tried, plain]), [plain])
  })

  test('a message with a typing delay, or one that is tried again, is claimed alone', () => {
    assert.deepEqual(takeRun([typed, plain]), [typed])
    assert.deepEqual(takeRun([tried, plain]), [tried])
  })
})

const refuse = (refusal: SendRefusal, tries = 1, code: number | null = null) =>
  afterRefusal(refusal, { tries, now: NOW, code })

describe('a refused send', () => {
  test('temporary: retried without an end, with pauses from one second to a minute', () => {
    const pauses = [1, 2, 3, 7, 1000].map((tries) => {
      const outcome = refuse('temporary', tries)
      return outcome.kind === 'retry' ? outcome.at - NOW : null
    })
    assert.deepEqual(pauses, [1000, 2000, 4000, 60_000, 60_000])
  })

  test('stale: retried three times, then failed', () => {
    assert.deepEqual(
      [1, 2, 3, 4].map((tries) => refuse('stale', tries).kind),
      ['retry', 'retry', 'retry', 'failed'],
    )
  })

  test('restricted: deferred for five minutes', () => {
    assert.deepEqual(refuse('restricted'), { kind: 'retry', at: NOW + 5 * 60_000 })
    assert.deepEqual(deferred(NOW), refuse('restricted'))
  })

  test('permanent: failed with the code of the network', () => {
    assert.deepEqual(refuse('permanent', 1, 479), {
      kind: 'failed',
      reason: 'rejected_by_network',
      error: 'The network refused the message (479).',
      code: 479,
    })
    const withoutCode = refuse('permanent')
    assert.equal(withoutCode.kind === 'failed' && withoutCode.error, 'The network refused the message.')
  })

  test('not a member of the group: failed', () => {
    const outcome = refuse('not_a_group_member', 1, 404)
    assert.deepEqual([outcome.kind === 'failed' && outcome.reason], ['not_a_group_member'])
  })
})

test('errors of the network: only a refusal, an error about a group and stale data are not temporary', () => {
  const others = Object.entries(REFUSAL_OF_ERROR).filter(([, refusal]) => refusal !== 'temporary')
  assert.deepEqual(Object.fromEntries(others), {
    refused: 'permanent',
    not_a_group_member: 'not_a_group_member',
    not_a_group_admin: 'permanent',
    unknown_invite: 'permanent',
    stale: 'stale',
  })
})

test('an unexpected error: retried four times, then failed', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((met) => afterUnexpected(met, NOW).kind),
    ['retry', 'retry', 'retry', 'retry', 'failed'],
  )
})

test('a requeued message is due at once', () => {
  assert.deepEqual(requeued(NOW), { kind: 'retry', at: NOW })
})

describe('expiry', () => {
  const CODE = 7
  const expired = (ageMs: number, restricted = false) =>
    expiry({ dueAt: NOW - ageMs, expiresAt: null, restricted }, NOW, CODE)

  test('none within 24 hours', () => {
    assert.equal(expired(DAY_MS), undefined)
    assert.equal(expired(DAY_MS, true), undefined)
  })

  test('at the time that the request set, even within 24 hours', () => {
    const at = (expiresAt: number) => expiry({ dueAt: NOW, expiresAt, restricted: false }, NOW, CODE)
    assert.equal(at(NOW + 1), undefined)
    const failure = at(NOW)
    assert.equal(failure?.kind === 'failed' && failure.reason, 'expired')
  })

  test('after 24 hours, with the reason that applies', () => {
    const plain = expired(DAY_MS + 1)
    assert.deepEqual(plain?.kind === 'failed' && [plain.reason, plain.code], ['expired', null])
    const restricted = expired(DAY_MS + 1, true)
    assert.deepEqual(restricted?.kind === 'failed' && [restricted.reason, restricted.code], [
      'account_restricted',
      CODE,
    ])
  })
})
