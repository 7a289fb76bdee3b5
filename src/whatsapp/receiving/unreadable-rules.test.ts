// Who is asked for a message that cannot be decrypted, and when it is reported.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  asksPhone,
  dueStep,
  retryCount,
  type UnreadableMessageRecord,
  unreadableReason,
} from './unreadable-rules.ts'

const NOW = 1_800_000_000_000
const DAY_MS = 86_400_000
const TIMES = { phoneMs: 3000, reportMs: 60_000 }
const secondsAt = (ms: number) => String(ms / 1000)

const message = (
  change: Partial<UnreadableMessageRecord> = {},
  attrs: Record<string, string> = {},
): UnreadableMessageRecord => ({
  name: 'n',
  attrs: { id: 'M1', from: '5511900000001@s.whatsapp.net', t: secondsAt(NOW), ...attrs },
  reason: 'decryption_failed',
  failures: 1,
  failedAtMs: NOW,
  phoneAskedAtMs: null,
  ...change,
})

describe('a message that cannot be decrypted', () => {
  test('is requested from its sender five times, whatever the phone does', () => {
    const counts = [1, 2, 5, 6].map((failures) => retryCount(message({ failures, phoneAskedAtMs: NOW }), NOW))
    assert.deepEqual(counts, [1, 2, 5, undefined])
  })

  test('is requested from the phone after a moment, once, also after the sixth failure was not the first', () => {
    const at = (ms: number, change = {}) => dueStep(message(change), NOW + ms, TIMES)
    assert.deepEqual([at(0), at(2999), at(3000)], ['wait', 'wait', 'ask_phone'])
    assert.equal(at(4000, { phoneAskedAtMs: NOW + 3000 }), 'wait')
    assert.equal(at(3000, { failures: 5 }), 'ask_phone')
  })

  test('is reported after a minute, or after the last retry', () => {
    assert.equal(dueStep(message({ phoneAskedAtMs: NOW }), NOW + 60_000, TIMES), 'report')
    assert.equal(dueStep(message({ failures: 6 }), NOW, TIMES), 'report')
  })

  test('between devices of the account is requested from the sending device only', () => {
    const peer = message({}, { category: 'peer' })
    assert.deepEqual([retryCount(peer, NOW), asksPhone(peer, NOW)], [1, false])
  })

  test('of an expired status, or that no one can give, is reported at once', () => {
    const status = (ageMs: number) => message({}, { from: 'status@broadcast', t: secondsAt(NOW - ageMs) })
    assert.equal(dueStep(status(DAY_MS / 2), NOW, TIMES), 'wait')
    assert.equal(dueStep(status(2 * DAY_MS), NOW, TIMES), 'report')
    assert.equal(dueStep(message({ reason: 'only_on_phone' }), NOW, TIMES), 'report')
  })

  test('without content is requested from the phone, unless it is older than two weeks', () => {
    const bare = (ageMs: number) => message({ reason: 'no_content' }, { t: secondsAt(NOW - ageMs) })
    assert.equal(retryCount(bare(0), NOW), undefined)
    assert.deepEqual([asksPhone(bare(0), NOW), asksPhone(bare(15 * DAY_MS), NOW)], [true, false])
    assert.equal(dueStep(bare(15 * DAY_MS), NOW, TIMES), 'report')
  })
})

describe('a stanza', () => {
  const reason = (from: string, ...content: { tag: string; type?: string }[]) =>
    unreadableReason({
      tag: 'message',
      attrs: { id: 'M1', from },
      content: content.map(({ tag, type }) => ({
        tag,
        attrs: type ? { type } : {},
        content: Buffer.from('x'),
      })),
    })
  const BEN = '5511900000002@s.whatsapp.net'

  test('with one part that can be decrypted is decrypted', () => {
    assert.equal(reason(BEN, { tag: 'enc', type: 'later' }, { tag: 'enc', type: 'msg' }), undefined)
    assert.equal(reason(BEN, { tag: 'unavailable', type: 'view_once' }), undefined)
  })

  test('of a channel is not encrypted', () => {
    assert.equal(reason('1@newsletter', { tag: 'plaintext' }), undefined)
    assert.equal(reason('1@newsletter'), undefined)
  })
})
