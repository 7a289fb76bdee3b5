// The grammar of formatted text, which conversations and sandbox phones share.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FormattedPart, parseFormattedText } from './parse-formatted-text.ts'

/** Written as HTML, so that a nested result fits on one line. */
const html = (parts: readonly FormattedPart[]): string =>
  parts
    .map((part) => (typeof part === 'string' ? part : `<${part.style}>${html(part.parts)}</${part.style}>`))
    .join('')

const CASES: [name: string, text: string, expected: string][] = [
  ['plain text', 'nothing to see', 'nothing to see'],
  ['an empty text', '', ''],
  ['bold', 'a *b* c', 'a <strong>b</strong> c'],
  ['italic', '_b c_', '<em>b c</em>'],
  ['struck', '~b~!', '<s>b</s>!'],
  ['inline code', 'run `ls -l`.', 'run <code>ls -l</code>.'],
  ['a block of code over several lines', '```a\nb```', '<code>a\nb</code>'],
  ['several parts', '*a* _b_ ~c~', '<strong>a</strong> <em>b</em> <s>c</s>'],
  ['nested styles', '*a _b ~c~_*', '<strong>a <em>b <s>c</s></em></strong>'],
  ['no styles inside code', '`*a*` ```_b_```', '<code>*a*</code> <code>_b_</code>'],
  ['marks inside a word', 'snake_case_name 2*3*4', 'snake_case_name 2*3*4'],
  ['marks beside letters of any script', 'é*b*é', 'é*b*é'],
  ['white space beside a mark', '* a* *a *', '* a* *a *'],
  ['a mark that is not closed', '*a _b', '*a _b'],
  ['a mark that closes on another line', '*a\nb*', '*a\nb*'],
  ['markup stays text', '*<b>*', '<strong><b></strong>'],
]

for (const [name, text, expected] of CASES) {
  test(`formatted text: ${name}`, () => assert.equal(html(parseFormattedText(text)), expected))
}

test('a long text with unclosed marks is parsed in linear time', () => {
  const text = '*a _b ~c `d '.repeat(20_000)
  assert.equal(html(parseFormattedText(text)).length, text.length)
})
