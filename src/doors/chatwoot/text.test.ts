import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describe, signedText, toMarkdown, toNetworkText, withAuthor } from './text.ts'

test('Markdown of agents becomes the marks of the network', () => {
  for (const [markdown, text] of [
    ['plain', 'plain'],
    ['**bold** and *italic*', '*bold* and _italic_'],
    ['_italic_ stays', '_italic_ stays'],
    ['~~gone~~', '~gone~'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['[our site](https://example.com/a)', 'our site (https://example.com/a)'],
    ['[https://example.com](https://example.com)', 'https://example.com'],
    ['1\\. first \\*not bold\\*', '1. first *not bold*'],
    ['`**code**` and ```\n**more**\n```', '`**code**` and ```\n**more**\n```'],
    ['**a** **b**', '*a* *b*'],
  ] as const)
    assert.equal(toNetworkText(markdown), text)
})

test('marks of the network become Markdown', () => {
  for (const [text, markdown] of [
    ['*bold* _italic_ ~gone~', '**bold** _italic_ ~~gone~~'],
    ['5*3*2 and ~10', '5*3*2 and ~10'],
    ['`*code*`', '`*code*`'],
    ['*', '*'],
  ] as const)
    assert.equal(toMarkdown(text), markdown)
})

test('a hostile text is converted in a time that grows with its length', () => {
  for (const mark of ['*', '**', '~', '[a](', '`', '*a ', '\\'])
    for (const convert of [toNetworkText, toMarkdown]) assert.ok(convert(mark.repeat(10_000)).length > 0)
})

test('names stand in bold before the text, without marks of their own', () => {
  assert.equal(signedText('Ana *Lima*\n', 'hi'), '*Ana  Lima*:\nhi')
  assert.equal(signedText('  ', 'hi'), 'hi')
  assert.equal(withAuthor('Bob (+551199)', 'hi'), '**Bob (+551199):**\nhi')
})

test('a message without text is described', () => {
  const of = (type: string, content: Record<string, unknown> = {}, hasFile = false) =>
    describe({ type, text: null, content, hasFile })
  assert.equal(
    of('location', { latitude: 1.5, longitude: -2, name: 'Shop' }),
    'Shop\nhttps://www.google.com/maps?q=1.5,-2',
  )
  assert.equal(of('poll', { pollName: 'When?', options: ['now', 'later'] }), 'When?\n- now\n- later')
  assert.equal(of('contact', { contacts: [{ name: 'Eve', number: '5511' }] }), 'Eve 5511')
  assert.equal(
    of('order', { orderId: '11', title: 'Padaria', itemCount: 2, total: '149.9', currency: 'BRL' }),
    '🛒 Padaria 2 × BRL 149.9\n#11',
  )
  assert.equal(of('order', {}), '🛒')
  assert.equal(
    of('product', { title: 'Shoe', price: '49', currency: 'USD', url: 'https://shop.test/7' }),
    '🏷️ Shoe USD 49\nhttps://shop.test/7',
  )
  assert.equal(of('image', {}, true), '')
  assert.equal(of('image'), '_image_')
})
