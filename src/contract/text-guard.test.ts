// Duplicate fields are found at any depth and in any spelling, with no false positives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findFault } from './body-guard.ts'
import { findTextFault } from './text-guard.ts'

const TWICE = 'must not be given more than once'

const CASES: [text: string, path: string | undefined][] = [
  ['{}', undefined],
  ['1', undefined],
  ['"a"', undefined],
  ['{"a":1,"b":2}', undefined],
  ['{"a":1,"a":1}', 'a'],
  ['{"a":1,"b":{"a":2}}', undefined],
  ['{"a":{"b":1},"c":{"b":1}}', undefined],
  ['[{"a":1},{"a":2}]', undefined],
  ['{"a":"a","b":"a"}', undefined],
  ['{"a":["a","a",{"x":1,"y":{},"x":2}]}', 'a.2.x'],
  ['{"a":{"b":{"c":1,"c":2}}}', 'a.b.c'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"\\u0061":1,"a":2}', 'a'],
  ['{"\\n":1,"\\u000a":2}', '\n'],
  ['{"a\\"":1,"a\\"":2}', 'a"'],
  ['{"a\\\\":1,"a":2}', undefined],
  ['{"a" \n\t:1 , "a"\r:2}', 'a'],
  ['{"":1,"":2}', ''],
  ['{"a":"\\\\","a":1}', 'a'],
  ['{"a":"\\\\\\"","b":"{\\"a\\":1,\\"a\\":2}"}', undefined],
  ['{"a":"}","a":1}', 'a'],
  ['{"a":"[,]","b":[1,[2,{"c":0,"c":0}]]}', 'b.1.1.c'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"constructor":1,"toString":2,"hasOwnProperty":3}', undefined],
  ['\ufeff{"a":1,"a":2}', 'a'],
]

for (const [text, path] of CASES) {
  test(`${JSON.stringify(text)}: ${path === undefined ? 'no fault' : JSON.stringify(path)}`, () => {
    assert.deepEqual(findTextFault(text), path === undefined ? undefined : { path, message: TWICE })
  })
}

test('refuses deep nesting, also in a field that a later duplicate overrides', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  assert.equal(findTextFault(nested(32)), undefined)
  assert.equal(findTextFault(nested(33))?.message, 'must not be nested deeper than 32 levels')
  assert.equal(
    findTextFault(`{"a":${nested(32)},"a":1}`)?.message,
    'must not be nested deeper than 32 levels',
  )
  assert.equal(findTextFault('['.repeat(200_000))?.message, 'must not be nested deeper than 32 levels')
})

test('refuses too many values, but never a text within the limit', () => {
  const message = 'must not contain more than 20000 values'
  const list = (item: string, count: number) => `[${Array(count).fill(item).join()}]`
  for (const item of ['1', '[]', '{}', '"a"', '[{}]']) {
    assert.equal(findTextFault(list(item, 100_000))?.message, message, item)
    for (const count of [6000, 9999, 10_000, 19_999, 20_000]) {
      const text = list(item, count)
      if (findTextFault(text)) assert.equal(findFault(JSON.parse(text))?.message, message, `${count} ${item}`)
    }
  }
})

test('stops on invalid JSON', () => {
  for (const text of ['"', '{"a', '{"a\\"', '{"\\x":1,"b"', '}}]', '{"a":1,', ',,,', ':'])
    assert.equal(findTextFault(text), undefined, text)
})

test('finds no fault in serialized values, and every duplicate field (property)', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string(), fc.boolean(), (value, name, spaced) => {
      const text = JSON.stringify(value, undefined, spaced ? 2 : 0)
      assert.equal(findTextFault(text), undefined)
      const quoted = JSON.stringify(name)
      const doubled = `{${quoted}:${text},${quoted}:${text}}`
      assert.deepEqual(findTextFault(doubled), { path: name, message: TWICE })
    }),
  )
})
