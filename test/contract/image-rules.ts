// Tests that the image endpoints share: the key in the query, and responses that must not be cached.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../support/gateway.ts'
import { exchange, request } from './raw-http.ts'

export interface ImageCase {
  url: string
  /** Path with the instance in the query. */
  target: string
  key: string
  otherKey: string
  beforeWrongKey(): void
  /** Default: the response must not be cached. */
  cacheControl?: string
}

export function imageRules(prepare: () => Promise<ImageCase>): void {
  const ask = async (query: string, lines: (found: ImageCase) => string[] = () => []): Promise<Answer> => {
    const found = await prepare()
    found.beforeWrongKey()
    const extra = query.replaceAll('KEY', found.key).replaceAll('OTHER', found.otherKey)
    return exchange(found.url, request('GET', found.target + extra, lines(found)))
  }
  const bearer = ({ key }: ImageCase) => [`Authorization: Bearer ${key}`]

  test('200 with the key in the query, in the header, or the same key in both', async () => {
    const { cacheControl = 'private, no-store' } = await prepare()
    for (const answer of [
      await ask('&apiKey=KEY'),
      await ask('', bearer),
      await ask('&apiKey=KEY', bearer),
    ]) {
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('cache-control'), cacheControl)
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    }
  })

  test('401 when the key is repeated, empty, wrong, or different from the header', async () => {
    const wrong: [string, (found: ImageCase) => string[]][] = [
      ['', () => []],
      ['&apiKey=', () => []],
      ['&apiKey=nonsense', () => []],
      ['&apiKey=KEY&apiKey=KEY', () => []],
      ['&apiKey=KEY&apiKey=KEY', bearer],
      ['&apiKey=OTHER', bearer],
      ['&apiKey=nonsense', bearer],
      ['&apiKey=', bearer],
      ['&apiKey=KEY', () => ['Authorization: Basic dXNlcjpwYXNz']],
      ['&apiKey[]=KEY', () => []],
    ]
    for (const [query, lines] of wrong) {
      const answer = await ask(query, lines)
      assert.equal(answer.status, 401, query)
      assert.equal(answer.json.reason, 'unauthorized')
      const { key } = await prepare()
      assert.ok(!answer.bytes.includes(key), 'the key stands in the answer')
    }
  })
}
