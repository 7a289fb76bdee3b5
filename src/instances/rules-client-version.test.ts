import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ClientVersion } from '../network/client-version.ts'
import {
  chooseVersion,
  isNewer,
  isReadDue,
  parseVersion,
  versionOnPage,
  versionText,
} from './rules-client-version.ts'

const BUILT_IN: ClientVersion = [2, 3000, 1_043_857_760]
const NEWER: ClientVersion = [2, 3000, 1_050_000_000]
const OLDER: ClientVersion = [2, 3000, 1_000_000_000]

describe('parsing a version', () => {
  test('three whole numbers of at most 32 bits, and nothing else', () => {
    assert.deepEqual(parseVersion('2.3000.1023456789'), [2, 3000, 1_023_456_789])
    assert.deepEqual(parseVersion(versionText(NEWER)), NEWER)
    for (const text of [
      '',
      '2',
      '2.3000',
      '2.3000.',
      '2.3000.x',
      '2.3000.1.1',
      ' 2.3000.1',
      '2.3000.4294967296',
      '-1.2.3',
    ])
      assert.equal(parseVersion(text), undefined, text)
  })

  test('versions are compared by their parts from the left', () => {
    assert.deepEqual(
      [
        isNewer(NEWER, BUILT_IN),
        isNewer(BUILT_IN, NEWER),
        isNewer(NEWER, NEWER),
        isNewer([2, 3001, 0], NEWER),
      ],
      [true, false, false, true],
    )
  })
})

describe('the version that a session uses', () => {
  const choose = (setting?: ClientVersion, page?: ClientVersion) =>
    chooseVersion({ setting, page, builtIn: BUILT_IN })

  test('the setting comes first, even if it is older', () => {
    assert.deepEqual(choose(OLDER, NEWER), { version: OLDER, source: 'setting' })
  })

  test('then the version of the page, unless the library has a newer one', () => {
    assert.deepEqual(choose(undefined, NEWER), { version: NEWER, source: 'page' })
    assert.deepEqual(choose(undefined, OLDER), { version: BUILT_IN, source: 'built_in' })
  })

  test('then the version of the library', () => {
    assert.deepEqual(choose(), { version: BUILT_IN, source: 'built_in' })
  })
})

describe('the version on the page', () => {
  const pages: [what: string, page: string, expected: unknown][] = [
    ['an object', '{"client_revision":1050000000,"x":1}', NEWER],
    ['an object in a string', String.raw`x("{\"client_revision\": 1050000000}")`, NEWER],
    ['the version of the library', '"client_revision":1043857760', BUILT_IN],
    ['an older version', '"client_revision":1043857759', 'older'],
    ['zero', '"client_revision":0', 'older'],
    ['a version far ahead', '"client_revision":1999999999', 'absurd'],
    ['more than 32 bits', '"client_revision":99999999999', 'absurd'],
    ['too many digits', `"client_revision":${'1'.repeat(30)}`, 'unreadable'],
    ['another name', '"other_client_revision_x":1050000000', 'unreadable'],
    ['text instead of a number', '"client_revision":"new"', 'unreadable'],
    ['an empty page', '', 'unreadable'],
  ]
  for (const [what, page, expected] of pages)
    test(`${what}: ${Array.isArray(expected) ? 'taken' : String(expected)}`, () =>
      assert.deepEqual(versionOnPage(page, BUILT_IN), expected))
})

test('the page is read once a day, and again if the last time lies in the future', () => {
  const now = 10 * 86_400_000
  const due = [undefined, now - 86_400_000, now - 86_399_999, now, now + 1].map((readAt) =>
    isReadDue(readAt, now),
  )
  assert.deepEqual(due, [true, true, false, false, true])
})
