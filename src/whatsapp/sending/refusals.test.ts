// Errors of the library are classified as temporary or final.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NetworkError } from '../../network/network.ts'
import { classifyCode, classifyRefusal, toGroupError, toNetworkError } from './refusals.ts'

const boom = (message: string, statusCode: number, data?: unknown) =>
  Object.assign(new Error(message), { isBoom: true, output: { statusCode }, data })
/** How the library reports an error node: the code is in the data, the status is a default. */
const answered = (code: number) => boom('forbidden', 500, code)
const kindOf = (error: unknown): unknown => {
  assert.ok(error instanceof NetworkError, `not sorted: ${String(error)}`)
  return error.kind
}

describe('refusals of the network', () => {
  test('codes are final below 500 and temporary from 500 on, except those in the table', () => {
    const verdicts: [string, number[]][] = [
      ['permanent', [400, 401, 402, 403, 405, 410, 487, 491, 501, 550, 551]],
      ['stale', [404, 406, 479, 496]],
      ['temporary', [408, 409, 425, 428, 429, 500, 503, 504, 552]],
      ['restricted', [463]],
    ]
    for (const [verdict, codes] of verdicts)
      for (const code of codes) assert.equal(classifyCode(code), verdict, `${code}`)
  })

  test('to a group, some codes mean that the account is not a member; 403 may mean that only admins write', () => {
    for (const code of [401, 404, 410]) assert.equal(classifyRefusal(code, '1@g.us'), 'not_a_group_member')
    assert.equal(classifyRefusal(403, '1@g.us'), 'permanent')
    assert.equal(classifyRefusal(404, '5511@s.whatsapp.net'), 'stale')
    assert.equal(classifyRefusal(503, '1@g.us'), 'temporary')
  })

  test('an answer is classified by its code, and keeps it', () => {
    for (const [code, kind] of [
      [403, 'refused'],
      [406, 'stale'],
      [463, 'refused'],
      [503, 'unavailable'],
    ] as const) {
      const error = toNetworkError(answered(code))
      assert.equal(kindOf(error), kind)
      assert.equal((error as NetworkError).code, code)
    }
    assert.equal(kindOf(toNetworkError(boom('not allowed', 405, { tag: 'error', attrs: {} }))), 'refused')
    assert.equal(kindOf(toNetworkError(boom('GraphQL server error', 403, { extensions: {} }))), 'refused')
    assert.equal(kindOf(toNetworkError(boom('Failed to fetch', 404, { url: 'https://x' }))), 'stale')
    assert.equal(kindOf(toNetworkError(boom('Failed to fetch', 502, { url: 'https://x' }))), 'unavailable')
  })

  test('input that the library rejects is final', () =>
    assert.equal(kindOf(toNetworkError(boom('Invalid media type', 400))), 'refused'))

  test('a closed connection is temporary with every status code', () => {
    for (const status of [401, 403, 408, 428, 440, 500, 503, 515])
      assert.equal(kindOf(toNetworkError(boom('Connection Closed', status))), 'unavailable')
    assert.equal(kindOf(toNetworkError(boom('Stream Errored', 403, { tag: 'stream:error' }))), 'unavailable')
    assert.equal(kindOf(toNetworkError(boom('Media upload failed on all hosts', 500))), 'unavailable')
    assert.equal(kindOf(toNetworkError(boom('no code', 500, Number.NaN))), 'unavailable')
    assert.equal(kindOf(toNetworkError(1006)), 'unavailable')
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    assert.equal(kindOf(toNetworkError(refused)), 'unavailable')
    assert.equal(kindOf(toNetworkError(new TypeError('fetch failed', { cause: refused }))), 'unavailable')
  })

  test('other errors and classified errors are returned unchanged', () => {
    for (const error of [
      new TypeError('not a function'),
      Object.assign(new Error('disk'), { code: 'ENOSPC' }),
      new NetworkError('timeout', 'late'),
    ])
      assert.equal(toNetworkError(error), error)
  })

  test('a request for a group shows that the account is not a member', () => {
    for (const code of [401, 403, 404, 410])
      assert.equal(kindOf(toGroupError(answered(code))), 'not_a_group_member')
    assert.equal(kindOf(toGroupError(boom('item-not-found', 404, { tag: 'error' }))), 'not_a_group_member')
    assert.equal(kindOf(toGroupError(answered(429))), 'unavailable')
    assert.equal(kindOf(toGroupError(boom('Connection Closed', 428))), 'unavailable')
  })
})
