import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { charsetOf, firstLink, readPage } from './rules-link-preview.ts'

test('the first link of a text is found, without the punctuation of the sentence', () => {
  for (const [text, link] of [
    ['see https://example.com/a?b=c#d.', 'https://example.com/a?b=c#d'],
    ['(http://example.com/x), and https://other.example', 'http://example.com/x'],
    ['*https://example.com*', 'https://example.com'],
    ['HTTPS://EXAMPLE.COM/Path now', 'HTTPS://EXAMPLE.COM/Path'],
    ['line\nhttps://example.com/ç\nline', 'https://example.com/ç'],
    ['no link: example.com, ftp://example.com, https://', undefined],
    [`https://example.com/${'x'.repeat(2048)}`, undefined],
    ['', undefined],
  ] as const)
    assert.equal(firstLink(text), link, text)
})

describe('a page', () => {
  const url = 'https://example.com/shop/page'

  test('says what it is in Open Graph tags, in any order and quoting', () => {
    const html = `<html><head><title>Plain</title>
      <meta content='Shoes &amp; more' property='og:title'>
      <meta property="og:description" content="Red &#39;shoes&#x27;,
        from 49"/>
      <META NAME=description CONTENT=ignored>
      <meta property="og:image" content="/img/a.jpg?x=1&amp;y=2">`
    assert.deepEqual(readPage(html, url), {
      title: 'Shoes & more',
      description: "Red 'shoes', from 49",
      imageUrl: 'https://example.com/img/a.jpg?x=1&y=2',
    })
  })

  test('without them its title and description are used', () => {
    const html = '<title lang="en">\n A  page \n</title><meta name="description" content="About it">'
    assert.deepEqual(readPage(html, url), { title: 'A page', description: 'About it', imageUrl: null })
  })

  test('without a title there is no preview', () => {
    for (const html of ['', 'text', '<title> </title>', '<meta property="og:description" content="x">'])
      assert.equal(readPage(html, url), undefined, html)
  })

  test('long values are cut, and pictures of other protocols are ignored', () => {
    const html = `<title>${'😀'.repeat(400)}</title><meta property="og:image" content="data:image/png;base64,AA">`
    const page = readPage(html, url)
    assert.equal(page?.title, `${'😀'.repeat(149)}…`)
    assert.equal(page?.imageUrl, null)
  })

  test('unknown escapes stay as they are, and those of no character become the replacement character', () => {
    assert.equal(
      readPage('<title>a &unknown; &#0; &#x110000; &#xd800; b</title>', url)?.title,
      'a &unknown; \ufffd \ufffd \ufffd b',
    )
  })

  test('comments, scripts and other text are not read as tags', () => {
    const html = `<!-- <title>No</title> --><script>"<title>No</title>"</script>
      <svg title="No"></svg><title>Yes &amp; <b>more</title><title>No</title>`
    assert.equal(readPage(html, url)?.title, 'Yes & <b>more')
  })

  test('a page is read up to a number of tags, attributes and characters', () => {
    const title = '<title>Here</title>'
    const meta = '<meta property="og:title" content="There">'
    for (const [many, isRead] of [
      ['<p>'.repeat(9000), true],
      ['<p>'.repeat(11_000), false],
      [`<p ${'a=b '.repeat(9000)}>`, true],
      [`<p ${'a=b '.repeat(11_000)}>`, false],
      ['x'.repeat(600_000), false],
    ] as const)
      assert.equal(readPage(title + many + meta, url)?.title, isRead ? 'There' : 'Here', many.slice(0, 10))
  })

  test('each character of a page is read a fixed number of times', () => {
    // The reads of the tokenizer are counted, so that the test does not depend on the speed of the machine.
    const reads = (html: string): number => {
      const { charCodeAt } = String.prototype
      let count = 0
      const counting = function (this: string, position: number) {
        count += 1
        return charCodeAt.call(this, position)
      }
      Object.assign(String.prototype, { charCodeAt: counting })
      try {
        readPage(html, url)
      } finally {
        Object.assign(String.prototype, { charCodeAt })
      }
      return count
    }
    for (const part of [
      '<meta ',
      '<title',
      '<meta a=',
      '<meta a="',
      '<meta a=\'b="',
      '&#',
      '&#x',
      '</a',
      '<!--',
      '<a>',
      ']]>',
    ])
      for (const start of ['', '<meta name="', '<meta content=', '<title>', '<script>', '<!--']) {
        const [once, twice] = [1, 2].map((times) => reads(start + part.repeat(1000 * times)))
        assert.ok((twice ?? 0) <= 2.1 * (once ?? 0) + 100, `${start} ${part}: ${once}, then ${twice}`)
        assert.ok((once ?? 0) > 0 && (once ?? 0) < 20 * 1000 * part.length, `${start} ${part}: ${once}`)
      }
  })

  test('hostile text and markup do not stop the process', () => {
    // In a process of its own: a pattern that never ends cannot be stopped from within.
    const script = `import { charsetOf, firstLink, readPage } from ${JSON.stringify(import.meta.resolve('./rules-link-preview.ts'))}
      const many = (text) => text.repeat(500_000 / text.length)
      for (const text of ['<meta ', '<title', '<title ', '<meta a=', '<meta a="', 'a:', '&#', '&#x', "<meta a='b=\\"", ' '].map(many))
        for (const html of [text, '<meta ' + text, '<title>' + text, '<meta name="' + text, '<meta content=' + text])
          readPage(html, 'https://example.com'), charsetOf(html, html.slice(0, 4096))
      for (const text of ['.', 'https://', 'https://a.', '*_'].map(many)) firstLink('https://a' + text + ' ' + text)
      console.log('done')`
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 60_000 })
    assert.equal(String(child.stdout), 'done\n', String(child.stderr))
  })
})

test('the character set comes from the header, then from the page', () => {
  assert.equal(charsetOf('text/html; charset=ISO-8859-1', '<meta charset="utf-8">'), 'ISO-8859-1')
  assert.equal(charsetOf('text/html', '<meta charset="windows-1252">'), 'windows-1252')
  assert.equal(charsetOf('text/html', '<p>'), 'utf-8')
})
