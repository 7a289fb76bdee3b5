// Link previews: the first link of a text, and what a page says about itself.

const LINK = /\bhttps?:\/\/[^\s<>"'`]+/i
/** Punctuation behind a link belongs to the sentence. */
const TRAILING = /[.,;:!?…»”’)\]}*_~]+$/
const LONGEST_LINK = 2048
const LONGEST_TITLE = 300
const LONGEST_DESCRIPTION = 500

/** The first link as it is written in the text; undefined: there is none. */
export function firstLink(text: string): string | undefined {
  const found = LINK.exec(text)?.[0]
  if (found === undefined || found.length > LONGEST_LINK) return undefined
  const link = found.replace(TRAILING, '')
  return URL.canParse(link) ? link : undefined
}

export interface PageFacts {
  title: string
  description: string | null
  imageUrl: string | null
}

/** Undefined: the page has no title. */
export function readPage(html: string, pageUrl: string): PageFacts | undefined {
  const meta = metaOf(html)
  const title = shortened(
    meta.get('og:title') ?? meta.get('twitter:title') ?? TITLE.exec(html)?.[1],
    LONGEST_TITLE,
  )
  if (title === null) return undefined
  const description = meta.get('og:description') ?? meta.get('twitter:description') ?? meta.get('description')
  const image = meta.get('og:image:secure_url') ?? meta.get('og:image') ?? meta.get('twitter:image')
  return {
    title,
    description: shortened(description, LONGEST_DESCRIPTION),
    imageUrl: image === undefined ? null : httpUrl(unescaped(image), pageUrl),
  }
}

/** All repetitions are bounded: a page can be written so that an unbounded pattern takes hours. */
const TITLE = /<title[^>]{0,200}>([^<]{0,2000})/i
const META = /<meta[\s/]/gi
const MAX_TAGS = 200
const LONGEST_TAG = 4096
const ATTRIBUTE = /([\w:-]{1,40})\s{0,9}=\s{0,9}(?:"([^"]{0,2048})"|'([^']{0,2048})'|([^\s"'>]{1,2048}))/g

/** From each beginning of a tag to its end, or as far as a tag may reach. */
function* metaTags(html: string): Generator<string> {
  let count = 0
  for (const { index } of html.matchAll(META)) {
    if ((count += 1) > MAX_TAGS) return
    const tag = html.slice(index, index + LONGEST_TAG)
    const end = tag.indexOf('>')
    yield end < 0 ? tag : tag.slice(0, end)
  }
}

/** The first value of each name counts. */
function metaOf(html: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const tag of metaTags(html)) {
    const attributes = new Map(
      [...tag.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
        name.toLowerCase(),
        double ?? single ?? bare ?? '',
      ]),
    )
    const name = (attributes.get('property') ?? attributes.get('name'))?.toLowerCase()
    const content = attributes.get('content')
    if (name !== undefined && content !== undefined && !found.has(name)) found.set(name, content)
  }
  return found
}

function httpUrl(text: string, base: string): string | null {
  const url = URL.parse(text, base)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

function shortened(text: string | undefined, max: number): string | null {
  const plain = unescaped(text ?? '')
    // oxlint-disable-next-line no-control-regex -- control characters have no place in a line of text
    .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()
  if (plain === '') return null
  // A pair of surrogates that the cut has split becomes one replacement character, which is removed.
  return plain.length > max
    ? `${plain
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`
    : plain
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const HIGHEST_CODE = 0x10ffff

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= HIGHEST_CODE ? String.fromCodePoint(code).toWellFormed() : whole
  })

/** The character set that the header names, then the page itself; UTF-8 otherwise. */
export const charsetOf = (contentType: string, head: string): string =>
  /charset="?([\w-]+)/i.exec(contentType)?.[1] ??
  /<meta[^>]{1,200}charset=["']?([\w-]+)/i.exec(head)?.[1] ??
  'utf-8'
