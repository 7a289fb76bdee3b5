// Which headers of an answer allow reuse, and for how long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ResponseHeaders, reusableMs } from './download.ts'

const NOW = Date.parse('2026-06-01T12:00:00Z')
const at = (ms: number): string => new Date(NOW + ms).toUTCString()

const CASES: [headers: ResponseHeaders, ms: number][] = [
  [{}, Infinity],
  [{ 'cache-control': 'public' }, Infinity],
  [{ 'cache-control': '' }, Infinity],
  [{ 'cache-control': 'no-store' }, 0],
  [{ 'cache-control': 'private' }, 0],
  [{ 'cache-control': 'no-cache' }, 0],
  [{ 'cache-control': 'max-age=60, NO-STORE' }, 0],
  [{ 'cache-control': ['max-age=60', 'private'] }, 0],
  [{ 'cache-control': 'Private="Set-Cookie", max-age=60' }, 0],
  [{ 'cache-control': 'x-private, max-age=60' }, 60_000],
  [{ 'cache-control': 'max-age=0, must-revalidate' }, 0],
  [{ 'cache-control': 'max-age="5"' }, 5000],
  [{ 'cache-control': 'max-age=5, s-maxage=7' }, 7000],
  [{ 'cache-control': 'max-age=soon' }, 0],
  [{ 'cache-control': 'max-age=60', age: '20' }, 40_000],
  [{ 'cache-control': 'max-age=60', age: '70' }, 0],
  [{ 'cache-control': 'max-age=60', age: 'old' }, 60_000],
  [{ 'cache-control': 'max-age=60', expires: at(-1000) }, 60_000],
  [{ expires: at(30_000) }, 30_000],
  [{ expires: at(30_000), date: at(10_000) }, 20_000],
  [{ expires: at(-30_000) }, 0],
  [{ expires: '0' }, 0],
  [{ expires: '-1' }, 0],
  [{ pragma: 'no-cache' }, 0],
  [{ pragma: 'no-cache', 'cache-control': 'public' }, Infinity],
  [{ vary: '*' }, 0],
  [{ vary: ['Accept', 'Origin, *'] }, 0],
  [{ vary: 'Accept' }, Infinity],
  [{ 'set-cookie': ['a=b'] }, Infinity],
]

for (const [headers, ms] of CASES) {
  test(`${JSON.stringify(headers)} is reusable for ${ms} ms`, () => {
    assert.equal(reusableMs(headers, NOW), ms)
  })
}
