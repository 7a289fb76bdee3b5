// Link previews: the first link of a text, and what a page says about itself.
import { Tokenizer } from 'htmlparser2'

const LINK = /\bhttps?:\/\/[^\s<>"'`]+/i
/** Punctuation behind a link belongs to the sentence. */
const TRAILING: ReadonlySet<string> = new Set('.,;:!?…»”’)]}*_~')
const LONGEST_LINK = 2048
const LONGEST_TITLE = 300
const LONGEST_DESCRIPTION = 500

/** The first link as it is written in the text; undefined: there is none. */
export function firstLink(text: string): string | undefined {
  const found = LINK.exec(text)?.[0]
  if (found === undefined || found.length > LONGEST_LINK) return undefined
  let end = found.length
  while (TRAILING.has(found[end - 1] ?? '')) end -= 1
  const link = found.slice(0, end)
  return URL.canParse(link) ? link : undefined
}

export interface PageFacts {
  title: string
  description: string | null
  imageUrl: string | null
}

/** Undefined: the page has no title. */
export function readPage(html: string, pageUrl: string): PageFacts | undefined {
  const { meta, title: plainTitle } = scan(html)
  const title = shortened(meta.get('og:title') ?? meta.get('twitter:title') ?? plainTitle, LONGEST_TITLE)
  if (title === null) return undefined
  const description = meta.get('og:description') ?? meta.get('twitter:description') ?? meta.get('description')
  const image = meta.get('og:image:secure_url') ?? meta.get('og:image') ?? meta.get('twitter:image')
  return {
    title,
    description: shortened(description, LONGEST_DESCRIPTION),
    imageUrl: image === undefined ? null : httpUrl(image, pageUrl),
  }
}

/** Pages are written by strangers: what is read of them is limited in characters, tags, attributes and lengths. */
const LONGEST_PAGE = 512 * 1024
const MAX_TAGS = 10_000
const MAX_ATTRIBUTES = 10_000
const MAX_NAMES = 200
const LONGEST_VALUE = 4096

interface Scanned {
  /** The first value of each name counts. */
  meta: Map<string, string>
  title: string | undefined
}

/** Reads the tags one after the other. The tokenizer reads each character once, and builds no tree. */
function scan(html: string): Scanned {
  const page = html.slice(0, LONGEST_PAGE)
  const meta = new Map<string, string>()
  const counts = { tags: 0, attributes: 0 }
  let tag = ''
  let attribute = ''
  let attributes: Record<string, string> = Object.create(null)
  let title: string | undefined
  let isInTitle = false

  const append = (before: string, more: string) =>
    before.length < LONGEST_VALUE ? (before + more).slice(0, LONGEST_VALUE) : before
  const addValue = (text: string) => {
    const before = attributes[attribute]
    if (before !== undefined) attributes[attribute] = append(before, text)
  }
  const addText = (text: string) => {
    if (isInTitle) title = append(title ?? '', text)
  }
  const endTag = () => {
    if (tag === 'title') isInTitle = title === undefined
    if (tag !== 'meta') return
    const name = (attributes.property ?? attributes.name)?.toLowerCase()
    const { content } = attributes
    if (name !== undefined && content !== undefined && !meta.has(name) && meta.size < MAX_NAMES)
      meta.set(name, content)
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        counts.tags += 1
        if (counts.tags > MAX_TAGS) tokenizer.pause()
        tag = end - start > LONGEST_NAME ? '' : page.slice(start, end).toLowerCase()
        attributes = Object.create(null)
        isInTitle = false
      },
      onattribname(start, end) {
        counts.attributes += 1
        if (counts.attributes > MAX_ATTRIBUTES) tokenizer.pause()
        attribute = end - start > LONGEST_NAME ? '' : page.slice(start, end).toLowerCase()
        if (tag === 'meta' && META_ATTRIBUTES.has(attribute)) attributes[attribute] ??= ''
      },
      onattribdata: (start, end) => addValue(page.slice(start, Math.min(end, start + LONGEST_VALUE))),
      onattribentity: (code) => addValue(String.fromCodePoint(code).toWellFormed()),
      onattribend: () => void (attribute = ''),
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onclosetag: () => void (isInTitle = false),
      ontext: (start, end) => addText(page.slice(start, Math.min(end, start + LONGEST_VALUE))),
      ontextentity: (code) => addText(String.fromCodePoint(code).toWellFormed()),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
    },
  )
  tokenizer.write(page)
  return { meta, title }
}

/** Longer names of tags and attributes are none that are looked for. */
const LONGEST_NAME = 40
const META_ATTRIBUTES: ReadonlySet<string> = new Set(['property', 'name', 'content'])
const ignore = (): void => undefined

function httpUrl(text: string, base: string): string | null {
  const url = URL.parse(text, base)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

function shortened(text: string | undefined, max: number): string | null {
  const plain = (text ?? '')
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

/** The character set that the header names, then the page itself; UTF-8 otherwise. */
export const charsetOf = (contentType: string, head: string): string =>
  /charset="?([\w-]+)/i.exec(contentType)?.[1] ??
  /<meta[^>]{1,200}charset=["']?([\w-]+)/i.exec(head)?.[1] ??
  'utf-8'
