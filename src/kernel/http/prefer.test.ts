import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredWaitSeconds } from './prefer.ts'

test('wait=N is read, alone or among other preferences, up to a minute; anything else is ignored', () => {
  const cases: [string | string[] | undefined, number | undefined][] = [
    ['wait=10', 10],
    ['WAIT = 1', 1],
    ['wait="5"', 5],
    ['respond-async, wait=7; foo=bar', 7],
    [['handling=lenient', 'wait=3'], 3],
    ['wait=60', 60],
    ['wait=61', 60],
    ['wait=999999999', 60],
    ['wait=4, wait=9', 4],
    ['wait=0', undefined],
    ['wait', undefined],
    ['wait=soon', undefined],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['await=5', undefined],
    ['', undefined],
    [undefined, undefined],
  ]
  for (const [header, seconds] of cases) assert.equal(preferredWaitSeconds(header), seconds, String(header))
})
