import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createKeptDrafts, parseDrafts, withDraft } from './kept-drafts.ts'

/** As the one of a browser. */
const storageOf = (kept: Record<string, string> = {}): Storage =>
  Object.defineProperties(kept, {
    getItem: { value: (name: string) => kept[name] ?? null },
    setItem: { value: (name: string, text: string) => void (kept[name] = text) },
    removeItem: { value: (name: string) => void delete kept[name] },
  }) as unknown as Storage

describe('kept drafts', () => {
  test('a new text replaces the draft of its chat, a blank one removes it', () => {
    const first = withDraft(withDraft({}, 'a', 'one'), 'b', 'two')
    assert.deepEqual(withDraft(first, 'a', 'three'), { b: 'two', a: 'three' })
    assert.deepEqual(withDraft(first, 'a', ' \n'), { b: 'two' })
  })

  test('the oldest draft gives way to the hundred and first', () => {
    let drafts = {}
    for (let count = 0; count <= 100; count += 1) drafts = withDraft(drafts, `chat ${count}`, 'text')
    assert.deepEqual(
      [Object.keys(drafts).length, 'chat 0' in drafts, 'chat 100' in drafts],
      [100, false, true],
    )
  })

  test('what is stored and is not a list of texts is ignored', () => {
    for (const stored of [null, '{', '[]', '7', 'null', '{"a":7}']) assert.deepEqual(parseDrafts(stored), {})
  })

  test('drafts belong to one account, last over a reload, and are forgotten when the reader signs out', () => {
    const kept: Record<string, string> = { other: 'stays' }
    const storage = storageOf(kept)
    const drafts = createKeptDrafts(() => storage)
    let changes = 0
    drafts.onChange(() => (changes += 1))
    drafts.keep(1, 'a', 'one')
    drafts.keep(1, 'a', 'one')
    assert.equal(changes, 1)
    assert.equal(drafts.of(1), drafts.of(1), 'the same object while nothing changes')
    assert.deepEqual([drafts.of(1), drafts.of(2), drafts.of(undefined)], [{ a: 'one' }, {}, {}])
    assert.deepEqual(createKeptDrafts(() => storage).of(1), { a: 'one' })
    drafts.forget()
    assert.deepEqual([drafts.of(1), Object.keys(kept)], [{}, ['other']])
  })
})
